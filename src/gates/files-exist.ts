import { posix } from 'node:path';
import type { Finding } from '../domain/finding.ts';
import { GATE_SETTINGS } from '../domain/gate.ts';
import type { GateContext } from '../ports.ts';
import { globMatcher } from '../text/glob.ts';
import { joinPath, normalisePath } from '../text/safe-path.ts';
import { defineGate } from './define-gate.ts';

/** Passes when every declared file is there or, where none is declared, when the attempt made something at all. */
export const filesExist = defineGate({
  type: 'files_exist',
  settings: GATE_SETTINGS.files_exist,
  judge: async ({ files }, context) => {
    const declared = files ?? context.phase.output.files;
    const findings = declared.length > 0 ? missing(declared, context) : somethingNew(context);
    return { kind: 'judged', outcome: findings.length > 0 ? 'reject' : 'pass', findings };
  },
});

function missing(declared: readonly string[], { tree, phase }: GateContext): Finding[] {
  return declared.flatMap((pattern): Finding[] => {
    const places = [...new Set([normalisePath(pattern), joinPath(phase.output.directory, pattern)])];
    const matchers = places.map(globMatcher);
    if (tree.files.some((file) => matchers.some((matches) => matches(file.path)))) return [];
    const unusable = tree.problems.find(({ location }) => matchers.some((matches) => matches(location?.file ?? '')));
    const isFolder = tree.files.some(({ path }) => places.some((place) => path.startsWith(`${place}/`)));
    return [
      {
        severity: 'error',
        check: 'files_exist',
        message: unusable?.message ?? `${pattern} is ${isFolder ? 'a directory, not a file' : 'missing'}`,
        hint: `Write it to ${places.join(' or ')}, relative to the working directory.`,
        location: { file: pattern },
      },
    ];
  });
}

function somethingNew({ tree, base, phase }: GateContext): Finding[] {
  const before = new Map(base.files.map((file) => [file.path, file.digest]));
  const directory = posix.normalize(`${phase.output.directory}/`);
  const inside = (path: string) => directory === './' || path.startsWith(directory);
  const made = tree.files.some(({ path, digest, size }) => size > 0 && inside(path) && before.get(path) !== digest);
  if (made) return [];
  return [
    {
      severity: 'error',
      check: 'files_exist',
      message: `no new or changed file under ${phase.output.directory}`,
      hint: `Write the phase's result to ${directory}, relative to the working directory.`,
    },
  ];
}

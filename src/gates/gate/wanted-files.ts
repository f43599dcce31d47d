import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { TreeFile } from '../../ports/tree.ts';
import { globMatcher } from '../../text/glob.ts';
import { joinPath, normalisePath } from '../../text/safe-path.ts';
import type { GateContext } from './gate-context.ts';

/** What of the wanted files is not there, for a gate to report under its own name. */
type Absence = Pick<Finding, 'message' | 'hint' | 'location'>;

/** The files a gate is about: those it or the phase names or, where none is named, what the attempt made. */
export type WantedFiles = {
  readonly found: readonly TreeFile[];
  readonly absent: readonly Absence[];
  readonly named: boolean;
  /** Nobody named a file, and all that was done is that files went. */
  readonly removes: boolean;
};

type Context = Pick<GateContext, 'phase' | 'tree' | 'base'>;

/** Finds the files a gate is about in the judged tree. */
export function wantedFiles(files: readonly string[] | undefined, context: Context): WantedFiles {
  const declared = files ?? context.phase.output.files;
  return declared.length > 0 ? namedFiles(declared, context) : changedFiles(context);
}

function namedFiles(declared: readonly string[], { tree, phase }: Context): WantedFiles {
  const found = new Set<TreeFile>();
  const absent = declared.flatMap((pattern): Absence[] => {
    const places = [...new Set([normalisePath(pattern), joinPath(phase.output.directory, pattern)])];
    const matchers = places.map(globMatcher);
    const matching = tree.files.filter((file) => matchers.some((matches) => matches(file.path)));
    for (const file of matching) found.add(file);
    if (matching.length > 0) return [];
    const unusable = tree.problems.find(({ location }) => matchers.some((matches) => matches(location?.file ?? '')));
    const isFolder = tree.files.some(({ path }) => places.some((place) => path.startsWith(`${place}/`)));
    return [
      {
        message: unusable?.message ?? `${pattern} is ${isFolder ? 'a directory, not a file' : 'missing'}`,
        hint: `Write it to ${places.join(' or ')}, relative to the working directory.`,
        location: { file: pattern },
      },
    ];
  });
  return { found: [...found], absent, named: true, removes: false };
}

function changedFiles({ tree, base, phase }: Context): WantedFiles {
  const before = new Map(base.files.map((file) => [file.path, file.digest]));
  const directory = posix.normalize(`${phase.output.directory}/`);
  const inside = (path: string) => directory === './' || path.startsWith(directory);
  const found = tree.files.filter(({ path, digest }) => inside(path) && before.get(path) !== digest);
  const absence = {
    message: `no new or changed file under ${phase.output.directory}`,
    hint: `Write the phase's result to ${directory}, relative to the working directory.`,
  };
  if (found.some(({ size }) => size > 0)) return { found, absent: [], named: false, removes: false };
  const now = new Set(tree.files.map(({ path }) => path));
  const removes = base.files.some(({ path }) => inside(path) && !now.has(path));
  return { found, absent: [absence], named: false, removes };
}

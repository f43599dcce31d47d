import { hasError } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { GateAnswer, GateContext } from '../gate/gate-context.ts';
import { emptiedTests } from './emptied-tests.ts';
import { judgeReproduction, namesTests } from './judge-reproduction.ts';
import { passes, type TestFacts } from './judge-tests.ts';
import { changedPaths, notTests } from './reproducing-files.ts';
import type { CommandOptions } from './run-command.ts';
import { runTests, type TestRun } from './run-tests.ts';

const LIMIT = 16 * 1024 * 1024;

type Asked = {
  readonly facts: Pick<TestFacts, 'baseline' | 'before' | 'check'>;
  readonly options: Pick<CommandOptions, 'command' | 'wallMs' | 'network'>;
};

/** Passes when a test that the phase added fails on the code as it is, each time, and all others pass: the bug is seen. */
export async function reproduction(context: GateContext, { facts, options }: Asked): Promise<GateAnswer> {
  const { check } = facts;
  const files = changedPaths(context);
  if (files.length === 0) {
    const hint = 'Write a test that fails because of what was asked about.';
    const message = 'no test was added: this phase changed nothing';
    return { kind: 'judged', outcome: 'reject', findings: [{ severity: 'error', check, message, hint }] };
  }
  const strays = [...(await notTests(options.command, context)), ...(await emptiedTests(context))];
  if (hasError(strays)) return { kind: 'judged', outcome: 'reject', findings: strays };
  const first = await runTests(context, options);
  if (first.kind === 'interrupted') return first;
  const second = passes(first, facts) ? undefined : await runTests(context, options);
  if (second?.kind === 'interrupted') return second;
  const isUnnamed = second !== undefined && !namesTests(second) && facts.before === undefined;
  const without = isUnnamed ? await runWithout(files, context, options) : undefined;
  if (without?.kind === 'interrupted') return without;
  const { findings, reproduced, tests } = judgeReproduction({ ...facts, first, second, without, files });
  const outcome = reproduced === undefined || hasError(findings) ? 'reject' : 'pass';
  const said = outcome === 'pass' ? second?.ending : undefined;
  return { kind: 'judged', outcome, findings: [...strays, ...findings], ...present({ reproduced, tests, said }) };
}

/** The same command in a copy without what the phase changed; undefined where no copy can be had. */
async function runWithout(
  files: readonly string[],
  { base, ...context }: GateContext,
  options: Asked['options'],
): Promise<TestRun | Extract<GateAnswer, { kind: 'interrupted' }> | undefined> {
  const before = await Promise.all(files.map(async (path) => [path, await base.read(path, LIMIT)] as const));
  const copy = await context.variant?.(new Map(before));
  if (copy === undefined) return undefined;
  try {
    return await runTests({ ...context, base, directory: async () => copy.dir }, options);
  } finally {
    await copy.dispose();
  }
}

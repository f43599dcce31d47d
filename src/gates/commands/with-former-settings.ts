import type { Finding } from '../../domain/finding.ts';
import { inQuotes } from '../../domain/in-quotes.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { languageOfPath } from '../../text/syntax/language-of.ts';
import { countAssertions } from '../../text/test-code/count-assertions.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { isTestFile } from '../gate/test-files.ts';
import { formerSettings } from './former-settings.ts';
import { passes, type TestFacts } from './judge-tests.ts';
import type { CommandOptions } from './run-command.ts';
import { runTests, type TestRun } from './run-tests.ts';

const MAX_NAMED = 5;
const MAX_FILES = 200;
const MAX_BYTES = 512 * 1024;

type Passed = {
  readonly facts: Pick<TestFacts, 'baseline' | 'before' | 'check'>;
  readonly options: Pick<CommandOptions, 'command' | 'wallMs' | 'network'>;
  /** The run that passed. */
  readonly usual: TestRun;
};

/** What came of it: findings, and the files a human has to see. */
type Told = { readonly findings: readonly Finding[]; readonly asks?: readonly string[] };

/**
 * Runs tests that passed once more with the settings of their runner as they were before the work. Where only the changed
 * settings let them pass, or fewer ran than there were, that is for a human to judge; tests that are new may need what is new.
 */
export async function withFormerSettings(context: GateContext, { facts, options, usual }: Passed): Promise<Told> {
  const { settings, variant, tree } = context;
  if (settings === undefined || variant === undefined || (facts.before?.total ?? 0) === 0) return { findings: [] };
  const former = await formerSettings(options.command, { ...settings, tree });
  if (former.size === 0) return { findings: [] };
  const copy = await variant(former);
  try {
    const run = await runTests({ ...context, directory: async () => copy.dir }, options);
    const files = [...former.keys()];
    const against = await objection(run, { facts, usual, origin: settings.origin, tree });
    if (run.kind === 'ran' && against === undefined) return { findings: [harmless(files, run, facts)] };
    return { findings: [decisive(files, against ?? '')], asks: files };
  } finally {
    await copy.dispose();
  }
}

type Seen = Pick<Passed, 'facts' | 'usual'> & { readonly origin: Tree; readonly tree: Tree };

/** What a run with the former settings says against the changed ones; undefined where it says nothing. */
async function objection(run: Awaited<ReturnType<typeof runTests>>, seen: Seen): Promise<string | undefined> {
  if (run.kind !== 'ran') return run.message;
  const passed = passes(run, seen.facts);
  if (!passed && !(await onlyNewFail(run, seen))) return failure(run);
  const [good, before] = [goodOf(run, passed), goodBefore(seen.facts)];
  // A runner that never counts, or counts no more with the changed settings either, says nothing about these.
  if (good === undefined) return seen.usual.total === undefined ? undefined : 'how many tests ran cannot be told';
  if (good >= before || (passed && good >= (goodOf(seen.usual, true) ?? 0))) return undefined;
  return `only ${good} ran and passed, of ${before} there were`;
}

/** How many tests of a run passed; those a baseline knows to fail count where the run passed. */
function goodOf({ total, skipped, failures }: TestRun, passed: boolean): number | undefined {
  return total === undefined ? undefined : total - skipped - (passed ? 0 : failures);
}

function goodBefore({ before }: Seen['facts']): number {
  return (before?.total ?? 0) - (before?.skipped ?? 0);
}

/** Tells whether all that failed are tests there were none of before, and all there were are still there by their names. */
async function onlyNewFail({ failed, failures }: TestRun, { origin, tree }: Seen): Promise<boolean> {
  if (failed.length === 0 || failed.length < failures) return false;
  const [known, now] = [await testNames(origin), await testNames(tree)];
  if (known === undefined || now === undefined || known.some((name) => !now.includes(name))) return false;
  return failed.every(({ name }) => !known.some((old) => name.includes(old)));
}

/** The names of all tests in a tree; undefined where they cannot all be told. */
async function testNames(tree: Tree): Promise<string[] | undefined> {
  const paths = tree.files.filter(({ path }) => isTestFile(path)).map(({ path }) => path);
  if (paths.length > MAX_FILES) return undefined;
  const names: string[] = [];
  for (const path of paths) {
    const language = languageOfPath(path);
    if (language === undefined || language === 'json' || language === 'jsonc' || language === 'yaml') continue;
    const bytes = await tree.read(path, MAX_BYTES + 1);
    if (bytes === undefined || bytes.length > MAX_BYTES) return undefined;
    const count = await countAssertions(language, bytes.toString('utf8'));
    if (count?.sure === false) return undefined;
    names.push(...[...(count?.tests.keys() ?? [])].map((name) => name.replace(/^["'`]|["'`]$/g, '')));
  }
  return names;
}

function failure({ failed, exitCode }: TestRun): string {
  if (failed.length === 0) return `the command ends with exit code ${exitCode}`;
  const names = failed.slice(0, MAX_NAMED).map(({ name }) => inQuotes(oneLine(name, 100)));
  return `${failed.length} failed (${names.join(', ')}${failed.length > MAX_NAMED ? ' and more' : ''})`;
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, MAX_NAMED).map((file) => inQuotes(oneLine(file, 100)));
  return `${shown.join(', ')}${files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : ''}`;
}

/** Says what was seen and no more: which of the tests are those there were is known by their names alone. */
function harmless(files: readonly string[], run: TestRun, { before, check }: Passed['facts']): Finding {
  const count = run.total === undefined ? 'how many ran cannot be told' : `${run.total - run.skipped} ran`;
  const failed = run.failures === 0 ? 'none failed' : failure(run);
  const message = `with the former settings of ${listed(files)} ${count}, ${failed}; counted before this work: ${before?.total ?? 0}`;
  return { severity: 'info', check, message };
}

function decisive(files: readonly string[], why: string): Finding {
  return {
    severity: 'warning',
    check: 'decisive-settings',
    message: `the tests pass only with ${listed(files)} as this work has it; with the former settings: ${why}`,
    hint: 'Leave what decides how tests are run as it was. Where it has to change, the plan declares it as output of the phase.',
    ...(files[0] !== undefined && { location: { file: files[0] } }),
  };
}

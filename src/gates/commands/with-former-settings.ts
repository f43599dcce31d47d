import type { Finding } from '../../domain/finding.ts';
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
};

/** What came of it: findings, and the files a human has to see. */
type Told = { readonly findings: readonly Finding[]; readonly asks?: readonly string[] };

/**
 * Runs tests that passed once more with the settings of their runner as they were before the work. Where only the changed
 * settings let them pass, that is for a human to judge; tests that are new may need what is new.
 */
export async function withFormerSettings(context: GateContext, { facts, options }: Passed): Promise<Told> {
  const { settings, variant, tree } = context;
  if (settings === undefined || variant === undefined || (facts.before?.total ?? 0) === 0) return { findings: [] };
  const former = await formerSettings(options.command, { ...settings, tree });
  if (former.size === 0) return { findings: [] };
  const copy = await variant(former);
  try {
    const run = await runTests({ ...context, directory: async () => copy.dir }, options);
    const files = [...former.keys()];
    if (run.kind === 'ran' && passes(run, facts)) return { findings: [harmless(files, facts.check)] };
    if (run.kind === 'ran' && (await onlyNewFail(run, settings.origin)))
      return { findings: [harmless(files, facts.check)] };
    const why = run.kind === 'ran' ? failure(run) : run.message;
    return { findings: [decisive(files, why)], asks: files };
  } finally {
    await copy.dispose();
  }
}

/** Tells whether all that failed are tests there were none of before. */
async function onlyNewFail({ failed, failures }: TestRun, origin: Tree): Promise<boolean> {
  if (failed.length === 0 || failed.length < failures) return false;
  const known = await testNames(origin);
  return known !== undefined && failed.every(({ name }) => !known.some((old) => name.includes(old)));
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
  const names = failed.slice(0, MAX_NAMED).map(({ name }) => oneLine(name, 100));
  return `${failed.length} failed (${names.join(', ')}${failed.length > MAX_NAMED ? ' and more' : ''})`;
}

function listed(files: readonly string[]): string {
  const shown = files.slice(0, MAX_NAMED).map((file) => oneLine(file, 100));
  return `${shown.join(', ')}${files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : ''}`;
}

function harmless(files: readonly string[], check: string): Finding {
  const message = `the tests there were pass with the former settings of ${listed(files)}, too`;
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

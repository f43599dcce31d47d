import { type Finding, hasError } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type DetectedTools, detectTools } from '../detect/detect-tools.ts';
import { defineGate } from '../gate/define-gate.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { emptiedTests } from './emptied-tests.ts';
import { judgeTests, passes } from './judge-tests.ts';
import { runTests } from './run-tests.ts';
import { runnerChanges } from './runner-files.ts';
import { changedCommand, testCommandChanges } from './test-command-changes.ts';

const READ_LIMIT = 256 * 1024;
const TIMEOUT = 600;
/** Commands that count only when they fail. */
const SILENT = /gradle|\bmvnw? (?:\S{1,200} ){0,20}(?:-q|--quiet)\b/;

/** Passes when the tests do: a failed run is made once more, and fewer tests than before count against it. */
export const testsPass = defineGate({
  type: 'tests_pass',
  settings: GATE_SETTINGS.tests_pass,
  command: ({ command }) => command ?? 'detected',
  judge: async ({ command: given, timeout = TIMEOUT, baseline = false, network, checks }, context) => {
    const check = checks?.join(', ') ?? 'tests_pass';
    const found = given === undefined ? await detect(context, check) : { command: given, findings: [] };
    if (found.command === undefined) return { kind: 'judged', outcome: 'reject', findings: found.findings };
    const { command } = found;
    const facts = { baseline, before: context.before, check, silent: SILENT.test([command].flat().join(' ')) };
    const options = { command, wallMs: timeout * 1000, network };
    const first = await runTests(context, options);
    if (first.kind === 'interrupted') return first;
    const second = passes(first, facts) ? undefined : await runTests(context, options);
    if (second?.kind === 'interrupted') return second;
    const verdict = judgeTests({ ...facts, first, second });
    const changes = [...(await testCommandChanges(command, context)), ...runnerChanges(command, context)];
    const emptied = await emptiedTests(context);
    const findings = [...verdict.findings, ...found.findings, ...changes, ...emptied];
    return { ...verdict, ...(hasError(emptied) && { outcome: 'reject' }), findings };
  },
});

type Detected = { readonly command: readonly string[] | undefined; readonly findings: Finding[] };

async function detect({ tree, base }: GateContext, check: string): Promise<Detected> {
  const { test: command, notes } = await toolsOf(tree);
  if (command === undefined) return { command, findings: [nothingToRun(check, notes)] };
  const { test: former } = base.id === tree.id ? { test: command } : await toolsOf(base);
  return { command, findings: former === undefined ? [] : changedCommand(former, command) };
}

function toolsOf(tree: Tree): Promise<DetectedTools> {
  return detectTools({
    paths: tree.files.map(({ path }) => path),
    read: async (path) => (await tree.read(path, READ_LIMIT))?.toString('utf8'),
  });
}

const WRITE = 'Write tests, or give the gate its command in the plan, for example command: [npm, test].';
const LOOKED =
  'Looked for package.json, pyproject.toml and other signs of Python tests, go.mod, Cargo.toml, pom.xml, build.gradle, composer.json, Gemfile, .NET projects and a Makefile with a test target.';

function nothingToRun(check: string, notes: readonly string[]): Finding {
  return {
    severity: 'error',
    check,
    message: 'there is nothing to run: the gate has no command, and no test command was found in the project',
    hint: oneLine([WRITE, LOOKED, ...notes].join(' '), 1500),
  };
}

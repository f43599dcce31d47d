import { type Finding, hasError } from '../../domain/finding.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type DetectedTools, detectTools } from '../detect/detect-tools.ts';
import { defineGate } from '../gate/define-gate.ts';
import type { GateContext } from '../gate/gate-context.ts';
import type { Probing } from '../probe/probe-tests.ts';
import { emptiedTests, movedTests } from './emptied-tests.ts';
import { isKnown, judgeTests, passedAmong, passes, type TestFacts } from './judge-tests.ts';
import { changedReproduction, nothingMended } from './reproducing-files.ts';
import type { CommandOptions } from './run-command.ts';
import { runTests, type TestRun } from './run-tests.ts';
import { runnerChanges } from './runner-files.ts';
import { lookAt, stepsNotRun } from './steps-not-run.ts';
import { changedCommand, testCommandChanges } from './test-command-changes.ts';
import { withFormerSettings } from './with-former-settings.ts';

const TIMEOUT = 600;
const SHOWN = 5;
/** How a package of Go that does not compile is named among what failed. */
const UNBUILT = /\[(?:build|setup) failed\]$/;
/** Commands that count only when they fail. */
const SILENT = /gradle|\bmvnw? (?:\S{1,200} ){0,20}(?:-q|--quiet)\b/;

const STOPPED = { kind: 'interrupted', failure: 'cancelled', message: 'stopped on request' } as const;

/** Passes when the tests do: a failed run is made once more, and fewer tests than before count against it. */
export const testsPass = defineGate({
  type: 'tests_pass',
  settings: GATE_SETTINGS.tests_pass,
  command: ({ command }) => command ?? 'detected',
  judge: async (settings, context) => {
    const { command: given, timeout = TIMEOUT, baseline = false, probe = false, network, checks, expect } = settings;
    const check = checks?.join(', ') ?? 'tests_pass';
    const found = given === undefined ? await detect(context, check) : { command: given, findings: [] };
    if (found.command === undefined) return { kind: 'judged', outcome: 'reject', findings: found.findings };
    const { command } = found;
    const { shown = [], before: failed = [] } = context.failedEarlier ?? {};
    const failedEarlier = [...new Set([...shown, ...failed])];
    const facts = {
      baseline,
      before: context.before,
      failedEarlier,
      check,
      silent: SILENT.test([command].flat().join(' ')),
    };
    const options = { command, wallMs: timeout * 1000, network };
    if (expect === 'red') {
      const { reproduction } = await import('./reproduction.ts');
      return reproduction(context, { facts, options });
    }
    const first = await runTests(context, options);
    if (first.kind === 'interrupted') return first;
    const second = passes(first, facts) ? undefined : await runTests(context, options);
    if (second?.kind === 'interrupted') return second;
    const verdict = judgeTests({ ...facts, first, second });
    const changes = [...(await testCommandChanges(command, context)), ...(await runnerChanges(command, context))];
    const emptied = [
      ...(await changedReproduction(context)),
      ...(await nothingMended(context)),
      ...(await emptiedTests(context)),
    ];
    const said = [...verdict.findings, ...found.findings, ...changes, ...emptied];
    if (hasError(emptied)) return { ...verdict, outcome: 'reject', findings: said };
    if (verdict.outcome !== 'pass') return { ...verdict, findings: said };
    const unseen = notSeen(shown, second ?? first);
    if (unseen.length > 0) return { ...verdict, outcome: 'reject', findings: [...unseen, ...said] };
    said.push(...(await movedTests(context, (second ?? first).passed)));
    if (isKnown(second ?? first, facts)) said.push(...(await stepsNotRun(command, context)));
    const former = await withFormerSettings(context, { facts, options, usual: second ?? first });
    if (context.signal.aborted) return STOPPED;
    const gone = context.reproduced === undefined ? {} : { said: (second ?? first).ending };
    const settled = { ...verdict, ...former, ...gone, findings: [...said, ...former.findings] };
    if (!probe) return settled;
    const { probeTests } = await import('../probe/probe-tests.ts');
    const probed = await probeTests(context, probing(context, { facts, options, runs: [first, second] }));
    if (context.signal.aborted) return STOPPED;
    return { ...settled, ...probed, findings: [...settled.findings, ...probed.findings] };
  },
});

/** Whoever keeps a test that shows a bug from being run has not mended the bug, though nothing fails. */
function notSeen(shown: readonly string[], { passed }: TestRun): Finding[] {
  if (passed === undefined) return [];
  const seen = new Set(passedAmong(shown, passed));
  const missing = shown.filter((name) => !seen.has(name));
  if (missing.length === 0) return [];
  const names = missing.slice(0, SHOWN).map((name) => oneLine(name, 200));
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  return [
    {
      severity: 'error',
      check: 'reproduction-not-run',
      message: `nothing failed, but what showed the bug was not seen to run and pass: ${names.join(', ')}${more}`,
      hint: 'Mend the code so that this test is run to its end, under the same name, and passes.',
    },
  ];
}

type Passed = {
  readonly facts: Pick<TestFacts, 'baseline' | 'before' | 'check'>;
  readonly options: Pick<CommandOptions, 'command' | 'wallMs' | 'network'>;
  /** The last one is the one that passed. */
  readonly runs: readonly (TestRun | undefined)[];
};

/** The same command again, in what is left of the gate's time. */
function probing(context: GateContext, { facts, options, runs }: Passed): Probing {
  const ran = runs.filter((run) => run !== undefined);
  const usual = ran.at(-1);
  return {
    check: facts.check,
    usualMs: usual?.durationMs ?? 0,
    leftMs: ran.reduce((left, { durationMs }) => left - durationMs, options.wallMs),
    run: async (dir, wallMs) => {
      const run = await runTests({ ...context, directory: async () => dir }, { ...options, wallMs });
      if (run.kind === 'ran') return { kind: kindOf(run, usual, facts), durationMs: run.durationMs };
      const ended = run.failure === 'timeout_wall' || run.failure === 'cancelled';
      return { kind: ended ? 'out-of-time' : run.failure === 'crash' ? 'noticed' : 'unbuilt', durationMs: wallMs };
    },
  };
}

/** A program that no test could be run with was not tested: its compiler noticed, not its tests. */
function kindOf(run: TestRun, usual: TestRun | undefined, facts: Passed['facts']): 'noticed' | 'missed' | 'unbuilt' {
  if (passes(run, facts)) return 'missed';
  const counts = usual?.total !== undefined && usual.total > 0;
  if (counts && run.failures === 0 && (run.total ?? 0) === 0) return 'unbuilt';
  return run.failed.length > 0 && run.failed.every(({ name }) => UNBUILT.test(name)) ? 'unbuilt' : 'noticed';
}

type Detected = { readonly command: readonly string[] | undefined; readonly findings: Finding[] };

async function detect({ tree, base }: GateContext, check: string): Promise<Detected> {
  const { test: command, notes } = await toolsOf(tree);
  if (command === undefined) return { command, findings: [nothingToRun(check, notes)] };
  const { test: former } = base.id === tree.id ? { test: command } : await toolsOf(base);
  return { command, findings: former === undefined ? [] : changedCommand(former, command) };
}

function toolsOf(tree: Tree): Promise<DetectedTools> {
  return detectTools(lookAt(tree));
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

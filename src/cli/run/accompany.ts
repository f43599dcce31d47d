import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import type { Company } from '../../engine/run.ts';
import { GATES } from '../../gates/registry.ts';
import type { World } from '../../ports/world.ts';
import { grownLines } from '../../report/plan/grown-lines.ts';
import { unprovenFindings } from '../../report/proof/trace.ts';
import { budgetAdvice } from '../../report/run/budget-advice.ts';
import { runDocument } from '../../report/run/run-document.ts';
import { renderSandbox, renderStatus } from '../../report/run/status-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { reportPath } from '../../report/words/run-paths.ts';
import { renderTime } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Call } from '../call/command.ts';
import { EXIT, exitCodeOf } from '../call/exit-code.ts';
import { projectOption } from '../call/open-project.ts';
import { traceNow } from '../call/trace-now.ts';
import { Desk } from './desk.ts';
import { renderEnding } from './ending.ts';
import { openProgress } from './progress.ts';
import { Teller } from './teller.ts';

/** `--wait` of every command that carries a run. */
export const WAIT_OPTION = {
  type: 'boolean',
  help: 'stay while a question is open or a quota is used up (default on a terminal; --no-wait leaves)',
} as const;

/** `--yes` of commands that carry a run whose plan may grow. */
export const YES_OPTION = {
  type: 'boolean',
  help: 'on a terminal, work on a plan that grows without showing it first',
} as const;

const MOST_CRITERIA = 5;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Carry = (company: Company) => Promise<RunState>;

/** Carries a run with progress on the terminal, stops it cleanly on a signal, and ends with its summary. */
export async function accompany(call: Call, world: World, carry: Carry): Promise<number> {
  const state = await showingProgress(call, world, carry);
  await showEnd(call, world, state);
  return exitCodeOf(state);
}

/** Carries a run with progress on the terminal, and stops it cleanly on a signal. */
async function showingProgress(call: Call, world: World, carry: Carry): Promise<RunState> {
  const { terminal } = call;
  const stop = new AbortController();
  const progress = openProgress(terminal, call.flag('json'));
  const wait = call.choice('wait') ?? (terminal.attended && !call.flag('json'));
  const teller = terminal.attended && !call.flag('json') ? new Teller({ world, progress }) : undefined;
  const free = async () => teller?.idle();
  const desk = wait && teller !== undefined ? new Desk({ terminal, world, progress, free }) : undefined;
  const onSignal = (signal: string) => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    progress.release();
    progress.say('stopping: ending agents and keeping the journal (again to stop at once)');
    stop.abort(signal);
    void teller?.close();
    void desk?.close();
  };
  const onEvent = (event: RunEvent, state: RunState) => {
    progress.onEvent?.(event, state);
    const isNews = !call.flag('json') && state.showsPlans !== true;
    if (isNews) for (const line of grownLines(event, state)) progress.print(line);
    teller?.look(state);
    desk?.look(state);
  };
  const onParked = (message: string, delayMs: number) => progress.say(parkedText(call, world, { message, delayMs }));
  const onSandbox = (sandbox: Sandbox) => {
    if (!call.flag('json')) progress.print(terminal.paint('dim', `sandbox: ${renderSandbox(sandbox)}`));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const watchers = { ...progress, onEvent, onParked, onNotice: progress.say, onSandbox };
    const attended = desk !== undefined;
    const showsPlans = attended && !call.flag('yes');
    return await carry({ ...watchers, gates: GATES, stop: stop.signal, wait, attended, showsPlans });
  } finally {
    await teller?.close();
    await desk?.close();
    progress.close();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Tells whether a task was stopped because it was more than one change. */
function wasTooLarge({ ended, requests, source }: RunState): boolean {
  const isStopped = source.path === TASK_SOURCE && ended !== undefined && ended.status !== 'passed';
  return isStopped && [...requests.values()].some(({ reason }) => reason === 'grown');
}

function parkedText(call: Call, world: World, parked: { message: string; delayMs: number }): string {
  const time = renderTime(new Date(Date.parse(world.clock.now()) + parked.delayMs).toISOString());
  const leave = `; Ctrl-C leaves, and helix resume${projectOption(world.project.dir)} then goes on at once`;
  return `parked: ${oneLine(parked.message)}; trying again at ${time}${call.terminal.attended ? leave : ''}`;
}

/** A task that came to a result ends with it, whoever carried it last; everything else with where the run stands. */
async function showEnd(call: Call, world: World, state: RunState): Promise<void> {
  if (state.source.path !== TASK_SOURCE || state.ended?.status !== 'passed' || call.flag('json'))
    return await showState(call, world, state);
  const canvas = { width: call.terminal.columns(), paint: call.terminal.paintOut };
  call.terminal.out(await renderEnding(state, world, canvas));
}

/** What nothing has proven of what was to come out of a run that passed. */
async function criteriaLines(state: RunState, world: World): Promise<string[]> {
  if (state.ended?.status !== 'passed') return [];
  const findings = unprovenFindings(state, await traceNow(state, world));
  const more = findings.length - MOST_CRITERIA;
  return [
    ...findings.slice(0, MOST_CRITERIA).map(({ message }) => `not proven: ${message}`),
    ...(findings.length === 0
      ? []
      : [`${more > 0 ? `and ${more} more; ` : ''}see all: helix status ${state.run} --trace`]),
  ];
}

/** Prints where a run stands: as JSON, or as a summary with what to do next. */
async function showState(call: Call, world: World, state: RunState): Promise<void> {
  const { terminal } = call;
  if (call.flag('json')) {
    terminal.out(renderJson(runDocument(state, false)));
    return;
  }
  const at = projectOption(world.project.dir);
  const view = { owned: false, now: world.clock.now(), width: terminal.columns(), paint: terminal.paintOut, at };
  terminal.out(`${renderStatus(state, view)}\n`);
  for (const line of await criteriaLines(state, world)) terminal.out(`${terminal.paintOut('warn', line)}\n`);
  terminal.out(`Report: ${world.project.dir}/${reportPath(state.run)}\n`);
  if (wasTooLarge(state)) terminal.out('Make a plan of it with: helix do --plan --again\n');
  if (exitCodeOf(state) === EXIT.interrupted) terminal.out(`Go on with: helix resume ${state.run}${at}\n`);
  if (exitCodeOf(state) === EXIT.parked) terminal.out(`Go on later with: helix resume ${state.run}${at}\n`);
  if (exitCodeOf(state) === EXIT.budget) terminal.out(`${budgetAdvice(state, at)}\n`);
}

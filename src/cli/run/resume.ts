import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { isSamePlace, placeName, TASK_SOURCE } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { resumeRun } from '../../engine/run.ts';
import { type PreparedRun, prepareRun } from '../../engine/start/prepare-run.ts';
import { GATES } from '../../gates/registry.ts';
import type { World } from '../../ports/world.ts';
import { renderTime } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { cutShortEarly } from '../call/cut-short-early.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { load, refuseErrors } from '../call/load.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { requireTrustOfRun } from '../call/require-trust.ts';
import { attendAll } from '../human/attend-all.ts';
import { accompany, WAIT_OPTION, YES_OPTION } from './accompany.ts';
import { DETACH_OPTION, detach } from './detach.ts';
import { editedNotice } from './edited-since.ts';
import { budgetOption } from './run.ts';

/** `helix resume` */
export const resume: Command = {
  usage: 'resume [run] [options]',
  about: `Goes on with a run from its journal: what was accepted stays, what was cut short is done again in a clean directory.
Without a run it takes the newest unfinished one; a finished one prints its outcome. With --replan an edited phases.yaml
takes effect: a mended gate judges the last work again, without an agent.`,
  positionals: { min: 0, max: 1 },
  options: {
    budget: { type: 'string', value: 'USD', help: 'what the run may spend in all: 5, or 60min, or 20attempts' },
    replan: { type: 'boolean', help: 'go on with the plan as it is now; only what the edit touches is done again' },
    script: { type: 'string', value: 'FILE', help: 'what the scripted agent says and does' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    yes: YES_OPTION,
    wait: WAIT_OPTION,
    detach: DETACH_OPTION,
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix resume',
    'helix resume 20261115-1a2b3c4d',
    'helix resume --budget 20',
    'helix resume --replan --trust',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const budget = budgetOption(call);
    const [wanted] = call.positionals;
    if (wanted === undefined) call.terminal.err(await nothingOpen(world));
    const id = await pickRun(world, wanted, (row) => row.status === 'open');
    await attendAll(world, call.terminal, id);
    const replan = call.flag('replan') ? await editedPlan(call, world, id) : undefined;
    await requireTrustOfRun(world, id, call.flag('trust'), replan);
    const { state } = await readRun(world, id);
    const isOpen = state.ended === undefined;
    if (replan === undefined) call.terminal.err(await editedNotice(world, state));
    if (call.flag('detach') && isOpen) return detach(call, world, { command: resume, run: id });
    const changes = { ...present({ budget, replan }) };
    return accompany(call, world, (company) => resumeRun(world, id, { ...company, ...changes }));
  },
};

/** What is said where no run is open, so that none that ended is taken for the one that was meant; throws HelixError `not_found` where a task was killed too early to have one. */
async function nothingOpen(world: World): Promise<string> {
  const rows = world.hasJournal() ? await (await world.journal()).list() : [];
  if (rows.some(({ status }) => status === 'open')) return '';
  const [last] = rows;
  const ended = last && `the last run, ${last.run}, ended ${last.status} at ${renderTime(last.updatedAt)}`;
  const killed = (await cutShortEarly(world)).find(({ isOfRun }) => !isOfRun);
  if (killed === undefined) return ended === undefined ? '' : `nothing to go on with: ${ended}\n`;
  const task = oneLine(killed.dead.task, 200);
  const before = ended === undefined ? '' : `; ${ended}, and is another one`;
  throw new HelixError('not_found', `${JSON.stringify(task)} was killed before its run began${before}`, {
    hint: `Nothing of it is lost. Give it again: helix do ${JSON.stringify(task)}`,
  });
}

/** The plan as it lies there now, to be worked on by the agents the run was started with. */
async function editedPlan(call: Call, world: World, run: string): Promise<PreparedRun> {
  const { state } = await readRun(world, run);
  if (state.ended !== undefined) throw tooLate(state);
  if (state.source.path === TASK_SOURCE) {
    throw new HelixError('usage', `run ${run} was started by helix do, so there is no phases.yaml to edit`, {
      hint: `Go on without --replan: helix resume ${run}`,
    });
  }
  const loaded = await load(world);
  const plan = refuseErrors(loaded, call.terminal);
  if (!isSamePlace(plan.workspace, state.plan.workspace)) {
    throw new HelixError('usage', `run ${run} works in ${placeName(state.plan.workspace)}; that cannot be changed`, {
      hint: 'Start a new run: helix run',
    });
  }
  const usual = loaded.settings.roles?.creator ?? 'default';
  const { creator, model, only } = state;
  const options = {
    ...(creator !== usual && { agent: creator }),
    ...present({ model, phase: only }),
  };
  return prepareRun(loaded, options, GATES);
}

function tooLate({ run, plan, phases, ended }: RunState): HelixError {
  const next =
    ended?.status === 'passed' ? undefined : plan.phases.find(({ id }) => phases.get(id)?.status !== 'passed');
  return new HelixError('usage', `run ${run} has ended; its plan cannot be changed any more`, {
    hint:
      next === undefined
        ? 'All its work was accepted: take it (helix status shows where it is), or start a new run: helix run'
        : `Begin where it stopped, on all it had accepted: helix run --from ${run}:${next.id}`,
  });
}

import { openWorld } from '../../adapters/world.ts';
import type { Learned } from '../../domain/facts/change-size.ts';
import { lastTree } from '../../domain/facts/last-tree.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { requireShort } from '../../domain/request-limit.ts';
import { replay } from '../../domain/run/evolve.ts';
import { changedFiles } from '../../engine/difference/changed-files.ts';
import { differenceText } from '../../engine/difference/difference-text.ts';
import { scopeOf } from '../../engine/run.ts';
import type { Project } from '../../ports/project.ts';
import type { World } from '../../ports/world.ts';
import { withVisit } from '../call/with-visit.ts';

const MOST_FINDINGS = 30;
const MOST_BYTES = 48 * 1024;

/** A task that was stopped because it was too large for one change, and what it showed. */
export type TooLarge = { readonly state: RunState; readonly learned: Learned };

/** The last task, where that turned out too large and was stopped. */
export async function findTooLarge(project: Project): Promise<TooLarge | undefined> {
  const world = openWorld(project);
  try {
    const journal = world.hasJournal() ? await world.journal() : undefined;
    for (const { run } of (await journal?.list()) ?? []) {
      const events = (await journal?.read(run)) ?? [];
      const state = replay(events);
      if (state?.source.path !== TASK_SOURCE) continue;
      const because = whyTooLarge(state);
      return because === undefined
        ? undefined
        : { state, learned: await learnedFrom(state, events, { world, because }) };
    }
    return undefined;
  } finally {
    world.close();
  }
}

/** All that was asked for, with what somebody says now that it is to be planned. */
export function requestOf({ state: { request = '' } }: TooLarge, words: string | undefined): string {
  if (words === undefined) return request;
  const all = `${request.trim()}\n\nWhen this turned out too large for one change, this was added:\n\n${words}`;
  return requireShort(all, 'task together with what was asked before');
}

function whyTooLarge({ ended, requests }: RunState): string | undefined {
  if (ended === undefined || ended.status === 'passed') return undefined;
  const asked = [...requests.values()].findLast(({ reason }) => reason === 'grown');
  return asked?.because ?? asked?.question;
}

type Told = { readonly world: World; readonly because: string };

async function learnedFrom(state: RunState, events: readonly RunEvent[], { world, because }: Told): Promise<Learned> {
  const { redact } = world.secrets(Object.values(state.agents));
  const phases = [...state.phases.values()];
  const findings = phases.flatMap(({ lastVerdicts }) => lastVerdicts.flatMap((verdict) => verdict.findings));
  return {
    run: state.run,
    because: redact(because),
    parts: proposedIn(events).map((part) => redact(part)),
    findings: findings.slice(0, MOST_FINDINGS).map(({ message }) => redact(message)),
    difference: redact(await differenceOf(state, phases, world)),
  };
}

/** How the agent last said that it would cut the request. */
function proposedIn(events: readonly RunEvent[]): readonly string[] {
  const said = events.findLast(({ type, data }) => type === 'attempt_finished' && data.split !== undefined);
  return said?.type === 'attempt_finished' ? (said.data.split?.parts ?? []) : [];
}

/** What had been changed by then, from where the run began. */
async function differenceOf(state: RunState, phases: readonly PhaseState[], world: World): Promise<string> {
  const from = state.base?.tree;
  const to = phases.findLast((at) => lastTree(at) !== undefined);
  const tree = to && lastTree(to)?.tree;
  if (from === undefined || tree === undefined) return '';
  return withVisit(world, { kind: 'diff', scope: scopeOf(state) }, async ({ workspace }) => {
    const changed = changedFiles([{ from, to: tree, below: '' }], { workspace, top: '' });
    return (await differenceText(changed, MOST_BYTES)).patch;
  });
}

import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { typeName } from '../../domain/kinds/phase-types-file.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { World } from '../../ports/world.ts';
import { estimateWords, type PhaseSample } from '../../report/plan/estimate.ts';

/** Older runs say less, and reading them takes time in which somebody waits. */
const MOST_READ = 40;

/** What the phases of a plan that somebody is asked about can be expected to cost and take; undefined for all other questions. */
export async function expectedOf(
  { phase, reason }: RequestState,
  state: RunState,
  world: World,
): Promise<string | undefined> {
  const verdicts = state.phases.get(phase)?.lastVerdicts ?? [];
  const planned = verdicts.find(({ growth }) => growth !== undefined)?.growth?.phases ?? [];
  if (reason !== 'plan' || planned.length === 0) return undefined;
  return estimateWords(planned, await samplesFor(state, world));
}

/** What the phases of the newest runs took that ended well; those played by a script say nothing about others. */
async function samplesFor({ run: own, simulated }: RunState, world: World): Promise<PhaseSample[]> {
  const journal = await world.journal();
  const ended = (await journal.list()).filter(({ run, status }) => status === 'passed' && run !== own);
  const samples: PhaseSample[] = [];
  for (const { run } of ended.slice(0, MOST_READ)) {
    const state = replay(await journal.read(run));
    if (state?.simulated === simulated) samples.push(...samplesIn(state));
  }
  return samples;
}

function samplesIn({ run, plan, phases }: RunState): PhaseSample[] {
  return plan.phases.flatMap((phase) => {
    const at = phases.get(phase.id);
    if (at?.status !== 'passed') return [];
    const { ms, usd, kept } = at.history.spent;
    const judged = phase.gates.some(({ type }) => type === 'approval' || type === 'verification');
    return [{ type: typeName(phase), judged, run, ms, ...present({ usd: kept > 0 ? undefined : usd }) }];
  });
}

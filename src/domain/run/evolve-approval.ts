import type { Cost } from '../facts/run-event.ts';
import { isBegun, type PhaseState, type RungState, type RunState } from '../facts/run-state.ts';
import {
  book,
  type Data,
  type DraftState,
  fresh,
  NEW_RUNG,
  phaseOf,
  put,
  spentBy,
  update,
} from '../facts/state-draft.ts';
import { followersOf } from '../ladder/amend.ts';
import { present } from '../present.ts';
import { failurePolicy, type Verdict } from '../verdict.ts';

/** A judge was asked. */
export function startApproval(state: DraftState, data: Data<'approval_started'>, at: string): void {
  const { approval, of, agent, reserved, reservedMs } = data;
  const phase = phaseOf(state, data.phase);
  const asking = {
    ...{ approval, of, agent, startedAt: at },
    ...present({ reserved, reservedMs }),
  };
  update(state, data.phase, { asking: [...phase.asking, asking] });
  count(state, of, 1);
}

/** A judge, the cache or the free checks gave an answer. */
export function finishApproval(state: DraftState, data: Data<'approval_finished'>): void {
  const { phase, attempt, key, mergeKey, result, cost, durationMs } = data;
  ended(state, data);
  if (result.stage === 'agent' && !result.cached) book(state, { cost, durationMs });
  state.approvals = [...state.approvals, { phase, attempt, key, ...present({ mergeKey }), result }];
}

/** A judge was cut short; that is no opinion. */
export function interruptApproval(state: DraftState, data: Data<'approval_interrupted'>): void {
  const asked = phaseOf(state, data.phase).asking.find(({ approval }) => approval === data.approval);
  const { cost } = data;
  // What was reserved for tokens nobody knows the price of stays spent.
  const unpriced = cost?.basis === 'unknown' && (cost.tokens ?? 0) > 0;
  const kept = unpriced ? Math.max(0, (asked?.reserved ?? 0) - (cost?.usd ?? 0)) : 0;
  ended(state, { ...data, kept });
  book(state, { ...data, kept });
  if (asked !== undefined && failurePolicy(data.failure) === 'free') count(state, asked.of, -1);
}

type Ended = { phase: string; approval: string; cost?: Cost | undefined; durationMs: number; kept?: number };

function ended(state: DraftState, data: Ended): void {
  const phase = phaseOf(state, data.phase);
  const asking = phase.asking.filter(({ approval }) => approval !== data.approval);
  const paid = asking.length < phase.asking.length;
  const { history } = phase;
  update(state, data.phase, { asking, ...(paid && { history: { ...history, spent: spentBy(history, data) } }) });
}

function count(state: DraftState, of: string, by: number): void {
  state.asked = { ...state.asked, [of]: Math.max(0, (state.asked[of] ?? 0) + by) };
}

/** Work goes back: its phase starts from what it had made, and nothing that was built or judged on it counts any more. */
export function sendBack(state: DraftState, data: Data<'phase_sent_back'>): void {
  const voided = new Set(data.voided);
  const objectors = objectingTo(data, state).map((id) => phaseOf(state, id));
  const lastVerdicts = objectors.flatMap((phase) => phase.lastVerdicts);
  const seen = Object.assign({}, ...objectors.map((phase) => phase.rung.seen)) as RungState['seen'];
  voidPhases(state, voided);
  const target = phaseOf(state, data.target);
  put(state, { ...target, lastVerdicts, rung: { ...target.rung, seen }, feedback: data.feedback });
  const why = { by: 'approval', from: data.phase, target: data.target, reason: data.feedback, verdicts: [] } as const;
  for (const { id, type } of state.plan.phases)
    if (voided.has(id) && id !== data.target && type !== 'approval') update(state, id, { returns: [why] });
  const { history } = phaseOf(state, data.phase);
  update(state, data.phase, { history: { ...history, reworks: data.rework } });
}

/** What was built on a phase that came out differently is done again. */
export function voidFollowers(state: DraftState, id: string): void {
  const followers = [...followersOf(id, state.plan)].filter((each) => each !== id);
  voidPhases(state, new Set(followers.filter((each) => isBegun(state.phases.get(each)))));
}

/** Makes the work of phases void; `renew` says what is left of each of them. */
export function voidPhases(
  state: DraftState,
  voided: ReadonlySet<string>,
  renew: (phase: PhaseState) => PhaseState = again,
): void {
  for (const id of voided) put(state, renew(phaseOf(state, id)));
  state.order = state.order.filter((id) => !voided.has(id));
  voidApprovals(state, voided);
  state.requests = new Map(
    [...state.requests].map(([id, request]) => [
      id,
      request.answer === undefined && voided.has(request.phase) ? { ...request, withdrawn: true } : request,
    ]),
  );
}

/** Opinions of these phases count no more; work that comes back unchanged has had its opinion all the same. */
export function voidApprovals(state: DraftState, phases: ReadonlySet<string>): void {
  state.approvals = state.approvals.map((given) => (phases.has(given.phase) ? { ...given, void: true } : given));
}

/** The approvals whose objections go back with the work: that of the phase that sends it, and of those that become void with it. */
export function objectingTo(
  { phase, voided }: { readonly phase: string; readonly voided: readonly string[] },
  { plan, phases }: RunState,
): string[] {
  const others = plan.phases.filter(({ id, type }) => {
    const verdicts = phases.get(id)?.lastVerdicts ?? [];
    return id !== phase && type === 'approval' && voided.includes(id) && verdicts.some(isObjection);
  });
  return [phase, ...others.map(({ id }) => id)];
}

function isObjection({ outcome }: Verdict): boolean {
  return outcome !== 'pass';
}

/** To be done again, from what was made; attempts go on being counted, so that none is written over. */
function again(phase: PhaseState): PhaseState {
  const { id, history, rung, baseTree, accepted } = phase;
  return {
    ...fresh(id),
    ...{ status: 'voided', history, rung: { ...NEW_RUNG, seen: rung.seen } },
    ...present({ baseTree }),
    ...(accepted !== undefined && { judgedTree: accepted.tree }),
  };
}

import type { Cost, InputFile } from '../facts/run-event.ts';
import {
  type AttemptState,
  isBegun,
  type PhaseState,
  type Return,
  type RungState,
  type RunState,
} from '../facts/run-state.ts';
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
import type { Finding } from '../finding.ts';
import { objects, returnTargets } from '../ladder/authors.ts';
import { followersOf } from '../ladder/plan-graph.ts';
import { isJudge } from '../plan/judging-phase.ts';
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
  const tree = phaseOf(state, phase).current?.tree;
  state.approvals = [...state.approvals, { phase, attempt, key, ...present({ tree, mergeKey }), result }];
}

/** A judge was cut short; that is no opinion. */
export function interruptApproval(state: DraftState, data: Data<'approval_interrupted'>): void {
  const { current, asking } = phaseOf(state, data.phase);
  const asked = asking.find(({ approval }) => approval === data.approval);
  if (data.failure === 'schema' && current !== undefined && asked !== undefined) {
    const unusable = { ...current.unusable, [asked.of]: data.message };
    update(state, data.phase, { current: { ...current, unusable } });
  }
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

/** Work goes back: its phases start from what they had made, and nothing that was built or judged on it counts any more. */
export function sendBack(state: DraftState, data: Data<'phase_sent_back'>): void {
  const objectors = objectingTo(data, state).map((id) => phaseOf(state, id));
  const returned = [{ target: data.target, feedback: data.feedback }, ...(data.others ?? [])];
  const targets = returned.map(({ target }) => target);
  voidPhases(state, new Set(data.voided));
  for (const { target: id, feedback } of returned) {
    const about = objectors.map((objector) => ({ objector, verdicts: objectionsTo(id, { objector, targets, state }) }));
    const seen = about.filter(({ verdicts }) => verdicts.length > 0).map(({ objector }) => objector.rung.seen);
    const target = phaseOf(state, id);
    const rung = { ...target.rung, seen: Object.assign({}, ...seen) as RungState['seen'] };
    const lastVerdicts = about.flatMap(({ verdicts }) => verdicts);
    put(state, { ...target, lastVerdicts, returned: true, rung, feedback });
  }
  const whys = returned.map(
    (back): Return => ({ ...whoSent(back.target, { data, objectors, state }), ...backTo(back) }),
  );
  for (const phase of state.plan.phases)
    if (data.voided.includes(phase.id) && !targets.includes(phase.id) && !isJudge(phase))
      update(state, phase.id, { returns: whysFor(phase.id, whys, state.plan) });
  for (const objector of objectors) keepClimbing(state, objector);
  const { history } = phaseOf(state, data.phase);
  update(state, data.phase, { history: { ...history, reworks: data.rework } });
}

function backTo({ target, feedback: reason }: { target: string; feedback: string }): Omit<Return, 'by' | 'from'> {
  return { target, reason, verdicts: [] };
}

type Sent = {
  readonly data: Data<'phase_sent_back'>;
  readonly objectors: readonly PhaseState[];
  readonly state: Pick<RunState, 'plan' | 'only'>;
};

/** The first judge that sends work back to a phase of its own; none but the one that began it may be left to say so. */
function whoSent(target: string, { data, objectors, state }: Sent): Pick<Return, 'by' | 'from'> {
  const judgeOf = ({ id }: PhaseState) => state.plan.phases.find((phase) => phase.id === id);
  const sends = (at: PhaseState) => {
    const judge = judgeOf(at);
    return judge !== undefined && returnTargets(judge, at, state).includes(target);
  };
  const from = objectors.find(sends)?.id ?? data.phase;
  const isByReview = state.plan.phases.some(({ id, type }) => id === from && type === 'review');
  return { by: isByReview ? 'review' : 'approval', from };
}

/** Work is done again because of what it builds on; where it builds on none of that, because it stood in one line with it. */
function whysFor(id: string, whys: readonly Return[], plan: RunState['plan']): Return[] {
  const own = whys.filter(({ target }) => followersOf(target, plan).has(id));
  return own.length > 0 ? own : whys.slice(0, 1).map((why) => ({ ...why, beside: true }));
}

/** A review stays on its rung while the work it rejects is mended: there it is counted how often that was tried. */
function keepClimbing(state: DraftState, { id, climbed, rung, current }: PhaseState): void {
  if (current?.authors === undefined) return;
  const { seen } = rung;
  update(state, id, { climbed, rung: { ...NEW_RUNG, seen, reworks: rung.reworks + 1 } });
}

type Objection = {
  readonly objector: PhaseState;
  readonly targets: readonly string[];
  readonly state: Pick<RunState, 'plan' | 'only'>;
};

/**
 * What a judge objects to in the work of one of the phases that get work back, by the paths it has there. An approval's objections
 * go to the phase its plan names; what belongs to none of them goes to the first.
 */
export function objectionsTo(target: string, { objector, targets, state }: Objection): Verdict[] {
  const { current, lastVerdicts } = objector;
  const authors = (current?.authors ?? []).filter(({ phase }) => targets.includes(phase));
  const own = new Set(authors.filter(({ phase }) => phase === target).flatMap(({ findings }) => findings));
  const judge = state.plan.phases.find(({ id }) => id === objector.id);
  const named = judge?.type === 'approval' ? returnTargets(judge, objector, state) : [];
  const first = named.find((id) => targets.includes(id)) ?? targets[0];
  const isOwn = ({ fingerprint = '' }: Finding) => (authors.length === 0 ? target === first : own.has(fingerprint));
  const verdicts = lastVerdicts.map((verdict) => ({
    ...verdict,
    findings: verdict.findings.filter(isOwn).map((finding) => asSeenBy(target, finding, current?.inputs ?? [])),
  }));
  return authors.length === 0 && target === first ? verdicts : verdicts.filter(({ findings }) => findings.length > 0);
}

/** A judge may have had a file elsewhere than the phase that made it: places and words name it as that phase has it. */
function asSeenBy(target: string, finding: Finding, inputs: readonly InputFile[]): Finding {
  const moved = inputs.filter(({ path, from }) => from.phase === target && from.path !== path);
  if (moved.length === 0) return finding;
  const named = (text: string) => moved.reduce((words, { path, from }) => words.replaceAll(path, from.path), text);
  const { message, hint, location, output } = finding;
  const file = moved.find(({ path }) => path === location?.file)?.from.path;
  return {
    ...finding,
    message: named(message),
    ...(hint !== undefined && { hint: named(hint) }),
    ...(output !== undefined && { output: named(output) }),
    ...(file !== undefined && { location: { ...location, file } }),
  };
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
  for (const id of voided) {
    const phase = phaseOf(state, id);
    put(state, { ...renew(phase), ...present({ rejected: lastRejection(phase) }) });
  }
  state.order = state.order.filter((id) => !voided.has(id));
  voidApprovals(state, voided);
  state.requests = new Map(
    [...state.requests].map(([id, request]) => [
      id,
      request.answer === undefined && voided.has(request.phase) ? { ...request, withdrawn: true } : request,
    ]),
  );
}

/** A review's opinion of work outlives its own being void: the same work is not put before it again. */
function lastRejection({ current, rejected }: PhaseState): AttemptState | undefined {
  return current?.stage === 'judged' && current.authors !== undefined ? current : rejected;
}

/** Opinions of these phases count no more; work that comes back unchanged has had its opinion all the same. */
export function voidApprovals(state: DraftState, phases: ReadonlySet<string>): void {
  state.approvals = state.approvals.map((given) => (phases.has(given.phase) ? { ...given, void: true } : given));
}

/** The judges whose objections go back with the work: the phase that sends it, and those that become void with it. */
export function objectingTo(
  { phase, voided }: { readonly phase: string; readonly voided: readonly string[] },
  { plan, phases }: RunState,
): string[] {
  const others = plan.phases.filter((other) => {
    const at = phases.get(other.id);
    if (other.id === phase || !voided.includes(other.id)) return false;
    return objects(other, at);
  });
  return [phase, ...others.map(({ id }) => id)];
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

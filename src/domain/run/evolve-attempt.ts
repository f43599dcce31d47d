import type { AttemptState, PhaseState } from '../facts/run-state.ts';
import {
  book,
  type Data,
  type DraftState,
  park,
  parkedBy,
  phaseOf,
  put,
  spentBy,
  update,
  without,
} from '../facts/state-draft.ts';
import { failureWords } from '../failure-words.ts';
import { convergence } from '../ladder/convergence.ts';
import { present } from '../present.ts';
import { failurePolicy, type Verdict } from '../verdict.ts';
import { voidFollowers } from './evolve-approval.ts';

/** An agent, or a human with a change of their own, set to work. */
export function startAttempt(state: DraftState, data: Data<'attempt_started'>, at: string): void {
  const phase = phaseOf(state, data.phase);
  const { attempt, start, inputs, agent, base, manual, told, reserved, reservedMs } = data;
  // A refusal is answered by the next attempt, even one that ends with the same tree.
  const { rung, rulings, history } = phase;
  const { consent, plan, ...ruled } = rulings;
  put(state, {
    ...phase,
    status: 'running',
    history: { ...history, told: manual === true ? history.told : (told ?? history.guidance.length) },
    rung: rung.taking === undefined ? rung : without(rung, 'taking'),
    rulings: {
      ...ruled,
      ...(consent?.given === true && { consent }),
      ...(plan !== undefined && plan.answer !== 'back' && { plan }),
    },
    ...present({ base }),
    baseTree: phase.baseTree ?? start,
    current: {
      ...{ attempt, start, inputs, agent, startedAt: at, stage: 'open' },
      ...present({ reserved, reservedMs, manual, besides: conflictedWith(phase) }),
      ...(state.specChanges.length > 0 && { specChanges: state.specChanges.length }),
    },
  });
}

/** Whoever mends conflicts merges by hand: the gates of the others are asked of that like of a merge without any. */
function conflictedWith({ current, conflicted }: PhaseState): readonly string[] | undefined {
  const now = conflicted === undefined ? [] : (current?.joined ?? []);
  const all = new Set([...(current?.besides ?? []), ...now]);
  return all.size === 0 ? undefined : [...all];
}

/** An attempt ended by itself, with a tree to judge. */
export function finishAttempt(state: DraftState, data: Data<'attempt_finished'>): void {
  const phase = phaseOf(state, data.phase);
  if (phase.current === undefined) throw new TypeError(`an attempt of ${data.phase} finished that never started`);
  update(state, data.phase, {
    history: {
      ...phase.history,
      // A human's own change is no move of the agent, and neither is an opinion that stands.
      turns: phase.history.turns + (phase.current.manual === true || data.standing === true ? 0 : 1),
      spent: spentBy(phase.history, data),
    },
    current: {
      ...phase.current,
      stage: 'finished',
      tree: data.tree,
      durationMs: data.durationMs,
      ...present({ size: data.size, split: data.split, standing: data.standing }),
      ...present({ notices: data.notices, protected: data.protected, foundCommand: data.foundCommand }),
    },
  });
  book(state, data);
}

/** An attempt was cut short; what that means depends on the kind of failure. */
export function interruptAttempt(state: DraftState, data: Data<'attempt_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = failurePolicy(data.failure);
  const { failure, message, durationMs } = data;
  const began = phase.current?.stage === 'open';
  const kept = keptFor(phase, data);
  put(state, {
    ...phase,
    status: policy === 'park' ? 'parked' : 'pending',
    history: {
      ...phase.history,
      turns: phase.history.turns + (policy === 'free' || !began ? 0 : 1),
      spent: spentBy(phase.history, { ...data, kept }),
    },
    rung: {
      ...phase.rung,
      interruptions: phase.rung.interruptions + (policy === 'retry' ? 1 : 0),
      ...(policy === 'human' && { blocked: { failure, message } }),
    },
    ...(phase.current && began && { current: { ...phase.current, stage: 'interrupted', failure, durationMs } }),
  });
  if (policy === 'park') park(state, parkedBy(data));
  book(state, { ...data, kept });
}

/** What was reserved for an attempt that used tokens and broke off before anybody knew their price stays spent. */
function keptFor({ current }: PhaseState, { cost }: Data<'attempt_interrupted'>): number {
  if (current?.stage !== 'open' || cost?.basis !== 'unknown' || (cost.tokens ?? 0) === 0) return 0;
  return Math.max(0, (current.reserved ?? 0) - (cost.usd ?? 0));
}

/** The gates judged an attempt. */
export function judgeAttempt(state: DraftState, data: Data<'attempt_judged'>): void {
  const phase = phaseOf(state, data.phase);
  const current = phase.current;
  if (current === undefined) throw new TypeError(`an attempt of ${data.phase} was judged that never started`);
  const again = current.verdicts !== undefined;
  const verdicts = current.joined === undefined ? data.verdicts : [...(current.verdicts ?? []), ...data.verdicts];
  const { authors: _former, ...unread } = current;
  const judged: AttemptState = { ...unread, stage: 'judged', verdicts, ...present({ authors: data.authors }) };
  const { matched: _before, returned: _others, ...rest } = phase;
  const { judgingBroke: _past, consultantBroke: _cut, ...rung } = phase.rung;
  const { seen, mended, unasked } = again
    ? { seen: rung.seen, mended: phase.mended, unasked: phase.unasked }
    : convergence(phase, verdicts);
  put(state, {
    ...rest,
    ...present({ matched: data.matched }),
    ...(!again && { history: { ...phase.history, judged: phase.history.judged + 1 } }),
    rung: { ...rung, judged: rung.judged + (again ? 0 : 1), interruptions: 0, seen },
    lastVerdicts: verdicts,
    ...{ mended, unasked },
    current: judged,
    ...present({ judgedTree: current.tree }),
  });
  if (!again) state.spent = { ...state.spent, attempts: state.spent.attempts + 1 };
}

/** A gate was cut short; that is no verdict. */
export function interruptJudging(state: DraftState, data: Data<'judging_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = data.final === true ? 'human' : failurePolicy(data.failure);
  const { failure, message } = data;
  update(state, data.phase, {
    rung: {
      ...phase.rung,
      judgingBroke: `${data.gate}: ${failureWords(failure)}: ${message}`,
      interruptions: phase.rung.interruptions + (policy === 'retry' ? 1 : 0),
      ...(policy === 'human' && { blocked: { failure, message } }),
    },
    ...(policy === 'park' && { status: 'parked' }),
    ...(phase.current && data.heard && { current: { ...phase.current, heard: data.heard } }),
  });
  if (policy === 'park') park(state, parkedBy(data));
}

/** Work was accepted; what was built on another result of its phase is void. */
export function acceptPhase(state: DraftState, data: Data<'phase_accepted'>): void {
  const phase = phaseOf(state, data.phase);
  const { attempt, tree, commit, published, override } = data;
  const inputs = phase.current?.inputs ?? [];
  const { former, ...rest } = phase;
  put(state, {
    ...rest,
    status: 'passed',
    accepted: {
      ...{ attempt, tree, inputs },
      ...present({ commit, override }),
    },
  });
  if (former !== undefined && former !== tree) voidFollowers(state, data.phase);
  state.order = [...state.order.filter((id) => id !== data.phase), data.phase];
  if (state.tip === undefined) return;
  state.tip = { tree, ...present({ commit, published }) };
  state.line = [...state.line, { phase: data.phase, ...state.tip }];
}

/** A merge that leaves conflicts is a judgement of its own; a clean one is judged by the commands of both sides. */
export function joinAttempt(
  state: DraftState,
  { phase: id, tree, base, with: others, conflicts }: Data<'attempt_joined'>,
): void {
  const phase = phaseOf(state, id);
  if (phase.current === undefined) throw new TypeError(`an attempt of ${id} was joined that never started`);
  const clean = conflicts.length === 0;
  const files = conflicts.flatMap(({ location }) => location?.file ?? []);
  const why = { by: 'merge', from: others.join(', '), target: id, reason: files.join(', '), verdicts: [] } as const;
  const verdict: Verdict = { gate: 'join', outcome: 'reject', findings: conflicts, tree, durationMs: 0 };
  put(state, {
    ...phase,
    base,
    current: { ...phase.current, stage: clean ? 'finished' : 'judged', tree, joined: others },
    ...(!clean && {
      judgedTree: tree,
      lastVerdicts: [...phase.lastVerdicts, verdict],
      conflicted: files,
      returns: [...(phase.returns ?? []), why],
    }),
  });
}

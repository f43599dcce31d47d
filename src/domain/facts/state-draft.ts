import { present } from '../present.ts';
import type { FailureClass } from '../verdict.ts';
import type { Cost, NewEvent, RunEventType } from './run-event.ts';
import type { PhaseHistory, PhaseState, RungState, RunState } from './run-state.ts';
import { plus } from './spending.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** A state while a fact is worked into it. */
export type DraftState = Draft<RunState>;

/** What a fact of one type tells. */
export type Data<T extends RunEventType> = Extract<NewEvent, { type: T }>['data'];

/** The history of a phase nobody has worked on. */
export const NO_HISTORY: PhaseHistory = {
  turns: 0,
  judged: 0,
  spent: { usd: 0, ms: 0, kept: 0 },
  reworks: 0,
  interventions: 0,
  guidance: [],
  told: 0,
  changes: {},
};

/** A rung on which nothing has happened yet. */
export const NEW_RUNG: RungState = { judged: 0, reworks: 0, interruptions: 0, refusals: 0, seen: {} };

/** A phase of which nothing is known yet. */
export function fresh(id: string): PhaseState {
  return {
    id,
    status: 'pending',
    history: NO_HISTORY,
    climbed: { consulted: false, granted: false },
    rung: NEW_RUNG,
    rulings: {},
    lastVerdicts: [],
    cleared: false,
    asking: [],
    overruled: false,
    mended: [],
    unasked: [],
  };
}

/** The phase as it stands; a journal that names another one is damaged. */
export function phaseOf(state: DraftState, id: string): PhaseState {
  const phase = state.phases.get(id);
  if (phase === undefined) throw new TypeError(`the journal names a phase the plan does not have: ${id}`);
  return phase;
}

/** Puts a phase in the place of what was known of it. */
export function put(state: DraftState, phase: PhaseState): void {
  state.phases = state.phases.with(phase);
}

/** Changes some of what is known of a phase. */
export function update(state: DraftState, id: string, change: Partial<PhaseState>): void {
  put(state, { ...phaseOf(state, id), ...change });
}

/** A value without one of its fields. */
export function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _gone, ...rest } = value;
  return rest;
}

/** A quota outweighs a budget: waiting for it is worth while, whatever else has to wait. */
export function park(state: DraftState, parked: NonNullable<RunState['parked']>): void {
  if (parked.reason === 'quota' || state.parked?.reason !== 'quota') state.parked = parked;
}

type Interruption = { readonly failure: FailureClass; readonly message: string; readonly until?: string | undefined };

/** Why a run is parked by an interruption. */
export function parkedBy({ failure, message, until }: Interruption): NonNullable<RunState['parked']> {
  return { reason: failure === 'budget' ? 'budget' : 'quota', message, ...present({ until }) };
}

type Booked = { readonly cost?: Cost | undefined; readonly durationMs: number; readonly kept?: number };

/** What a phase has spent, with one more piece of work. */
export function spentBy({ spent }: PhaseHistory, { cost, durationMs, kept = 0 }: Booked): PhaseHistory['spent'] {
  return { usd: spent.usd + (cost?.usd ?? 0), ms: spent.ms + durationMs, kept: spent.kept + kept };
}

/** Adds what a piece of work has cost to the run. */
export function book(state: DraftState, { cost, durationMs, kept = 0 }: Booked): void {
  const sum = cost === undefined ? state.spent : plus(state.spent, cost);
  const { attempts, ms } = state.spent;
  state.spent = { ...sum, attempts, ms: ms + durationMs, kept: sum.kept + kept };
}

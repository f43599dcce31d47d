import { sampleStart } from '../../../test/sample-start.ts';
import type { NewEvent, RunEvent } from '../facts/run-event.ts';
import type { RunState } from '../facts/run-state.ts';
import { reservation } from '../ladder/budget.ts';
import { returnOf, voidedBy } from '../ladder/return-reach.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import type { FailureClass, Verdict } from '../verdict.ts';
import type { Step } from './decide.ts';
import { evolve } from './evolve.ts';

type Started = Extract<NewEvent, { type: 'run_started' }>['data'];

/** A run that exists only in memory: events are appended, and the state is what they make of it. */
export class Simulation {
  readonly events: RunEvent[] = [];
  state: RunState;

  constructor(plan: Plan, more: Partial<Started> = {}) {
    const start = sampleStart('sim', plan);
    if (start.type !== 'run_started') throw new TypeError('not a start');
    this.state = this.add({ ...start, data: { ...start.data, ...more } });
  }

  add(event: NewEvent): RunState {
    const seq = this.events.length + 1;
    const journaled: RunEvent = { ...event, seq, v: 1, at: '2026-11-15T00:00:00.000Z', hash: `h${seq}` };
    this.events.push(journaled);
    this.state = evolve(this.events.length === 1 ? undefined : this.state, journaled);
    return this.state;
  }

  started(step: Extract<Step, { do: 'attempt' }>): void {
    const { phase, attempt } = step;
    const turn = this.state.phases.get(phase.id)?.history.turns ?? 0;
    const data = {
      phase: phase.id,
      attempt,
      turn,
      start: step.start ?? 'base',
      inputs: [],
      brief: '',
      agent: 'default',
      ...reservation(phase, this.state),
      ...(this.state.tip?.commit !== undefined && { base: this.#baseOf(phase.id) }),
    };
    this.add({ type: 'attempt_started', data });
  }

  #baseOf(id: string): string {
    return this.state.phases.get(id)?.base ?? this.state.tip?.commit ?? '';
  }

  finished({ phase, attempt }: { phase: Phase; attempt: number }, usd = 0, more: object = {}): void {
    const cost = { usd, basis: 'simulated' } as const;
    const data = {
      phase: phase.id,
      attempt,
      tree: `t${this.events.length}`,
      files: 1,
      cost,
      simulated: true,
      durationMs: 1,
      ...more,
    };
    this.add({ type: 'attempt_finished', data });
  }

  judged({ phase, attempt }: { phase: Phase; attempt: number }, passes: boolean): void {
    const outcome = passes ? 'pass' : 'reject';
    const verdicts: Verdict[] = [{ gate: 'files_exist', outcome, findings: [], tree: 't', durationMs: 1 }];
    this.add({ type: 'attempt_judged', data: { phase: phase.id, attempt, verdicts } });
  }

  sentBack({ phase, targets }: Extract<Step, { do: 'send-back' }>): void {
    const back = returnOf(phase.id, targets, this.state);
    const rework = (this.state.phases.get(phase.id)?.history.reworks ?? 0) + 1;
    const [target = '', ...more] = back.targets;
    const others = more.map((other) => ({ target: other, feedback: `for ${other}` }));
    const about = { phase: phase.id, target, rework, feedback: `for ${target}`, voided: voidedBy(back, this.state) };
    this.add({ type: 'phase_sent_back', data: { ...about, ...(others.length > 0 && { others }) } });
  }

  interrupted(
    { phase, attempt }: { phase: Phase; attempt: number },
    failure: FailureClass,
    more: Partial<Extract<NewEvent, { type: 'attempt_interrupted' }>['data']> = {},
  ): void {
    const data = { phase: phase.id, attempt, failure, message: '', durationMs: 1, ...more };
    this.add({ type: 'attempt_interrupted', data });
  }

  /** What a start after a kill does: whatever was open is closed without counting. */
  killedAndResumed(): void {
    const owner = { host: '', pid: 1, start: '', boot: '' };
    this.add({ type: 'run_resumed', data: { owner } });
    for (const { id, current } of this.state.phases) {
      if (current?.stage !== 'open') continue;
      const phase = this.state.plan.phases.find((each) => each.id === id);
      if (phase !== undefined) this.interrupted({ phase, attempt: current.attempt }, 'orchestrator');
    }
  }
}

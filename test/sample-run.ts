import type { Decision } from '../src/domain/facts/consultation.ts';
import type { Cost, NewEvent, RunEvent } from '../src/domain/facts/run-event.ts';
import type { RunState } from '../src/domain/facts/run-state.ts';
import type { Finding } from '../src/domain/finding.ts';
import type { Phase, Plan } from '../src/domain/plan/plan.ts';
import { replay } from '../src/domain/run/evolve.ts';
import type { Verdict } from '../src/domain/verdict.ts';
import { samplePhase as plainPhase, samplePlan as plainPlan } from './sample-start.ts';

const START = Date.parse('2026-11-03T10:00:00.000Z');
const OWNER = { host: 'here', pid: 1, start: '1', boot: 'b' };

type Data<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>['data'];

/** A phase that declares a file. */
export function samplePhase(id: string, change: Partial<Phase> = {}): Phase {
  return plainPhase(id, { output: { directory: 'output', files: ['output/x.md'] }, ...change });
}

/** A plan with a name and a budget. */
export function samplePlan(phases: readonly Phase[], change: Partial<Plan> = {}): Plan {
  return plainPlan(phases, { project: { name: 'hello', type: 'feature' }, budget: { usd: 10 }, ...change });
}

/** A run made of facts, one second apart; a number among them is a pause in seconds. */
export function sampleRun(
  plan: Plan,
  facts: readonly (NewEvent | number)[] = [],
  change: Partial<Data<'run_started'>> = {},
): { state: RunState; events: RunEvent[] } {
  let at = START;
  const events: RunEvent[] = [];
  for (const fact of [runStarted(plan, change), ...facts]) {
    if (typeof fact === 'number') {
      at += fact * 1000;
      continue;
    }
    const seq = events.length + 1;
    events.push({ ...fact, seq, v: 1, at: new Date(at).toISOString(), hash: seq.toString(16).padStart(64, '0') });
    at += 1000;
  }
  const state = replay(events);
  if (state === undefined) throw new TypeError('a sample run has at least one fact');
  return { state, events };
}

function runStarted(plan: Plan, change: Partial<Data<'run_started'>>): NewEvent {
  return {
    type: 'run_started',
    data: {
      run: 'r1',
      contract: 1,
      helix: '0.1.0',
      plan,
      source: { path: 'phases.yaml', sha256: 'f'.repeat(64) },
      agents: { default: { driver: 'scripted' } },
      creator: 'default',
      budget: plan.budget,
      marker: 'm',
      simulated: true,
      owner: OWNER,
      ...change,
    },
  };
}

export function started(phase: string, attempt = 1, change: Partial<Data<'attempt_started'>> = {}): NewEvent {
  return {
    type: 'attempt_started',
    data: { phase, attempt, turn: 0, start: 't0', inputs: [], brief: 'b', agent: 'scripted', ...change },
  };
}

export function finished(phase: string, attempt = 1, change: Partial<Data<'attempt_finished'>> = {}): NewEvent {
  const cost: Cost = { usd: 0, basis: 'simulated' };
  return {
    type: 'attempt_finished',
    data: { phase, attempt, tree: 't1', files: 1, cost, simulated: true, durationMs: 3000, ...change },
  };
}

export function interrupted(phase: string, attempt = 1, change: Partial<Data<'attempt_interrupted'>> = {}): NewEvent {
  return {
    type: 'attempt_interrupted',
    data: { phase, attempt, failure: 'crash', message: 'exit code 1', durationMs: 500, ...change },
  };
}

export function verdict(outcome: Verdict['outcome'], findings: readonly Finding[] = [], gate = 'files_exist'): Verdict {
  return { gate, outcome, findings: [...findings], tree: 't1', durationMs: 5 };
}

export function judged(phase: string, attempt: number, ...verdicts: Verdict[]): NewEvent {
  return { type: 'attempt_judged', data: { phase, attempt, verdicts } };
}

export function missing(file = 'output/x.md'): Finding {
  return {
    severity: 'error',
    check: 'files_exist',
    message: `${file} is missing`,
    hint: 'Write it.',
    location: { file },
  };
}

/** Three facts: an attempt that starts, ends and is judged. */
export function tried(phase: string, attempt: number, ...verdicts: Verdict[]): NewEvent[] {
  return [started(phase, attempt), finished(phase, attempt), judged(phase, attempt, ...verdicts)];
}

export function accepted(phase: string, attempt = 1): NewEvent {
  return { type: 'phase_accepted', data: { phase, attempt, tree: 't1' } };
}

export function asked(phase: string, change: Partial<Data<'human_asked'>> = {}): NewEvent {
  return {
    type: 'human_asked',
    data: {
      request: 'r1-q1',
      phase,
      level: 'stufe-2',
      reason: 'exhausted',
      question: `Phase ${phase} is stuck: its gate files_exist failed 3 times. How should HELIX go on?`,
      options: [
        { id: 'A', description: 'Try again', effort: 'low', recommended: true, decision: { action: 'retry' } },
        { id: 'B', description: 'Abort the run', effort: 'none', recommended: false, decision: { action: 'abort' } },
      ],
      ...change,
    },
  };
}

export function answered(option: string, action: Decision['action'], comment?: string): NewEvent {
  const decision = { action, ...(comment !== undefined && { guidance: comment }) };
  return {
    type: 'decision_taken',
    data: { request: 'r1-q1', option, decision, actor: 'ann', ...(comment !== undefined && { comment }) },
  };
}

/** Two facts: a consultant is asked, and answers. */
export function consulted(phase: string, change: Partial<Data<'consultation_finished'>> = {}): NewEvent[] {
  const { consultation = 'c1', purpose = 'decide', attempt = 3 } = change;
  const about = { phase, attempt, consultation, purpose };
  return [
    {
      type: 'consultation_started',
      data: { ...about, because: 'its gate files_exist failed 3 times', agent: 'adviser' },
    },
    {
      type: 'consultation_finished',
      data: {
        ...about,
        answer: {
          analysis: { failure_summary: 'the file is never written', root_cause: 'the brief names no file' },
          decision: { action: 'retry_with_changes', additional_hints: ['write output/x.md'] },
        },
        outcome: 'retry',
        changes: { hints: ['write output/x.md'] },
        cost: { usd: 0, basis: 'simulated' },
        durationMs: 6000,
        simulated: true,
        ...change,
      },
    },
  ];
}

export function ended(status: 'passed' | 'failed' | 'cancelled', reason?: string): NewEvent {
  return { type: 'run_finished', data: { status, ...(reason !== undefined && { reason }) } };
}

/** Everything an attacker might put into a text that is shown later. */
export const HOSTILE = '<script>alert(1)</script>\x1b[31m\x1b]0;owned\x07"\u202egnp`|{{ 7 | times: 7 }}\r\n# Heading';

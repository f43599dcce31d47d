import type { ApprovalInterruption } from '../../domain/documents/approval-document.ts';
import type { Cost, RunEvent } from '../../domain/facts/run-event.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import type { ApprovalMark } from '../../domain/judge/approval-mark.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import { type RungFact, rungFacts } from './ladder-metrics.ts';

/** A verdict, wherever it was given. */
export type VerdictFact = {
  readonly at: string;
  readonly result: ApprovalResult;
  readonly phase?: string;
  readonly cost: Cost;
  readonly seconds: number;
  /** The same for verdicts about the same thing. */
  readonly subject: string;
  /** What people found out later. */
  readonly mark?: ApprovalMark['as'];
};

/** A judge that was cut short. */
export type InterruptionFact = {
  readonly at: string;
  readonly type: string;
  readonly failure: FailureClass;
  readonly simulated: boolean;
  readonly phase?: string;
  readonly model?: string;
  readonly cost?: Cost;
};

/** An attempt at a phase's work. */
type WorkFact = {
  readonly at: string;
  readonly phase: string;
  readonly cost?: Cost;
  readonly simulated: boolean;
};

/** What metrics are computed from. */
export type MetricsFacts = {
  readonly rungs: readonly RungFact[];
  readonly verdicts: readonly VerdictFact[];
  readonly interruptions: readonly InterruptionFact[];
  readonly work: readonly WorkFact[];
};

/** What a run's journal tells. */
export function factsOfRun(run: string, events: readonly RunEvent[]): MetricsFacts {
  const verdicts: VerdictFact[] = [];
  const interruptions: InterruptionFact[] = [];
  const work: WorkFact[] = [];
  const asked = new Map<string, { readonly of: string; readonly model?: string | undefined }>();
  const judged = approvalPhases(events);
  const marks = marksIn(events);
  let simulated = false;
  const byHand = madeByHand(events);
  for (const { type, data, at } of events) {
    if (type === 'run_started') simulated = data.simulated;
    else if (type === 'approval_started') asked.set(data.approval, data);
    else if (type === 'attempt_finished' || type === 'attempt_interrupted') {
      if (byHand.has(`${data.phase} ${data.attempt}`)) continue;
      const made = type === 'attempt_finished' ? data.simulated : simulated;
      work.push({ at, phase: data.phase, simulated: made, ...present({ cost: data.cost }) });
    } else if (type === 'approval_finished') {
      const { phase, result, cost, durationMs } = data;
      const subject = subjectOf(result, `${run} ${phase}`);
      const mark = marks.get(data.approval);
      verdicts.push({ at, result, phase, cost, seconds: durationMs / 1000, subject, ...present({ mark }) });
    } else if (type === 'approval_interrupted') {
      const { phase, failure, cost } = data;
      const { of = 'unknown', model } = asked.get(data.approval) ?? {};
      interruptions.push({
        ...{ at, type: of, failure, phase, simulated: cost === undefined ? simulated : cost.basis === 'simulated' },
        ...present({ model, cost }),
      });
    }
  }
  return { rungs: rungFacts(events), verdicts, interruptions, work: work.filter(({ phase }) => !judged.has(phase)) };
}

/** The last mark of each approval counts. */
function marksIn(events: readonly RunEvent[]): ReadonlyMap<string, ApprovalMark['as']> {
  return new Map(events.flatMap(({ type, data }) => (type === 'approval_marked' ? [[data.approval, data.as]] : [])));
}

/** The attempts that no agent made: they cost nothing, in simulated runs and in others. */
function madeByHand(events: readonly RunEvent[]): ReadonlySet<string> {
  const started = events.filter((event) => event.type === 'attempt_started');
  return new Set(started.flatMap(({ data }) => (data.manual === true ? [`${data.phase} ${data.attempt}`] : [])));
}

/** The phases in which nothing is worked on: an attempt of theirs only lays out what is judged. */
function approvalPhases(events: readonly RunEvent[]): ReadonlySet<string> {
  const plans = events.flatMap(({ data }) => ('plan' in data && data.plan !== undefined ? [data.plan] : []));
  return new Set(plans.flatMap(({ phases }) => phases.flatMap(({ type, id }) => (type === 'approval' ? [id] : []))));
}

/** What the result file of an approval outside of any run tells. */
export function factOfResult(result: ApprovalResult, mark?: ApprovalMark['as']): VerdictFact {
  const { duration_seconds: seconds, cost_usd: usd, cost_basis: basis, tokens_used: tokens } = result.agent_context;
  const cost = { basis, ...present({ usd, tokens }) };
  return { at: result.timestamp, result, cost, seconds, subject: subjectOf(result, ''), ...present({ mark }) };
}

/** What the file about an approval that was cut short tells. */
export function factOfInterruption(cut: ApprovalInterruption): InterruptionFact {
  const { approval_type: type, timestamp: at, failure, simulated, model, cost } = cut;
  return {
    ...{ at, type, failure, simulated },
    ...present({ model, cost }),
  };
}

/** All of it together. */
export function joinFacts(parts: readonly MetricsFacts[]): MetricsFacts {
  return {
    verdicts: parts.flatMap(({ verdicts }) => verdicts).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    interruptions: parts.flatMap(({ interruptions }) => interruptions),
    work: parts.flatMap(({ work }) => work),
    rungs: parts.flatMap(({ rungs }) => rungs),
  };
}

function subjectOf({ approval_type, inputs }: ApprovalResult, where: string): string {
  return JSON.stringify([where, approval_type, ...inputs.map(({ path }) => path).toSorted()]);
}

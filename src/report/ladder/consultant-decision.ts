import type { ConsultantDecisionDocument, RefusedAnswerDocument } from '../../domain/documents/escalation-documents.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { present } from '../../domain/present.ts';
import type { ConsultationRecord } from '../run/consultations.ts';
import { modelsTried } from './hil-request.ts';
import { attemptsOf, judgedOf } from './trigger.ts';

type Decision = ConsultantDecisionDocument['decision'];
type Answer = NonNullable<ConsultationRecord['answer']>;

/** escalation/stufe-1/consultant-decision.json; undefined where there is no answer that could be used. */
export function consultantDecision(
  state: RunState,
  record: ConsultationRecord,
  events: readonly RunEvent[],
): ConsultantDecisionDocument | undefined {
  const { answer, outcome, changes, target, endedAt, phase, consultation } = record;
  if (answer === undefined || endedAt === undefined) return undefined;
  if (outcome === undefined || outcome === 'refused' || outcome === 'interrupted') return undefined;
  const attempts = attemptsOf(phase, events).filter(({ startedAt }) => startedAt <= record.startedAt);
  const { failure_summary, root_cause, learning, attempts_analyzed } = answer.analysis;
  return {
    timestamp: endedAt,
    ...{ run: state.run, phase, consultation },
    analysis: {
      ...{ failure_summary, root_cause },
      attempts_analyzed: attempts_analyzed ?? judgedOf(attempts).length,
      ...present({ learning }),
    },
    decision: decisionOf(answer, { phase, model: modelsTried(attempts, state).at(-1) ?? '' }),
    expected_outcome: answer.expected_outcome ?? '',
    confidence: answer.confidence ?? null,
    outcome,
    applied: { ...changes, ...present({ revert_to: target }) },
  };
}

/** The file beside a consultation that holds an answer which could not be used. */
export const REFUSED_ANSWER = 'refused-answer.json';

/** refused-answer.json: what a consultant answered, and why it could not be used; undefined where it could, or where there is none. */
export function refusedAnswer(run: string, record: ConsultationRecord): RefusedAnswerDocument | undefined {
  const { refused: answer, reasons = [], phase, consultation, endedAt: timestamp } = record;
  if (answer === undefined || timestamp === undefined) return undefined;
  return { timestamp, run, phase, consultation, reasons: [...reasons], answer };
}

/** As it was answered; what the consultant left out about itself is filled in. */
function decisionOf({ decision }: Answer, now: { readonly phase: string; readonly model: string }): Decision {
  const { action, model_switch, plan_revert, additional_hints, spec_updates, additional_skills } = decision;
  return {
    action,
    model_switch: model_switch
      ? { from: model_switch.from ?? now.model, to: model_switch.to, reasoning: model_switch.reasoning ?? '' }
      : null,
    plan_revert: {
      enabled: plan_revert?.enabled ?? false,
      revert_to_task: plan_revert?.revert_to_task ?? null,
      current_task: plan_revert?.current_task ?? now.phase,
      reasoning: plan_revert?.reasoning ?? '',
    },
    additional_hints: additional_hints ?? [],
    spec_updates: spec_updates ?? {},
    additional_skills: additional_skills ?? [],
  };
}

import type { HilRequestDocument } from '../../domain/documents/escalation-documents.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { failureWords } from '../../domain/failure-words.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import { firstAndLast } from '../../text/last-lines.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type AttemptRecord, cutJudgement } from '../run/attempts.ts';
import { type ConsultationRecord, consultationHistory, isIntervention } from '../run/consultations.ts';
import { attachmentsPath, phasePath } from '../words/run-paths.ts';
import { optionEffect } from './option-effect.ts';
import { attemptsOf, eventsBefore, failingFindings, judgedOf } from './trigger.ts';

/** What had happened to a phase when a question about it was asked. */
type Past = { readonly attempts: readonly AttemptRecord[]; readonly consultations: readonly ConsultationRecord[] };

/** escalation/stufe-2/hil-request.json: the same however much has happened since the question was asked. */
export function hilRequest(
  state: RunState,
  request: RequestState,
  events: readonly RunEvent[],
  context?: HilRequestDocument['context'],
): HilRequestDocument {
  const before = eventsBefore(request, events);
  // What an option does is told by the run as it was.
  const then = replay(before) ?? state;
  const past = {
    attempts: attemptsOf(request.phase, before),
    consultations: consultationHistory(before).get(request.phase) ?? [],
  };
  return {
    timestamp: request.askedAt,
    project_id: state.plan.project.name,
    phase: request.phase,
    run: state.run,
    request: request.id,
    level: request.level,
    summary: {
      total_attempts: judgedOf(past.attempts).length,
      stufe_1_interventions: past.consultations.filter(isIntervention).length,
      models_tried: modelsTried(past.attempts, state),
      time_spent_minutes: Math.round(spentMs(past) / 6000) / 10,
    },
    consultant_analysis: request.analysis ?? analysis(state, request, past),
    options: request.options.map(({ id, description, effort, decision, by, recommended }) => ({
      ...{ id, description, effort },
      ...(by === 'consultant' && recommended && { consultant_recommendation: true }),
      effect: optionEffect({ decision }, request, then),
      decision,
    })),
    question_for_user: request.question,
    ...(request.protected !== undefined && { protected: [...request.protected] }),
    ...present({ context }),
    attachments: attachments(state.run, request),
  };
}

/** The models in the order they were tried: by name or, where the program chose one by itself, the program. */
export function modelsTried(attempts: readonly AttemptRecord[], { agents }: RunState): string[] {
  const made = attempts.filter(({ manual }) => manual !== true);
  return [...new Set(made.map(({ model, agent }) => model ?? agents[agent]?.model ?? agents[agent]?.driver ?? agent))];
}

function spentMs({ attempts, consultations }: Past): number {
  return [...attempts, ...consultations].reduce((total, { durationMs = 0 }) => total + durationMs, 0);
}

type Analysis = HilRequestDocument['consultant_analysis'];

/** What is known without a consultant's advice: what one said before, else what was found. */
function analysis(state: RunState, request: RequestState, { attempts, consultations }: Past): Analysis {
  if (request.reason === 'start') {
    const problem = 'None: the plan asks a human before this phase starts.';
    return { problem, suspected_cause: 'None.', learning: 'None.' };
  }
  const problem = problemOf(request, attempts);
  const logs = `What was judged is in ${phasePath(state.run, request.phase)}/logs/.`;
  const answer = consultations.findLast((each) => each.answer !== undefined)?.answer;
  if (answer !== undefined) {
    const { root_cause, learning } = answer.analysis;
    return { problem, suspected_cause: root_cause, learning: learning ?? `None recorded. ${logs}` };
  }
  return {
    problem,
    suspected_cause: `Not analysed. ${notAnalysed(consultations)}.`,
    learning: `None recorded. ${logs}`,
  };
}

/** Why no consultant has analysed anything. */
export function notAnalysed(consultations: readonly ConsultationRecord[]): string {
  const last = consultations.at(-1);
  if (last === undefined) return 'No consultant was asked about this phase';
  const why = oneLine(last.reasons?.join('; ') ?? 'it was not awaited', 300);
  return `A consultant was asked and gave no answer that could be used: ${why}`;
}

function problemOf(request: RequestState, attempts: readonly AttemptRecord[]): string {
  const cut = attempts.at(-1);
  if (request.reason !== 'exhausted' && cut?.failure !== undefined) {
    return `The last attempt was interrupted: ${failureWords(cut.failure)}: ${oneLine(cut.message ?? '')}`;
  }
  const unheard = cutJudgement(cut);
  if (unheard !== undefined) return `Judging the last attempt was interrupted: ${oneLine(unheard)}`;
  const errors = failingFindings(attempts);
  const shown = errors.slice(0, 3).map((finding) => `${oneLine(finding.check, 80)}: ${firstAndLast(finding)}`);
  if (shown.length === 0) return oneLine(request.question);
  return shown.join('; ') + (errors.length > shown.length ? `; and ${errors.length - shown.length} more` : '');
}

/** Before a phase starts there is nothing to pack. */
function attachments(run: string, { phase, level }: RequestState): HilRequestDocument['attachments'] {
  const base = `.helix/runs/${run}/${attachmentsPath(phase)}`;
  return {
    full_logs: `${phasePath(run, phase)}/logs/`,
    code_attempts: `${base}/${level === 'start' ? '' : 'all-attempts.zip'}`,
    consultant_transcript: `${base}/consultant-analysis.md`,
  };
}

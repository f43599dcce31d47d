import type { HilRequestDocument, TriggerDocument } from '../domain/documents.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { RunEvent } from '../domain/run-event.ts';
import type { RequestState, RunState } from '../domain/run-state.ts';
import { excerpt, oneLine } from '../text/sanitise.ts';
import { type AttemptRecord, attemptHistory } from './attempts.ts';
import { phasePath } from './run-paths.ts';

const NO_CONSULTANT = 'No consultant was asked in this run';

/** escalation/stufe-2/hil-request.json: the same however much has happened since the question was asked. */
export function hilRequest(state: RunState, requestId: string, events: readonly RunEvent[]): HilRequestDocument {
  const request = requestOf(state, requestId);
  const attempts = attemptsBefore(request, events);
  return {
    timestamp: request.askedAt,
    project_id: state.plan.project.name,
    phase: request.phase,
    run: state.run,
    request: request.id,
    level: request.level,
    summary: {
      total_attempts: judgedOf(attempts).length,
      stufe_1_interventions: 0,
      models_tried: [...new Set(attempts.map((attempt) => modelOf(attempt, state)))],
      time_spent_minutes: Math.round(spentMs(attempts) / 6000) / 10,
    },
    consultant_analysis: analysis(state, request, attempts),
    options: request.options.map(({ id, description, effort, decision }) => ({ id, description, effort, decision })),
    question_for_user: request.question,
    attachments: attachments(state.run, request.phase),
  };
}

/** escalation/stufe-2/trigger.json: what made HELIX ask. */
export function trigger(state: RunState, requestId: string, events: readonly RunEvent[]): TriggerDocument {
  const request = requestOf(state, requestId);
  const attempts = attemptsBefore(request, events);
  return {
    timestamp: request.askedAt,
    phase: request.phase,
    level: request.level,
    attempts: judgedOf(attempts).length,
    reason: request.reason,
    findings: lastFindings(attempts),
  };
}

/** attachments/consultant-analysis.md: what is known of the failure, and that nobody has analysed it. */
export function consultantAnalysis(document: HilRequestDocument): string {
  const { problem, suspected_cause, learning } = document.consultant_analysis;
  return [
    `# ${oneLine(document.phase)}: what is known`,
    `${NO_CONSULTANT}. This page is drawn from the findings of the last attempt.`,
    ...[`Problem: ${problem}`, `Suspected cause: ${suspected_cause}`, `Learning: ${learning}`].map((text) =>
      excerpt(text, 4000),
    ),
    '',
  ].join('\n\n');
}

function requestOf(state: RunState, id: string): RequestState {
  const request = state.requests.get(id);
  if (request === undefined) {
    throw new HelixError('not_found', `run ${state.run} has no request ${id}`, {
      hint: 'helix inbox lists the open ones.',
    });
  }
  return request;
}

function attemptsBefore(request: RequestState, events: readonly RunEvent[]): readonly AttemptRecord[] {
  const end = events.findIndex((event) => event.type === 'human_asked' && event.data.request === request.id);
  return attemptHistory(end === -1 ? events : events.slice(0, end)).get(request.phase) ?? [];
}

/** The model where one was named, else the program that chose one by itself. */
function modelOf({ model, agent }: AttemptRecord, state: RunState): string {
  return model ?? state.agents[agent]?.model ?? state.agents[agent]?.driver ?? agent;
}

function judgedOf(attempts: readonly AttemptRecord[]): AttemptRecord[] {
  return attempts.filter((attempt) => attempt.stage === 'judged');
}

function spentMs(attempts: readonly AttemptRecord[]): number {
  return attempts.reduce((total, attempt) => total + (attempt.durationMs ?? 0), 0);
}

function lastFindings(attempts: readonly AttemptRecord[]): TriggerDocument['findings'] {
  return (
    judgedOf(attempts)
      .at(-1)
      ?.verdicts?.flatMap((verdict) => verdict.findings) ?? []
  );
}

function analysis(
  state: RunState,
  request: RequestState,
  attempts: readonly AttemptRecord[],
): HilRequestDocument['consultant_analysis'] {
  if (request.reason === 'start') {
    const problem = 'None: the plan asks a human before this phase starts.';
    return { problem, suspected_cause: 'None.', learning: 'None.' };
  }
  return {
    problem: problemOf(request, attempts),
    suspected_cause: `Not analysed. ${NO_CONSULTANT}.`,
    learning: `None recorded. What was judged is in ${phasePath(state.run, request.phase)}/logs/.`,
  };
}

function problemOf(request: RequestState, attempts: readonly AttemptRecord[]): string {
  const cut = attempts.at(-1);
  if (request.reason !== 'exhausted' && cut?.failure !== undefined) {
    return `The last attempt was interrupted: ${cut.failure}: ${oneLine(cut.message ?? '')}`;
  }
  const errors = lastFindings(attempts).filter((finding) => finding.severity === 'error');
  const shown = errors.slice(0, 3).map((finding) => `${oneLine(finding.check, 80)}: ${oneLine(finding.message)}`);
  if (shown.length === 0) return oneLine(request.question);
  return shown.join('; ') + (errors.length > shown.length ? `; and ${errors.length - shown.length} more` : '');
}

function attachments(run: string, phase: string): HilRequestDocument['attachments'] {
  const base = phasePath(run, phase);
  return {
    full_logs: `${base}/logs/`,
    code_attempts: `${base}/escalation/stufe-2/attachments/`,
    consultant_transcript: `${base}/escalation/stufe-2/attachments/consultant-analysis.md`,
  };
}

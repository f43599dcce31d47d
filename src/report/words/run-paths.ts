/** Where the report of a run lies, relative to the project. */
export function reportPath(run: string): string {
  return `.helix/runs/${run}/final/report.html`;
}

/** Where people find the logs and questions of a phase, relative to the project. */
export function phasePath(run: string, phase: string): string {
  return `.helix/runs/${run}/phases/${phase}`;
}

/** Where the words of an attempt's agent lie, relative to the run's directory. */
export function transcriptPath(phase: string, attempt: number): string {
  return `phases/${phase}/logs/attempt-${attempt}/transcript.jsonl`;
}

/** Where what an attempt's agent was told lies, relative to the run's directory. */
export function briefPath(phase: string, attempt: number): string {
  return `phases/${phase}/logs/attempt-${attempt}/brief.md`;
}

/** Where an approval and the record of it lie, relative to the run's directory. */
export function approvalPath(approval: string): string {
  return `approvals/${approval}`;
}

/** Where what a consultant was asked and what it said lies, relative to the run's directory. */
export function consultationPath(phase: string, consultation: string): string {
  return `${consultationsPath(phase)}/${consultation}`;
}

/** Where what somebody was asked in a meeting and what was said lies, relative to the run's directory. */
export function meetingPath(phase: string, call: string): string {
  return `phases/${phase}/meeting/${call}`;
}

/** Where the recording of an attempt lies, relative to the run's directory. */
export function cassettePath(phase: string, attempt: number): string {
  return `cassette/${phase}/attempt-${attempt}.json`;
}

/** Where a human finds what they may change themselves, relative to the project. */
export function manualPath(run: string, phase: string): string {
  return `.helix/runs/${run}/${humanPath(phase)}/worktree`;
}

/** Where what comes with a question lies, relative to the run's directory. */
export function attachmentsPath(phase: string): string {
  return `${humanPath(phase)}/attachments`;
}

/** Where what consultants were asked and answered about a phase lies, relative to the run's directory. */
export function consultationsPath(phase: string): string {
  return `${consultantPath(phase)}/consultations`;
}

/** Where what consultants made of a phase lies, relative to the run's directory. */
export function consultantPath(phase: string): string {
  return `phases/${phase}/escalation/stufe-1`;
}

/** Where what a human was asked about a phase lies, relative to the run's directory. */
export function humanPath(phase: string): string {
  return `phases/${phase}/escalation/stufe-2`;
}

/** Where a human lays down an answer and finds the one that was taken, relative to the run's directory. */
export function userDecisionPath(phase: string): string {
  return userDecisionIn(humanPath(phase));
}

/** The answer in a folder that holds a question. */
export function userDecisionIn(folder: string): string {
  return `${folder}/user-decision.json`;
}

/** A user-decision.json is at most this large. */
export const USER_DECISION_BYTES = 1024 * 1024;

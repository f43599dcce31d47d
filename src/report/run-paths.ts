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

/** Where an approval and the record of it lie, relative to the run's directory. */
export function approvalPath(approval: string): string {
  return `approvals/${approval}`;
}

/** Where the recording of an attempt lies, relative to the run's directory. */
export function cassettePath(phase: string, attempt: number): string {
  return `cassette/${phase}/attempt-${attempt}.json`;
}

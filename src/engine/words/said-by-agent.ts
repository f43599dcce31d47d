import type { Files } from '../../ports/files.ts';
import type { AttemptRecord } from '../../report/run/attempts.ts';
import { transcriptPath } from '../../report/words/run-paths.ts';
import { lastWords } from '../../text/agent-words/last-words.ts';

/** How much of a transcript's end is looked through for the last words. */
const TRANSCRIPT_END = 4 * 1024 * 1024;

/** The end of what the agent of an attempt said; throws HelixError `io` where its transcript is not the one the journal knows. */
export async function saidByAgent(
  { phase, attempt, transcript }: Pick<AttemptRecord, 'phase' | 'attempt' | 'transcript'>,
  files: Pick<Files, 'lastLines'>,
  most: number,
): Promise<string> {
  return lastWords(await files.lastLines(transcriptPath(phase, attempt), TRANSCRIPT_END, transcript), most);
}

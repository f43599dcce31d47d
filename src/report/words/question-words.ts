import type { RequestState } from '../../domain/facts/run-state.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';

/** Room for every name there is in a question about protected files, each of its characters written out. */
const WITH_NAMES = 200_000;

/** Questions that list what they are about, each thing in quotes on a line of its own. */
const LISTING: ReadonlySet<RequestState['reason']> = new Set(['protected', 'plan']);

type Question = Pick<RequestState, 'question' | 'reason'>;

/** The text of a question, safe to show: where it is about protected files with all their names, else at most `most` characters. */
export function questionWords({ question, reason }: Question, most: number): string {
  return excerpt(question, LISTING.has(reason) ? WITH_NAMES : most);
}

/** The same without lines that others could have made look like options: only names of files, in quotes, have their own. */
export function questionLines(request: Question, most: number): string[] {
  return LISTING.has(request.reason) ? questionWords(request, most).split('\n') : [oneLine(request.question, most)];
}

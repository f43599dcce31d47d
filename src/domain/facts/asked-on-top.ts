const DECIDED = '\n\nIt was decided about this:\n';
const ON_TOP = '\n\nAfter that was done, this was asked for on top of it:\n\n';

/** A request with what was decided about it and what is asked for once it is done. */
export function askedOnTop(request: string, decided: readonly string[], words: string): string {
  const scope = decided.length === 0 ? '' : `${DECIDED}${decided.map((line) => `\n- ${line}`).join('')}`;
  return `${request.trim()}${scope}${ON_TOP}${words}`;
}

/** The requests that were made into one, in order, in the words of whoever asked. */
export function requestsIn(request: string): string[] {
  return request.split(ON_TOP).flatMap((each) => each.split(DECIDED).slice(0, 1));
}

/** One place where a text does not follow the syntax of its language; line and column count from 1, columns in characters. */
export type Problem = {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
  /** Why it may be no error at all, where the checker knows that it does not know everything. */
  readonly doubt?: string;
};

/** Something a grammar lets pass that its language does not. */
export type Oversight = { readonly offset: number; readonly message: string };

/** What is wrong with a text, its first places. */
export type Problems = { readonly problems: readonly Problem[]; readonly more: boolean };

/** How many places of one file are worth telling. */
export const MAX_PROBLEMS = 10;

/** Turns offsets into lines and columns; a character outside the basic plane is one column, not two. */
export function placesIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = lineStarts(text);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = text.slice(starts[low], offset);
    const pairs = before.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
    return { line: low + 1, column: before.length - pairs + 1 };
  };
}

/** Where each line of a text begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

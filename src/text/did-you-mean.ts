const MAX_LENGTH = 64;

/** The candidate somebody most likely meant; undefined when none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const wanted = plain(word);
  const limit = wanted.length < 2 ? 0 : Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = distanceWithin(wanted, plain(candidate), limit);
    if (distance !== undefined && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { candidate, distance };
  }
  return best?.candidate ?? onlyOneNaming(word, candidates);
}

/** A hint that names the nearest candidate, or else all of them. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const nearest = didYouMean(word, candidates);
  if (nearest !== undefined) return `did you mean "${nearest}"?`;
  const shown = candidates.slice(0, 30).join(', ');
  return `known are: ${shown}${candidates.length > 30 ? ', …' : ''}`;
}

/** Case and separators are what people mix up most, so they cost nothing. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** `retries` means `max_retries` when no other candidate has that part. */
function onlyOneNaming(word: string, candidates: Iterable<string>): string | undefined {
  const part = word.toLowerCase();
  const naming = [...candidates].filter((candidate) => candidate.toLowerCase().split(/[-_]/).includes(part));
  return part.length > 2 && naming.length === 1 ? naming[0] : undefined;
}

/** Edit distance in which swapped neighbours count once, or undefined when it exceeds the limit. */
function distanceWithin(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > limit) return undefined;
    before = above;
    above = current;
  }
  const distance = at(above, b.length);
  return distance <= limit ? distance : undefined;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

import { HelixError } from '../domain/helix-error.ts';

const MAX_LENGTH = 1024;
const MAX_ALTERNATIVES = 64;

/** Tells whether a path of a plan is a pattern. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/** The folders before the first wildcard of a pattern, `.` when there are none. */
export function globBase(pattern: string): string {
  const names = pattern.split('/');
  const first = names.findIndex(isGlob);
  const fixed = names.slice(0, first === -1 ? names.length : first);
  return fixed.length === 0 ? '.' : fixed.join('/');
}

/** Says why a pattern cannot be used. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  return expand(pattern) === undefined ? `has more than ${MAX_ALTERNATIVES} alternatives` : undefined;
}

/**
 * Matches relative paths with `/` against `*`, `**`, `?`, `[abc]` and `{a,b}`, case-sensitively. A leading dot is matched
 * only by a written dot, by `**` and by the part that follows `**`. Throws HelixError `usage` where globProblem finds one.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const problem = globProblem(pattern);
  if (problem !== undefined) throw new HelixError('usage', `the pattern ${pattern.slice(0, 80)} ${problem}`);
  const alternatives = (expand(pattern) ?? []).map(parseParts);
  return (path) => {
    const names = path.split('/');
    return alternatives.some((parts) => matchesParts(parts, names));
  };
}

type Glyph = { readonly star: boolean; readonly test: (character: string) => boolean };
type Part = '**' | { readonly glyphs: readonly Glyph[]; readonly dot: boolean };

const ANY: Glyph = { star: true, test: () => false };

/** The pattern's alternatives written out, undefined when there are too many; an unclosed brace is a plain character. */
function expand(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = /\{([^{}]*)\}/.exec(next);
    if (brace === null) done.push(next);
    else {
      const [head, tail] = [next.slice(0, brace.index), next.slice(brace.index + brace[0].length)];
      const choices = (brace[1] ?? '').split(',').reverse();
      open.push(...choices.map((choice) => head + choice + tail));
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}

/** A final `**` means everything in the folder, not the folder's own name. */
function parseParts(pattern: string): Part[] {
  const parts = pattern.split('/').map(parsePart);
  return parts.at(-1) === '**' ? [...parts, { glyphs: [ANY], dot: false }] : parts;
}

function parsePart(part: string): Part {
  if (part === '**') return '**';
  const characters = [...part];
  const glyphs: Glyph[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const set = character === '[' ? parseSet(characters, at) : undefined;
    if (set !== undefined) at = set.end;
    if (character === '*') glyphs.push(ANY);
    else glyphs.push(set?.glyph ?? { star: false, test: (other) => character === '?' || other === character });
  }
  return { glyphs, dot: part.startsWith('.') };
}

/** A set such as `[a-z_]` or `[!0-9]`; without its closing bracket it is a plain character. */
function parseSet(characters: readonly string[], start: number): { glyph: Glyph; end: number } | undefined {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const end = characters.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges = [
    ...characters
      .slice(first, end)
      .join('')
      .matchAll(/(.)-(.)|(.)/gsu),
  ];
  const within = (character: string): boolean =>
    ranges.some(([, low = '', high = '', single]) => character === single || (character >= low && character <= high));
  return { glyph: { star: false, test: (character) => within(character) !== negated }, end };
}

/** Both walks go back to the latest star only, so the time is the product of the lengths at worst. */
function matchesParts(parts: readonly Part[], names: readonly string[]): boolean {
  return walk(parts.length, names.length, {
    isStar: (at) => parts[at] === '**',
    matches: (at, to) => matchesName(parts[at], names[to] ?? '', parts[at - 1] === '**'),
  });
}

function matchesName(part: Part | undefined, name: string, afterStars: boolean): boolean {
  if (part === undefined || part === '**') return false;
  if (name.startsWith('.') && !part.dot && !afterStars) return false;
  const characters = [...name];
  return walk(part.glyphs.length, characters.length, {
    isStar: (at) => part.glyphs[at]?.star === true,
    matches: (at, to) => part.glyphs[at]?.test(characters[to] ?? '') === true,
  });
}

type Steps = { isStar(at: number): boolean; matches(at: number, to: number): boolean };

function walk(length: number, target: number, steps: Steps): boolean {
  let [at, to] = [0, 0];
  let star: { at: number; to: number } | undefined;
  while (to < target) {
    if (at < length && steps.isStar(at)) {
      star = { at, to };
      at += 1;
    } else if (at < length && steps.matches(at, to)) {
      at += 1;
      to += 1;
    } else if (star !== undefined) {
      star = { at: star.at, to: star.to + 1 };
      at = star.at + 1;
      to = star.to;
    } else return false;
  }
  while (at < length && steps.isStar(at)) at += 1;
  return at === length;
}

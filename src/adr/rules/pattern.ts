import { type Match, type Phrase, phrase, phraseMatches } from './words/phrase.ts';

/** A pattern of a rule: plain words and RE2 together. */
export type Pattern = {
  readonly source: string;
  readonly phrases: readonly Phrase[];
  readonly expression: Expression | undefined;
};

/** What only RE2 can find. */
export type Expression = { matches(text: string): Iterable<Match> };

/** Compiles the part of a pattern that is more than plain words; it may throw what RE2 throws. */
export type CompileExpression = (source: string) => Expression;

const META = /[\\.^$*+?()[\]{}]/;

/** Compiles a pattern: each alternative of plain words is found as whole words with their endings, the others are RE2. */
export function compilePattern(source: string, compile: CompileExpression): Pattern {
  const alternatives = patternAlternatives(source);
  const phrases: Phrase[] = [];
  const others: string[] = [];
  for (const alternative of alternatives) {
    const [, exact] = /^\\b([^\\]+)\\b$/.exec(alternative) ?? [];
    if (!META.test(alternative)) phrases.push(phrase(alternative));
    else if (exact !== undefined && !META.test(exact)) phrases.push(phrase(exact, 'exact'));
    else others.push(alternative);
  }
  return { source, phrases, expression: others.length === 0 ? undefined : compile(others.join('|')) };
}

/** What a pattern asks for, one by one. */
export function patternAlternatives(source: string): string[] {
  return alternativesOf(unwrapped(source));
}

/** The alternatives in a pattern's one group around all of it, if there is one. */
function unwrapped(source: string): string {
  const [, inner] = /^\((?:\?:)?([^()\\[\]]*)\)$/.exec(source.trim()) ?? [];
  return inner ?? source.trim();
}

/** Splits at each `|` outside of groups and classes; a pattern with flags stays whole, because they reach over it. */
function alternativesOf(source: string): string[] {
  if (/\(\?[^:]/.test(source)) return [source];
  const alternatives = [''];
  let [depth, inClass] = [0, false];
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    const escaped = char === '\\' ? source.charAt(at + 1) : '';
    if (escaped !== '') at += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (!inClass && char === '(') depth += 1;
    else if (!inClass && char === ')') depth -= 1;
    if (char === '|' && depth === 0 && !inClass) alternatives.push('');
    else alternatives.push((alternatives.pop() ?? '') + char + escaped);
  }
  return alternatives;
}

/** How often a pattern is found, counted up to `enough`; only matches that `counts` accepts. */
export function countMatches(
  text: { readonly raw: string; readonly lower: string },
  pattern: Pattern,
  { enough, counts }: { enough: number; counts: (match: Match) => boolean },
): number {
  const starts = new Set<number>();
  for (const each of pattern.phrases) {
    for (const match of phraseMatches(text.lower, each)) {
      if (starts.size >= enough) return starts.size;
      if (counts(match)) starts.add(match.start);
    }
  }
  for (const match of starts.size < enough ? (pattern.expression?.matches(text.raw) ?? []) : []) {
    if (counts(match)) starts.add(match.start);
    if (starts.size >= enough) break;
  }
  return starts.size;
}

import type { Expert } from './experts-file.ts';

/** So many are heard at most: more of them say the same again, and each costs. */
export const MAX_CHOSEN = 5;

const MAX_READ = 64 * 1024;
const MAX_SHOWN = 3;

/** An expert that is called for, and why. */
export type ChosenExpert = { readonly id: string; readonly reason: string };

/**
 * The experts that a request and what was found in the project (languages, tools) call for: those with a trigger that stands there as
 * a whole word. The one with the most goes first.
 */
export function chooseExperts(
  request: string,
  detected: readonly string[],
  experts: readonly Expert[],
): readonly ChosenExpert[] {
  const text = request.slice(0, MAX_READ);
  const found = new Set(detected.map(plain));
  return experts
    .map(({ id, triggers }) => {
      const called = triggers.filter((trigger) => hasWord(text, trigger));
      const there = triggers.filter((trigger) => found.has(plain(trigger)));
      return { id, weight: new Set([...called, ...there]).size, reason: reasonFor(called, there) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_CHOSEN)
    .map(({ id, reason }) => ({ id, reason }));
}

/** Tells whether a text has a word, or several in a row, as a whole: "ci" is no word of "social". */
export function hasWord(text: string, word: string): boolean {
  const parts = word.trim().split(/\s+/).map(RegExp.escape);
  if (parts[0] === '') return false;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${parts.join('\\s+')}(?![\\p{L}\\p{N}_])`, 'iu').test(text);
}

function reasonFor(called: readonly string[], there: readonly string[]): string {
  const words = called.slice(0, MAX_SHOWN).map((word) => JSON.stringify(word));
  return [
    ...(called.length === 0 ? [] : [`the request says ${words.join(', ')}`]),
    ...(there.length === 0 ? [] : [`the project has ${there.slice(0, MAX_SHOWN).join(', ')}`]),
  ].join('; ');
}

function plain(word: string): string {
  return word.trim().toLowerCase();
}

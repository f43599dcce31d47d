import type { Language } from '../../domain/language.ts';

type BlindSpot = { readonly pattern: RegExp; readonly why: string };

const KNOWN_CAPITALS = 'NULL|FILE|EOF|TRUE|FALSE|BOOL|SIZE_MAX|U?INT_MAX|INT_MIN|EXIT_SUCCESS|EXIT_FAILURE';
const MACROS: BlindSpot = {
  pattern: new RegExp(
    `^\\s*#\\s*(?!include|pragma)|\\b(?!(?:${KNOWN_CAPITALS})\\b)(?:__\\w+|\\w*[A-Z]{2,}\\w*)\\b`,
    'm',
  ),
  why: 'a macro may stand here, and this check does not expand macros',
};

const LOOK_BACK = 2000;

/** What the grammars are known not to understand though compilers and browsers do. */
const BLIND_SPOTS: Partial<Readonly<Record<Language, BlindSpot>>> = {
  c: MACROS,
  cpp: MACROS,
  css: {
    pattern: /\burl\(|!\s+important|@container|progid:|expression\(|^\s*[*_][a-z]/im,
    why: 'browsers read more here than this check understands',
  },
};

/** Says why an error between two offsets may be none; the lines of it and the two before it are looked at. */
export function doubtAbout(
  language: Language,
  text: string,
  { from, to }: { from: number; to: number },
): string | undefined {
  const spot = BLIND_SPOTS[language];
  if (spot === undefined) return undefined;
  const above = text
    .slice(Math.max(0, from - LOOK_BACK), from)
    .split('\n')
    .filter((line, index, { length }) => index === length - 1 || line.trim() !== '');
  const lines = [...above.slice(-3), text.slice(from, to), /.*/.exec(text.slice(to))?.[0]].join('\n');
  return spot.pattern.test(lines) ? spot.why : undefined;
}

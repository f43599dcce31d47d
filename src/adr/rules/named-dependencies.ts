import type { Adr } from '../document/adr.ts';
import { unpadded } from '../document/adr-names.ts';
import type { CasedText } from './adr-text.ts';
import { fieldValues } from './field-value.ts';
import { findPhrase, phrase } from './words/phrase.ts';

/**
 * A pattern for any ADR's id, under a rule about `depends_on`, asks whether the ADRs depended on are mentioned; taken
 * literally, the document's own title would satisfy it. So it means: each of them is named by its own id.
 */
export function asksForAdrIds(source: string): boolean {
  return /^\(?(?:\\b)?adrs?(?:[-_ ?#]|\[[-_ #\\s]+\]\??|\\s[?*]?|\\-){0,3}(?:\\d|\[0-9\])(?:\{\d+(?:,\d*)?\}|[+*])?(?:\\b)?\)?$/i.test(
    source.trim(),
  );
}

const SERIES =
  /adrs?[-_ #]{0,2}\d{1,6}(?:\s{0,2}(?:,|\/|&|und|and|et|or|oder|bis|to|-|–)\s{0,2}(?:adr[-_ ]?)?\d{1,6}(?!\d))*/g;
const BRACKETED = /\[#?(\d{1,6})\]/g;
const LINKED = /(?:^|[/(\s])(?:adr[-_])?(\d{1,6})[-_][^\s()/]{0,200}\.(?:md|markdown)/gm;

/** The ids of `depends_on` that no text names. */
export function unnamedDependencies(adr: Adr, texts: readonly CasedText[]): string[] {
  const bodies = texts.map(({ lower }) => withoutTitle(lower));
  const numbers = new Set(bodies.flatMap(numbersIn));
  return fieldValues(adr, 'depends_on').filter((id) => {
    const [, number] = /^(?:adr)?[-_ #]*(\d{1,6})(?:\D|$)/i.exec(id) ?? [];
    if (number !== undefined) return !numbers.has(unpadded(number));
    return bodies.every((body) => findPhrase(body, phrase(id, 'exact'), 0) === undefined);
  });
}

function numbersIn(body: string): string[] {
  const series = [...body.matchAll(SERIES)].flatMap(([names]) => names.match(/\d+/g) ?? []);
  const others = [...body.matchAll(BRACKETED), ...body.matchAll(LINKED)].map(([, number = '']) => number);
  return [...series, ...others].map(unpadded);
}

/** The document's own title does not name what it depends on. */
function withoutTitle(body: string): string {
  return body.replace(/^# .*$/m, '');
}

import type { Adr } from '../adr.ts';
import type { CasedText } from './adr-text.ts';
import { fieldValues } from './field-value.ts';
import { findPhrase, phrase } from './phrase.ts';

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

/** The ids of `depends_on` that a text does not name. */
export function unnamedDependencies(adr: Adr, { lower }: CasedText): string[] {
  const wanted = fieldValues(adr, 'depends_on');
  const body = withoutTitle(lower);
  const numbers = new Set<string>();
  for (const [series] of body.matchAll(SERIES))
    for (const [number] of series.matchAll(/\d+/g)) numbers.add(bare(number));
  for (const [, number = ''] of [...body.matchAll(BRACKETED), ...body.matchAll(LINKED)]) numbers.add(bare(number));
  return wanted.filter((id) => {
    const [, number] = /^(?:adr)?[-_ #]*(\d{1,6})(?:\D|$)/i.exec(id) ?? [];
    if (number !== undefined) return !numbers.has(bare(number));
    return findPhrase(body, phrase(id, 'exact'), 0) === undefined;
  });
}

/** The document's own title does not name what it depends on. */
function withoutTitle(body: string): string {
  return body.replace(/^# .*$/m, '');
}

function bare(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

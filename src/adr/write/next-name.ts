import { fileName, ownId } from '../corpus/own-id.ts';
import type { Adr } from '../document/adr.ts';
import { fileNumber } from '../document/adr-names.ts';
import { slugOf } from './slug.ts';

/** What the next ADR of a folder is called. */
export type NextName = {
  readonly file: string /** Undefined where files are named by dates. */;
  readonly id: string | undefined;
};

type Style = { readonly prefix: string; readonly width: number; readonly separator: string; readonly words: '-' | '_' };
type DateStyle = { readonly compact: boolean; readonly separator: string; readonly words: '-' | '_' };

/** `0007-x.md`, `ADR-007-x.md`, and the series of a team: `ACME-ADR-UI-0007-x.md`. */
const NUMBERED = /^((?:[a-z]+[-_ ]){0,3}m?adr[-_ ]?(?:[a-z]+[-_ ]){0,2})?(\d{1,6})([-_. ]+)(.*)\.(?:md|markdown)$/i;
const DATED = /^\d{4}(-?)\d{2}\1\d{2}([-_ ])(.*)\.(?:md|markdown)$/;
const DEFAULT: Style = { prefix: '', width: 4, separator: '-', words: '-' };

/** The name after the highest number there is, in the style most files of the folder have; `taken` numbers are passed over. */
export function nextName(
  adrs: readonly Adr[],
  { title, date, after = 0 }: { readonly title: string; readonly date: string; readonly after?: number },
): NextName {
  const names = adrs.map(({ path }) => fileName(path));
  const dated = names.flatMap((name) => dateStyle(name) ?? []);
  const numbered = names.flatMap((name) => numberStyle(name) ?? []);
  if (dated.length > numbered.length) {
    const style = mostCommon(dated);
    const day = style.compact ? date.replaceAll('-', '') : date;
    const again = after === 0 ? '' : `${style.words}${after + 1}`;
    return { file: `${day}${style.separator}${slugOf(title, style.words)}${again}.md`, id: undefined };
  }
  const { prefix, width, separator, words } = numbered.length === 0 ? DEFAULT : mostCommon(numbered);
  const id = String(highestNumber(adrs) + 1 + after).padStart(width, '0');
  return { file: `${prefix}${id}${separator}${slugOf(title, words)}.md`, id };
}

function numberStyle(name: string): Style | undefined {
  if (DATED.test(name)) return undefined;
  const [, prefix = '', number, separator = '-', rest = ''] = NUMBERED.exec(name) ?? [];
  return number === undefined ? undefined : { prefix, width: number.length, separator, words: wordsOf(rest) };
}

function numberInName(name: string): string | undefined {
  return DATED.test(name) ? undefined : NUMBERED.exec(name)?.[2];
}

function dateStyle(name: string): DateStyle | undefined {
  const [, dash, separator = '-', rest = ''] = DATED.exec(name) ?? [];
  return dash === undefined ? undefined : { compact: dash === '', separator, words: wordsOf(rest) };
}

function wordsOf(rest: string): '-' | '_' {
  return rest.includes('_') && !rest.includes('-') ? '_' : '-';
}

function highestNumber(adrs: readonly Adr[]): number {
  let highest = 0;
  for (const adr of adrs)
    for (const id of [ownId(adr)?.value, fileNumber(adr.path), numberInName(fileName(adr.path))]) {
      const whole = /^\d{1,6}(?=$|\.)/.exec(id ?? '')?.[0];
      if (whole !== undefined) highest = Math.max(highest, Number(whole));
    }
  return highest;
}

/** Of those that are equally common, the last one. */
function mostCommon<T>(styles: readonly T[]): T {
  const counts = new Map<string, { style: T; count: number }>();
  for (const style of styles) {
    const key = JSON.stringify(style);
    counts.set(key, { style, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].reduce((best, each) => (each.count >= best.count ? each : best)).style;
}

import type { Adr, Reference } from '../document/adr.ts';
import { fileName, numberOf, ownId } from './own-id.ts';
import type { Relation } from './relations.ts';

/** What ADRs say of each other; each question costs the same however many there are. */
export type Sayings = {
  says(from: Adr, kind: Reference['kind'], to: Adr): boolean;
  /** True when the text tells of a supersession outside of the header, as in a list of links. */
  tells(from: Adr, to: Adr): boolean;
};

const TELLING = /supersed|superced|replac|obsolet|ersetz|abgelöst|ablös|remplac/i;
const MOST_LINES = 100;
const MOST_CHARACTERS = 2_000;

/** Indexes what was said. */
export function sayingsOf(relations: Iterable<Relation>): Sayings {
  const said = new Map<Adr, Map<Adr, Set<string>>>();
  for (const { from, to, reference } of relations) {
    if (to === undefined) continue;
    const of = said.get(from) ?? new Map<Adr, Set<string>>();
    said.set(from, of.set(to, (of.get(to) ?? new Set()).add(reference.kind)));
  }
  const lines = new Map<Adr, readonly string[]>();
  return {
    says: (from, kind, to) => said.get(from)?.get(to)?.has(kind) === true,
    tells: (from, to) => {
      const telling = lines.get(from) ?? tellingLines(from);
      lines.set(from, telling);
      return telling.length > 0 && telling.some(names(to));
    },
  };
}

function tellingLines({ prose }: Adr): string[] {
  return prose
    .filter((text) => TELLING.test(text))
    .slice(0, MOST_LINES)
    .map((text) => text.slice(0, MOST_CHARACTERS));
}

function names(adr: Adr): (text: string) => boolean {
  const number = numberOf(ownId(adr)?.value ?? '');
  const id = number === undefined ? undefined : new RegExp(`\\badr[-_ #]*0*${number}(?![.\\d])`, 'i');
  const file = fileName(adr.path);
  return (text) => text.includes(file) || id?.test(text) === true;
}

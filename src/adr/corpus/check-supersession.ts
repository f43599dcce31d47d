import type { Adr, AdrFinding, Reference } from '../document/adr.ts';
import type { Corpus } from './corpus.ts';
import { corpusFinding } from './corpus-finding.ts';
import { fileName, isTemplate, nameOf, numberOf, ownId, statusName } from './own-id.ts';
import type { Relation } from './relations.ts';

/** What supersedes what is told by both sides, and nothing in force rests on what was superseded. */
export function checkSupersession(corpus: Corpus): AdrFinding[] {
  const all = [...corpus.relations.values()].flat();
  const successors = successorsOf(all);
  const sayings = sayingsOf(all);
  return corpus.adrs.flatMap((adr) => {
    if (isTemplate(adr.path)) return [];
    const relations = (corpus.relations.get(adr) ?? []).filter(({ to }) => to !== adr);
    return [
      ...withoutSuccessor(adr, successors),
      ...relations.flatMap((relation) => [
        ...notTakenUp(relation, sayings),
        ...notGivenUp(relation, sayings),
        ...restsOnSuperseded(relation, { sayings, successors }),
      ]),
      ...statusNotChanged(adr, relations),
    ];
  });
}

/** Who says of whom that it was superseded, whichever side says it. */
function successorsOf(relations: readonly Relation[]): ReadonlyMap<Adr, readonly Adr[]> {
  const successors = new Map<Adr, Adr[]>();
  const add = (old: Adr, by: Adr): void => {
    const known = successors.get(old);
    if (known === undefined) successors.set(old, [by]);
    else known.push(by);
  };
  for (const { from, to, reference } of relations) {
    if (to === undefined || to === from) continue;
    if (reference.kind === 'superseded_by') add(from, to);
    else if (reference.kind === 'supersedes') add(to, from);
  }
  return successors;
}

const NAMES_SUCCESSOR = /(?:\b(?:by|in favou?r of|with|durch|von|par)\b|[:→>-])\s*\S/iu;

function withoutSuccessor(adr: Adr, successors: ReadonlyMap<Adr, readonly Adr[]>): AdrFinding[] {
  const status = adr.statuses.find((each) => statusName({ statuses: [each] }) !== undefined);
  if (status === undefined || statusName(adr) !== 'superseded' || successors.has(adr)) return [];
  if (adr.references.some(({ kind }) => kind === 'superseded_by')) return [];
  // A successor need not be an ADR: "superseded by the platform team's handbook".
  if (adr.statuses.some(({ value }) => NAMES_SUCCESSOR.test(value))) return [];
  return [
    corpusFinding(adr, status, {
      severity: 'warning',
      check: 'superseded-without-successor',
      message: 'this ADR is superseded, but nothing says by which one',
      hint: 'name the successor: helix adr supersede <this> <successor>',
    }),
  ];
}

/** Only a part was superseded, or the successor is not in force yet: then the older one rightly says nothing. */
function inForce({ from, to, reference }: Relation): boolean {
  const successor = reference.kind === 'superseded_by' ? to : from;
  const status = successor === undefined ? undefined : statusName(successor);
  if (status === 'proposed' || status === 'rejected') return false;
  return !/\bpartial|\bpartly|\bpart\b|\bparts of|\bhalf of|\bteil(?:e|weise)\b|\bpartie/i.test(
    from.lines[reference.line - 1] ?? '',
  );
}

function notTakenUp(relation: Relation, { says, tells }: Sayings): AdrFinding[] {
  const { from, to, reference } = relation;
  if (to === undefined || reference.kind !== 'supersedes' || !inForce(relation)) return [];
  if (says(to, 'superseded_by', from) || tells(to, from)) return [];
  return [notReciprocal(relation, `this ADR supersedes ${nameOf(to)}, but ${fileName(to.path)} does not say so`)];
}

function notGivenUp(relation: Relation, { says, tells }: Sayings): AdrFinding[] {
  const { from, to, reference } = relation;
  if (to === undefined || reference.kind !== 'superseded_by' || !inForce(relation)) return [];
  if (says(to, 'supersedes', from) || tells(to, from)) return [];
  return [
    notReciprocal(
      relation,
      `this ADR is superseded by ${nameOf(to)}, but ${fileName(to.path)} does not say that it supersedes it`,
    ),
  ];
}

function statusNotChanged(adr: Adr, relations: readonly Relation[]): AdrFinding[] {
  const status = statusName(adr);
  const relation = relations.find(({ reference, to }) => reference.kind === 'superseded_by' && to !== undefined);
  if (relation === undefined || status === undefined || !inForce(relation)) return [];
  if (status === 'superseded' || status === 'deprecated') return [];
  return [
    notReciprocal(
      relation,
      `this ADR is superseded by ${nameOf(relation.to ?? adr)}, but its status is still ${status}`,
    ),
  ];
}

function notReciprocal({ from, reference }: Relation, message: string): AdrFinding {
  const hint = 'write it into both: helix adr supersede <old> <new>';
  return corpusFinding(from, reference, { severity: 'warning', check: 'supersession-not-reciprocal', message, hint });
}

function restsOnSuperseded(
  { from, to, reference }: Relation,
  { sayings, successors }: { readonly sayings: Sayings; readonly successors: ReadonlyMap<Adr, readonly Adr[]> },
): AdrFinding[] {
  if (to === undefined || reference.kind !== 'depends_on' || statusName(to) !== 'superseded') return [];
  const status = statusName(from);
  if (status === 'superseded' || status === 'rejected' || status === 'deprecated') return [];
  const by = successors.get(to) ?? [];
  if (by.some((adr) => adr === from || sayings.says(from, 'depends_on', adr))) return [];
  const [successor] = by;
  return [
    corpusFinding(from, reference, {
      severity: 'warning',
      check: 'depends-on-superseded',
      message: `this ADR depends on ${nameOf(to)}, which is superseded${successor === undefined ? '' : ` by ${nameOf(successor)}`}`,
      hint: successor === undefined ? 'name what is in force now' : `depend on ${nameOf(successor)} if it still holds`,
    }),
  ];
}

/** What ADRs say of each other; each question costs the same however many there are. */
type Sayings = {
  says(from: Adr, kind: Reference['kind'], to: Adr): boolean;
  /** True when the text tells of a supersession outside of the header, as in a list of links. */
  tells(from: Adr, to: Adr): boolean;
};

const TELLING = /supersed|superced|replac|obsolet|ersetz|abgelöst|ablös|remplac/i;
const MOST_LINES = 100;
const MOST_CHARACTERS = 2_000;

/** Indexes what was said. */
function sayingsOf(relations: Iterable<Relation>): Sayings {
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

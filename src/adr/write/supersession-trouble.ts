import { type AdrCorpus, adrCorpus } from '../corpus/adr-corpus.ts';
import { nameOf, statusName } from '../corpus/own-id.ts';
import type { Relation } from '../corpus/relations.ts';
import type { Adr, Reference } from '../document/adr.ts';
import { parseAdr } from '../document/parse-adr.ts';

/** Two ADRs, and the texts they would have afterwards; a text that does not change is not there. */
type Edited = {
  readonly old: Adr;
  readonly successor: Adr;
  readonly oldText: string | undefined;
  readonly text: string | undefined;
};

/** Reads edited ADRs again and says which of them cannot be edited, and why: one that would not say what was meant, or not what it said before. */
export function supersessionTrouble(
  corpus: AdrCorpus,
  { old, successor, oldText, text }: Edited,
): { readonly path: string; readonly why: string } | undefined {
  const oldAfter = oldText === undefined ? old : parseAdr(oldText, old.path);
  const after = text === undefined ? successor : parseAdr(text, successor.path);
  const others = corpus.adrs.filter((adr) => adr !== old && adr !== successor);
  const { relations } = adrCorpus([...others, oldAfter, after]);
  const says = (from: Adr, to: Adr, kind: Reference['kind']): boolean =>
    relations.some((each) => each.from === from && each.to === to && each.reference.kind === kind);
  const oldWhy =
    damage(old, oldAfter) ??
    loss(namedBy(corpus.relations, old), namedBy(relations, oldAfter)) ??
    (isSuperseded(oldAfter) ? undefined : 'its status would not be read as superseded') ??
    (says(oldAfter, after, 'superseded_by') ? undefined : `${nameOf(successor)} would not be found by its name`);
  if (oldText !== undefined && oldWhy !== undefined) return { path: old.path, why: oldWhy };
  const why =
    damage(successor, after) ??
    loss(namedBy(corpus.relations, successor), namedBy(relations, after)) ??
    (says(after, oldAfter, 'supersedes') ? undefined : `${nameOf(old)} would not be found by its name`);
  return text === undefined || why === undefined ? undefined : { path: successor.path, why };
}

const EDITED = ['status', 'supersedes', 'superseded_by', 'superseded-by'];

function damage(before: Adr, after: Adr): string | undefined {
  const [was, is] = [before.frontMatter, after.frontMatter];
  const [broken] = (is?.findings ?? []).slice(was?.findings.length ?? 0);
  if (broken !== undefined) return `its front matter would be broken (${broken.message})`;
  const rest = ({ fields = {} }: Partial<NonNullable<Adr['frontMatter']>>): string =>
    JSON.stringify(Object.entries(fields).filter(([name]) => !EDITED.includes(name)));
  return rest(was ?? {}) === rest(is ?? {}) ? undefined : 'other fields of its front matter would change';
}

function namedBy(relations: readonly Relation[], adr: Adr): ReadonlyMap<string, string> {
  const own = relations.filter(({ from }) => from === adr);
  return new Map(own.map(({ reference, name }) => [`${reference.kind} ${name}`, name]));
}

/** Numbers of something else, such as a pull request, are no names. */
function loss(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string | undefined {
  const [lost] = [...before].filter(([key]) => !after.has(key)).map(([, name]) => name);
  return lost === undefined ? undefined : `it would no longer name ${lost}`;
}

/** Nothing is left of what stood there before. */
function isSuperseded({ statuses }: Adr): boolean {
  const names = statuses.map((status) => statusName({ statuses: [status] }));
  return (
    statusName({ statuses }) === 'superseded' && names.every((name) => name === undefined || name === 'superseded')
  );
}

import { fileName, folderOf, numberOf, ownId } from '../corpus/own-id.ts';
import type { Adr, Reference } from '../document/adr.ts';
import { unpadded } from '../document/adr-names.ts';

/** How an ADR is called in prose: `ADR-0005`, or its file where it has no number. */
function prefixedName(adr: Adr): string {
  const id = ownId(adr)?.value;
  return id !== undefined && numberOf(id) !== undefined
    ? `ADR-${id}`
    : fileName(adr.path).replace(/\.(?:md|markdown)$/i, '');
}

/** The short name where others have no link: a number is found without one, a file is not. */
export function shortName(adr: Adr, from: Adr): string {
  const name = prefixedName(adr);
  return /^ADR-\d/.test(name) ? name : linkTo(adr, from, 'name');
}

/** The id of an ADR as a field of another one takes it: as that writes the ids it has, else as its own front matter does, else its file. */
export function fieldName(adr: Adr, asked: Adr, kind: Reference['kind']): string {
  const own = ownId(adr);
  if (own === undefined || numberOf(own.value) === undefined)
    return own?.source === 'front-matter' ? own.value : fileName(adr.path);
  const others = asked.references.filter(({ source }) => source === 'front-matter');
  const other = (others.find((each) => each.kind === kind) ?? others[0])?.value ?? '';
  const [, prefix = '', number] = /^(adr[-_ #]*)?(\d+)$/i.exec(other) ?? [];
  if (number !== undefined) return prefix + paddedLike(own.value, number);
  if (/\.(?:md|markdown)$/i.test(other)) return fileName(adr.path);
  const prefixed = /^adr/i.test(other === '' ? (adr.ids[0]?.value ?? '') : other);
  return prefixed || own.source !== 'front-matter' ? `ADR-${own.value}` : own.value;
}

function paddedLike(id: string, other: string): string {
  if (!/^\d+$/.test(id)) return id;
  if (other.startsWith('0')) return id.padStart(other.length, '0');
  return other.length < id.length ? unpadded(id) : id;
}

/** A link from one ADR to another, with the other's whole heading or its short name as text; a status with `|` is taken for a template's list. */
export function linkTo(adr: Adr, from: Adr, label: 'heading' | 'name'): string {
  const heading = adr.sections.find(({ level }) => level === 1)?.title;
  const text = label === 'heading' && heading !== undefined && /^[^|]+$/.test(heading) ? heading : prefixedName(adr);
  return `[${text.replace(/[[\]\\]/g, '\\$&')}](${relativeLink(adr.path, from.path)})`;
}

/** The way from one file to another, fit for a link. */
export function relativeLink(path: string, from: string): string {
  const [there, here] = [folderOf(path).split('/'), folderOf(from).split('/')];
  let common = 0;
  while (common < here.length && common < there.length && here[common] === there[common]) common += 1;
  const up = here
    .slice(common)
    .filter((part) => part !== '')
    .map(() => '..');
  const way = [...up, ...there.slice(common).filter((part) => part !== ''), fileName(path)].join('/');
  return way.replace(/[\s()<>%"\\#?|`:&]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  );
}

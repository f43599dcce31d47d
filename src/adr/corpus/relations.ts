import { present } from '../../domain/present.ts';
import type { Adr, Reference } from '../document/adr.ts';
import { namesIn } from '../document/adr-names.ts';
import { type AdrLookup, linkedPath } from './adr-lookup.ts';
import { fileName, folderOf, isTemplate, numberOf } from './own-id.ts';

/** One ADR naming another, as far as it could be found. */
export type Relation = {
  readonly from: Adr;
  readonly reference: Reference;
  /** What it is called there: one of the names in the reference. */
  readonly name: string;
  readonly to: Adr | undefined;
  /** True when `to` is missing although the reference clearly means an ADR of this folder. */
  readonly dangling: boolean;
};

/** Everything an ADR says about others in its header and its status. */
export function relationsOf(adr: Adr, lookup: AdrLookup): Relation[] {
  if (isTemplate(adr.path)) return [];
  const relations: Relation[] = [];
  const seen = new Set<string>();
  for (const reference of adr.references) {
    for (const named of namesOf(reference, (name) => lookup.byName(name, adr.path) !== undefined)) {
      const key = `${reference.kind}\n${named.name}\n${named.target ?? ''}`;
      if (seen.has(key) || !meansAnAdr(adr, reference, named)) continue;
      seen.add(key);
      relations.push({ from: adr, reference, name: named.name, ...find(adr, named, lookup) });
    }
  }
  return relations;
}

/** An ADR of a folder that is named with it: `../orders/007`. */
const IN_FOLDER = /^\.\.?\/[^\s,;[\]]+$/;

type Named = { readonly name: string; readonly target?: string };

/** A field of the front matter is raw: an id, a file, a link, or several of them in one text. */
function namesOf(reference: Reference, isKnown: (name: string) => boolean): readonly Named[] {
  const { value, source, target } = reference;
  if (source !== 'front-matter' || target !== undefined) return [{ name: value, ...present({ target }) }];
  const file = /^\S+\.(?:md|markdown)(?:#\S*)?$/i.test(value) && !value.includes('](');
  if (file || IN_FOLDER.test(value)) return [{ name: fileName(value), target: value }];
  if (!value.includes('](') && !/[,;]/.test(value) && isKnown(value)) return [{ name: value }];
  const names = namesIn(value);
  return names.length > 0 ? names : [{ name: value }];
}

const NOTHING = /^(?:none|n\/?a|null|nil|tbd|todo|no|nein|keine?|aucune?|nichts|[~–—-]+|\{.*\}|<.*>|.*[xn]{3,}.*)$/i;
/** An id of something else: a ticket, a standard, a requirement. */
const FOREIGN = /^(?!adr\b)\p{L}[\p{L}\d]*[-_ #]?\d+$|:\/\//iu;

/** True for what stands where a name would, and is none. */
export function isNothing(text: string): boolean {
  return text.trim() === '' || NOTHING.test(text.trim());
}

const LONGEST_SENTENCE = 4_000;

/** Prose has numbers of its own ("section 3", "2 years"), so that there a bare one must stand right behind the word that refers. */
function meansAnAdr(adr: Adr, reference: Reference, { name, target }: Named): boolean {
  if (NOTHING.test(name)) return false;
  if (reference.source === 'front-matter' || target !== undefined) return true;
  const text = adr.lines[reference.line - 1] ?? '';
  // So long a line is no sentence but a list.
  if (text.length > LONGEST_SENTENCE) return true;
  const escaped = name.replace(/[^\p{L}\p{N}]/gu, '\\$&');
  return new RegExp(
    `(?:\\badr|\\b(?:by|durch|par|supersedes|replaces|ersetzt|remplace|on|von|to)\\b|[:|,])[\\s*_#:-]*${escaped}(?![\\d.]*\\d)`,
    'iu',
  ).test(text);
}

function find(adr: Adr, { name, target }: Named, lookup: AdrLookup): Pick<Relation, 'to' | 'dangling'> {
  const linked = target === undefined ? undefined : lookup.byLink(target, adr.path);
  if (linked !== undefined) return { to: linked, dangling: false };
  const elsewhere = target !== undefined && leavesFolder(target, adr.path);
  const byName = elsewhere ? undefined : lookup.byName(name, adr.path);
  if (byName === 'several') return { to: undefined, dangling: false };
  return { to: byName, dangling: byName === undefined && !elsewhere && !isForeign(name, target) };
}

function leavesFolder(target: string, from: string): boolean {
  const path = linkedPath(target, from);
  return path === undefined || folderOf(path) !== folderOf(linkedPath(fileName(from), from) ?? from);
}

function isForeign(name: string, target: string | undefined): boolean {
  return target === undefined && numberOf(name) === undefined && (FOREIGN.test(name) || name.split(/\s+/).length > 3);
}

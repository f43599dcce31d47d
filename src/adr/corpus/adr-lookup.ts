import type { Adr } from '../document/adr.ts';
import { adrIdIn } from '../document/adr-names.ts';
import { fileName, folderOf, idText, isAnnex, isTemplate, languageInName, numberOf, ownId } from './own-id.ts';

/** Finds ADRs by what others call them: those of the same folder first, then all that were given. */
export type AdrLookup = {
  /** By id, as text first, then as a number if only one has it, then by file name; `several` when it is not clear which. */
  byName(name: string, from: string): Adr | 'several' | undefined;
  /** By the path of a link as seen from a file; its last part may be the name of an ADR in that folder. */
  byLink(target: string, from: string): Adr | undefined;
};

/** Indexes ADRs once, so that each reference costs the same however many there are; those that lie beside are only known in their folder. */
export function adrLookup(adrs: readonly Adr[], beside: readonly Adr[] = []): AdrLookup {
  const index = new Map<string, Adr[]>();
  const paths = new Map<string, Adr>();
  const add = (key: string, adr: Adr): void => {
    const known = index.get(key);
    if (known === undefined) index.set(key, [adr]);
    else if (known.at(-1) !== adr) known.push(adr);
  };
  const elsewhere = new Set(beside);
  for (const adr of [...adrs, ...beside]) {
    const folder = folderOf(adr.path);
    const id = ownId(adr)?.value;
    const number = id === undefined ? undefined : numberOf(adrIdIn(id) ?? id);
    for (const scope of elsewhere.has(adr) ? [`${folder}/`] : [`${folder}/`, '']) {
      if (id !== undefined) add(`${scope}\nid ${id}`, adr);
      if (number !== undefined) add(`${scope}\nnumber ${number}`, adr);
      add(`${scope}\nfile ${stem(adr.path)}`, adr);
    }
    paths.set(normalise(adr.path), adr);
  }
  return {
    byName: (name, from) => {
      for (const scope of [`${folderOf(from)}/`, '']) {
        const found = findIn(index, { scope, name, from });
        if (found !== undefined) return found;
      }
      return undefined;
    },
    byLink: (target, from) => {
      const path = linkedPath(target, from);
      if (path === undefined || paths.has(path)) return path === undefined ? undefined : paths.get(path);
      const found = findIn(index, { scope: `${folderOf(path)}/`, name: fileName(path), from });
      return found === 'several' || /\.(?:md|markdown)$/i.test(path) ? undefined : found;
    },
  };
}

type Wanted = { readonly scope: string; readonly name: string; readonly from: string };

function findIn(
  index: ReadonlyMap<string, readonly Adr[]>,
  { scope, name, from }: Wanted,
): Adr | 'several' | undefined {
  const id = adrIdIn(name) ?? name;
  const number = numberOf(id);
  const exact =
    index.get(`${scope}\nid ${idText(name)}`) ??
    index.get(`${scope}\nfile ${stem(name)}`) ??
    index.get(`${scope}\nid ${id}`);
  if (exact !== undefined) return ofLanguage(exact, from);
  const numbered = number === undefined ? undefined : index.get(`${scope}\nnumber ${number}`);
  if (numbered === undefined) return undefined;
  const ids = new Set(numbered.map((adr) => ownId(adr)?.value));
  return ids.size > 1 ? 'several' : ofLanguage(numbered, from);
}

/** Of translations, the one in the language of the referring file, else the first; a part of an ADR is not meant by its number. */
function ofLanguage(adrs: readonly Adr[], from: string): Adr | 'several' | undefined {
  if (adrs.length < 2) return adrs[0];
  const mains = adrs.filter(({ path }) => !isAnnex(path) && !isTemplate(path));
  const all = mains.length === 0 ? adrs : mains;
  const language = languageInName(from);
  const own = all.filter(({ path }) => languageInName(path) === language);
  if (own.length > 1) return 'several';
  const [only = all[0]] = own;
  return only;
}

function stem(path: string): string {
  return fileName(path)
    .replace(/\.(?:md|markdown)$/i, '')
    .normalize('NFC')
    .toLowerCase();
}

/** The path a relative link leads to, without its anchor; undefined for addresses, site roots and what leaves the tree. */
export function linkedPath(target: string, from: string): string | undefined {
  const bare = target.replace(/^<|>$/g, '').replace(/[#?].*$/s, '');
  if (bare === '' || bare.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(bare)) return undefined;
  return normalise(`${folderOf(from)}/${decoded(bare)}`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.normalize('NFC').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

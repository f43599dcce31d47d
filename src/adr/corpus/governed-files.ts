import type { AdrGovernedFiles } from '../../domain/documents/adr-list-documents.ts';
import { globMatcher, globProblem, isGlob } from '../../text/glob.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Adr } from '../document/adr.ts';

/** How an ADR governs a file. */
export type Governance = { readonly as: keyof AdrGovernedFiles; readonly entry: string };

const KINDS = ['create', 'modify', 'docs'] as const;

/** The files an ADR lists in its front matter, as written. */
export function governedFiles({ frontMatter }: Adr): AdrGovernedFiles {
  const lists = frontMatter?.fields.files;
  const listed = (kind: string): string[] => {
    const list = isRecord(lists) ? lists[kind] : undefined;
    return (Array.isArray(list) ? list : [list]).filter((each): each is string => typeof each === 'string');
  };
  return { create: listed('create'), modify: listed('modify'), docs: listed('docs') };
}

/** Tells how an ADR governs a file, or all it lists in a folder, by a path from the root of the repository; nothing when it does not. */
export function governs(adr: Adr): (path: string, kind: 'file' | 'folder') => readonly Governance[] {
  const files = governedFiles(adr);
  const entries = KINDS.flatMap((as) => files[as].map((entry) => ({ as, entry, ...reach(entry) })));
  return (path, kind) => {
    const found = entries.filter(({ covers, isBelow }) => covers(path) || (kind === 'folder' && isBelow(path)));
    return found.slice(0, kind === 'file' ? 1 : found.length).map(({ as, entry }) => ({ as, entry }));
  };
}

type Reach = {
  /** True for what it lists. */
  readonly covers: (path: string) => boolean;
  /** True for a folder in which something is that it lists. */
  readonly isBelow: (folder: string) => boolean;
};

/** An entry is a file, a folder with all in it, or a pattern; what follows in brackets is a remark. */
function reach(entry: string): Reach {
  const path = entry
    .trim()
    .replace(/\s+(?:\(.*\)|#.*)$/s, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (path === '') return { covers: () => false, isBelow: () => false };
  const inside = (file: string): boolean => file === path || file.startsWith(`${path}/`);
  const below = (folder: string): boolean => folder === '.' || path.startsWith(`${folder}/`);
  if (!isGlob(path) || globProblem(path) !== undefined) return { covers: inside, isBelow: below };
  const matches = globMatcher(path);
  // Names such as `[id].ts` look like patterns and are none.
  return {
    covers: (file) => matches(file) || inside(file),
    isBelow: (folder) => below(folder) || leadsInto(path, folder),
  };
}

/** True when the beginning of a pattern matches a folder, so that the rest of it can match what is in there. */
function leadsInto(pattern: string, folder: string): boolean {
  const [parts, names] = [pattern.split('/'), folder.split('/')];
  const deep = parts.indexOf('**');
  if (deep === -1 && parts.length <= names.length) return false;
  const shared = Math.min(names.length, deep === -1 ? parts.length : deep);
  return shared === 0 || globMatcher(parts.slice(0, shared).join('/'))(names.slice(0, shared).join('/'));
}

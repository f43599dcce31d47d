import type { AdrGovernedFiles } from '../../domain/adr-list-documents.ts';
import { globMatcher, globProblem, isGlob } from '../../text/glob.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Adr } from '../adr.ts';

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

/** Tells how an ADR governs a file, by a path from the root of the repository; undefined when it does not. */
export function governs(adr: Adr): (path: string) => Governance | undefined {
  const files = governedFiles(adr);
  const tests = KINDS.flatMap((kind) => files[kind].map((entry) => ({ as: kind, entry, covers: covers(entry) })));
  return (path) => {
    const found = tests.find((test) => test.covers(path));
    return found === undefined ? undefined : { as: found.as, entry: found.entry };
  };
}

/** An entry is a file, a folder with all in it, or a pattern; what follows in brackets is a remark. */
function covers(entry: string): (path: string) => boolean {
  const path = entry
    .trim()
    .replace(/\s+(?:\(.*\)|#.*)$/s, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '');
  if (path === '') return () => false;
  const inside = (file: string): boolean => file === path || file.startsWith(`${path}/`);
  if (!isGlob(path) || globProblem(path) !== undefined) return inside;
  const matches = globMatcher(path);
  // Names such as `[id].ts` look like patterns and are none.
  return (file) => matches(file) || inside(file);
}

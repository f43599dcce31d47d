import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { inQuotes } from '../../domain/in-quotes.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher } from '../../text/glob.ts';
import { plainName, unseenIn, withoutEnds } from '../../text/look-alike.ts';
import { oneLine } from '../../text/sanitise.ts';
import { compareTrees } from './compare-trees.ts';

const MAX_FINDINGS = 50;

type Compared = {
  readonly tree: Tree;
  readonly base: Tree;
  /** Patterns of protected paths. */
  readonly guarded: readonly string[];
  /** Tells whether the phase is there to write a path. */
  readonly isDeclared: (path: string) => boolean;
};

/** New names that can be taken for others: with characters nobody sees, or spelt like another one or a protected one but for case. */
export function lookAlikes(compared: Compared): Finding[] {
  const added = addedPaths(compared);
  if (added.length === 0) return [];
  const before = pathsOf(compared.base);
  const paths = pathsOf(compared.tree);
  const guard = guardOf(compared, (folder) => before.some((path) => path.startsWith(`${folder}/`)));
  const others = alikeAmong(paths, added);
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const path of added) {
    const alike = others(path);
    const unseen = unseenIn(path);
    const guarded = guard(path);
    if (unseen.length > 0) errors.push(hidden(path, unseen, alike));
    else if (guarded !== undefined) errors.push(mistakable(path, `what is protected as ${guarded}`, 'error'));
    else if (alike !== undefined) warnings.push(mistakable(path, alike, 'warning'));
    if (errors.length === MAX_FINDINGS) break;
  }
  // What rejects does not hide behind many that only warn.
  return [...errors, ...warnings].slice(0, MAX_FINDINGS);
}

function addedPaths({ tree, base }: Compared): string[] {
  const { before, changed } = compareTrees(tree, base);
  const links = new Set(base.links?.map(({ path }) => path));
  return [...changed, ...(tree.links ?? [])]
    .map(({ path }) => path)
    .filter((path) => !before.has(path) && !links.has(path));
}

function pathsOf({ files, outside = [], links = [] }: Tree): string[] {
  return [...files, ...outside, ...links].map(({ path }) => path);
}

/** A path with its folders, from the outermost on. */
function spellings(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Finds the other spelling, in the tree, of a new path or of one of its folders. */
function alikeAmong(paths: readonly string[], added: readonly string[]): (path: string) => string | undefined {
  const wanted = new Set(added.flatMap(spellings).map(plainName));
  const found = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const path of paths) {
    for (let at = path; at !== '.' && !seen.has(at); at = posix.dirname(at)) {
      seen.add(at);
      const plain = plainName(at);
      if (wanted.has(plain)) found.set(plain, (found.get(plain) ?? new Set()).add(at));
    }
  }
  return (path) => {
    for (const spelling of spellings(path)) {
      const other = [...(found.get(plainName(spelling)) ?? [])].find((each) => each !== spelling);
      if (other !== undefined) return other;
    }
    return undefined;
  };
}

/** Finds the pattern a path would match if it were spelt plainly; a folder that was there before is nobody's disguise. */
function guardOf(
  { guarded, isDeclared }: Compared,
  hadFolder: (folder: string) => boolean,
): (path: string) => string | undefined {
  const patterns = guarded.map((written) => {
    const pattern = posix.normalize(written);
    const root = pattern.endsWith('/**') ? pattern.split('/').length - 1 : undefined;
    return { written, root, exact: globMatcher(pattern), plain: globMatcher(plainName(pattern)) };
  });
  return (path) => {
    if (isDeclared(path) || patterns.some(({ exact }) => exact(path))) return undefined;
    const plain = plainName(path);
    const wasThere = (root: number | undefined) =>
      root !== undefined && hadFolder(path.split('/').slice(0, root).join('/'));
    return patterns.find((pattern) => pattern.plain(plain) && !wasThere(pattern.root))?.written;
  };
}

function hidden(path: string, unseen: readonly string[], alike: string | undefined): Finding {
  const like = alike === undefined ? '' : `, and looks like ${oneLine(alike, 200)}`;
  return {
    severity: 'error',
    check: 'look-alike',
    message: `the name ${oneLine(path, 200)} has characters nobody sees (${[...new Set(unseen)].slice(0, 5).join(', ')})${like}`,
    hint: 'Rename it without them.',
    location: { file: path },
  };
}

function mistakable(path: string, other: string, severity: 'error' | 'warning'): Finding {
  const ends = withoutEnds(path) === path ? undefined : inQuotes(path.slice(0, 200));
  const how = ends === undefined ? 'in case or in how its letters are composed' : 'in spaces or dots at its end';
  return {
    severity,
    check: 'look-alike',
    message: `the name ${ends ?? oneLine(path, 200)} differs only ${how} from ${oneLine(other, 200)}`,
    hint: 'On some machines both are one file. Give it a name of its own.',
    location: { file: path },
  };
}

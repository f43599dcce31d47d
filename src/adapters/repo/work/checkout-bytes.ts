import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { type Git, type GitPlace, nulSeparated } from '../git/git.ts';

/** By these git writes other bytes than it keeps: judges would read the ones, and users get the others. */
const CONVERTING = ['working-tree-encoding', 'ident', 'filter'] as const;
const LFS = 'lfs';
const UNSET = new Set(['unspecified', 'unset']);

/** Which of the changed files of a worktree users would get with other bytes than those that are judged. */
export async function otherBytes(
  git: Git,
  place: GitPlace & { readonly workTree: string },
  paths: readonly string[],
): Promise<Finding[]> {
  const known = new Map<string, boolean>();
  const concerned = paths.filter((path) => hasAttributes(posix.dirname(path), place.workTree, known));
  if (concerned.length === 0) return [];
  const input = concerned.map((path) => `${path}\0`).join('');
  const { out } = await git.run(['check-attr', '-z', '--stdin', ...CONVERTING], { ...place, input });
  const words = nulSeparated(out).map(String);
  const findings: Finding[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = '', attribute = '', value = ''] = words.slice(at, at + 3);
    if (UNSET.has(value) || (attribute === 'filter' && value === LFS)) continue;
    findings.push(finding(path, `${attribute}=${oneLine(value, 80)}`));
  }
  return findings;
}

/** Whether a folder or one above it has attributes; each is looked at once. */
function hasAttributes(folder: string, root: string, known: Map<string, boolean>): boolean {
  const found =
    known.get(folder) ??
    (existsSync(join(root, folder, '.gitattributes')) ||
      (folder !== '.' && hasAttributes(posix.dirname(folder), root, known)));
  known.set(folder, found);
  return found;
}

function finding(path: string, attribute: string): Finding {
  return {
    severity: 'error',
    check: 'checkout',
    message: `${oneLine(path, 200)} has the attribute ${attribute}: a checkout has other bytes than those that are judged`,
    hint: 'Take the attribute out of .gitattributes, or let a human change this file.',
    location: { file: path },
  };
}

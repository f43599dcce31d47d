import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { sha256 } from '../../../text/digest.ts';
import { oneLine } from '../../../text/sanitise.ts';
import type { UserRepository } from './user-repository.ts';

const MAX_BYTES = 1024 * 1024;

/** What in a repository can make its user's git run something, by name, with a digest of it. */
export type Settings = Readonly<Record<string, string>>;

/** Takes note of the repository's settings and hooks. */
export function settingsOf({ commonDir, gitDir }: UserRepository): Settings {
  const hooks = join(commonDir, 'hooks');
  const names = isDirectory(hooks) ? readdirSync(hooks).filter((name) => !name.endsWith('.sample')) : [];
  const files = [
    ['config', join(commonDir, 'config')],
    ['config.worktree', join(gitDir, 'config.worktree')],
    ...names.map((name) => [`hooks/${name}`, join(hooks, name)] as const),
  ] as const;
  return Object.fromEntries(files.map(([name, path]) => [name, digestOf(path)]));
}

/** Tells what became of them while an agent worked; it may well have been the user. */
export function changedSettings(before: Settings, now: Settings): Finding[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changed = [...names].filter((name) => (before[name] ?? '') !== (now[name] ?? ''));
  return changed
    .map((each) => oneLine(each, 100))
    .map((name) => ({
      severity: 'warning',
      check: 'settings',
      message: `.git/${name} of your repository was changed while the agent worked; your git runs what such files say`,
      hint: `If it was not you, look at it before you use git there: cat .git/${name}`,
    }));
}

function digestOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return '';
  return stat.isFile() && stat.size < MAX_BYTES ? sha256(readFileSync(path)) : `${stat.ino} ${stat.mtimeMs}`;
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

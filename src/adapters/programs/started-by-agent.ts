import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { readProc } from '../disk/process-identity.ts';
import { MARKER_VARIABLE } from './environment.ts';

const MOST_ABOVE = 100;
/** What agents, judges and gates of a run carry; programs that notify a user have fewer parts. */
const OF_A_PHASE = /^[0-9a-f]{16}:[0-9a-f]+:./;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The environment of whoever started the run that this process descends from by an agent or gate: of HELIX, as far as that can be seen,
 * else what its user has by default. Undefined where no agent is above; one that clears its own environment still has its parents.
 */
export function starterOfAgent(own: Env): (Env & { readonly HOME: string }) | undefined {
  const around = environmentsAbove();
  const last = around.findLastIndex(isMarked);
  if (last < 0 && !isMarked(own)) return undefined;
  const home = userInfo().homedir;
  return { HOME: home, ...around[last < 0 ? around.length : last + 1] };
}

function isMarked(env: Env): boolean {
  return OF_A_PHASE.test(env[MARKER_VARIABLE] ?? '');
}

/** What the processes above this one were started with, the nearest first, up to one that cannot be read. */
function environmentsAbove(): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  for (let pid = process.ppid; pid > 0 && found.length < MOST_ABOVE; pid = parentOf(pid)) {
    const environ = readProc(pid, 'environ')?.toString('utf8');
    if (environ === undefined) break;
    found.push(Object.fromEntries(environ.split('\0').map((each) => splitAt(each, each.indexOf('=')))));
  }
  return found;
}

function splitAt(text: string, at: number): [string, string] {
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The name of a program in the line may hold spaces and parentheses itself. */
function parentOf(pid: number): number {
  const stat = readProc(pid, 'stat')?.toString('latin1') ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0) || 0;
}

/** Existing directories among some words and those around them: where a command could find its project. */
export function directoriesIn(words: readonly string[], cwd: string): string[] {
  const named = words
    .flatMap(valuesIn)
    .map((word) => resolve(cwd, word))
    .filter((path) => existsSync(path));
  return [...new Set([cwd, ...named].flatMap(withThoseAround))];
}

const MOST_SHORT_OPTIONS = 10;

/** A word, and what it may give an option: `--dir=path`, or a path right behind letters of which each may be an option. */
function valuesIn(word: string): string[] {
  if (!word.startsWith('-')) return [word];
  if (word.startsWith('--')) return [word, word.slice(word.indexOf('=') + 1)];
  const letters = /^-[A-Za-z]*/.exec(word)?.[0].length ?? 0;
  return [word, ...Array.from({ length: Math.min(letters, MOST_SHORT_OPTIONS) }, (_, at) => word.slice(at + 1))];
}

function withThoseAround(path: string): string[] {
  return dirname(path) === path ? [path] : [path, ...withThoseAround(dirname(path))];
}

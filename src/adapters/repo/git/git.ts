import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { present } from '../../../domain/present.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { absoluteEntries, findTool } from '../../disk/find-program.ts';
import { GO_ON } from '../../disk/io-error.ts';
import { MARKER_VARIABLE } from '../../programs/environment.ts';

/** What of the user's environment git may see: where its own configuration and keys are, nothing that points it elsewhere. */
const PASSED =
  /^(HOME|USER|LOGNAME|LANG|TMPDIR|XDG_CONFIG_HOME|GNUPGHOME|GPG_TTY|SSH_AUTH_SOCK|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM))$/;

const FIXED = {
  LC_ALL: 'C.UTF-8',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
};

/** Nothing a repository brings along is run, nothing is fetched, and what git says is written is on disk. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.pager=cat',
  'core.quotePath=false',
  'core.fsync=objects,reference',
  'core.fsyncMethod=batch',
  'core.safecrlf=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'submodule.recurse=false',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'checkout.workers=0',
  'checkout.thresholdForParallelism=500',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

const STDERR_LIMIT = 64 * 1024;
const TIME_LIMIT_MS = 15 * 60_000;

/** Where a git command works: always a repository named outright, never one that is looked for. */
export type GitPlace = {
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly index?: string;
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** It may ask its user something, such as the word that opens a key: the terminal stays its own, and so does a Ctrl-C there. */
  readonly asks?: boolean;
  /** Exit codes other than 0 that are an answer, not a failure. */
  readonly answers?: readonly number[];
};

/** What git answered; `said` is what it told people meanwhile. */
export type GitOutput = { readonly code: number; readonly out: Buffer; readonly said: string };

/** The user's git, called so that no repository can make it run anything. */
export class Git {
  readonly #env: Readonly<Record<string, string>>;

  constructor(source: Readonly<Record<string, string | undefined>>, marker: string) {
    const passed = Object.entries(source).filter(([name, value]) => PASSED.test(name) && value !== undefined);
    // Git starts programs by their names, too, such as one that signs.
    const PATH = absoluteEntries(source.PATH).join(delimiter);
    this.#env = {
      ...(Object.fromEntries(passed) as Record<string, string>),
      PATH,
      ...FIXED,
      [MARKER_VARIABLE]: marker,
    };
  }

  /** Runs git to its end; throws HelixError `io` with what it said when it fails, `config` when there is no git. */
  async run(args: readonly string[], place: GitPlace = {}): Promise<GitOutput> {
    const child = this.start(args, place);
    const out: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => {
      if (complaint.length < STDERR_LIMIT) complaint += piece.toString('utf8');
    });
    // A git that has heard enough closes its end; how it exits says whether that was right.
    child.stdin.on('error', () => undefined);
    child.stdin.end(place.input);
    const { code, signal } = await ended(child, place);
    // No answer at all: what was killed has not refused anything.
    if (signal !== null) throw new HelixError('machine', `git ${args[0]} was ended by ${signal}`, { hint: GO_ON });
    if (code === 0 || place.answers?.includes(code)) return { code, out: Buffer.concat(out), said: complaint };
    if (/No space left on device|Disk quota exceeded/.test(complaint)) {
      throw new HelixError('disk_full', `the disk is full: ${complaint.trim().slice(0, 300)}`, {
        hint: 'Free some space, then go on with: helix resume',
      });
    }
    if (/Input\/output error|Too many open files|Cannot allocate memory|out of memory/i.test(complaint)) {
      throw new HelixError('machine', `git ${args[0]} failed: ${excerpt(complaint.trim(), 300)}`, { hint: GO_ON });
    }
    throw new HelixError('io', `git ${args[0]} failed: ${excerpt(complaint.trim() || `exit code ${code}`, 1000)}`);
  }

  /** What git prints, as text without the line's end. */
  async text(args: readonly string[], place: GitPlace = {}): Promise<string> {
    return (await this.run(args, place)).out.toString('utf8').replace(/\n$/, '');
  }

  /** Starts git and leaves it running; throws HelixError `config` when there is no git. */
  start(args: readonly string[], place: GitPlace) {
    const { gitDir, workTree, index, env, asks = false } = place;
    return spawn(gitIn(this.#env.PATH), [...SETTINGS, ...args], {
      cwd: directoryOf(place),
      env: {
        ...this.#env,
        ...present({ GIT_DIR: gitDir, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: index }),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C goes to all of a terminal's group; half of what git writes is of no use to anybody.
      detached: !asks,
    });
  }
}

function gitIn(searchPath: string | undefined): string {
  const found = findTool('git', searchPath);
  if (found !== undefined) return found;
  throw new HelixError('config', 'git was not found', { hint: 'Install git 2.38 or newer.' });
}

function directoryOf({ cwd, workTree, gitDir }: GitPlace): string {
  return cwd ?? workTree ?? gitDir ?? '/';
}

type Exit = { readonly code: number; readonly signal: NodeJS.Signals | null };

function ended(child: ReturnType<Git['start']>, place: GitPlace): Promise<Exit> {
  // Not the option of spawn, whose clock goes on where a process could not be started.
  const limit = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  return new Promise<Exit>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => reject(notStarted(cause, directoryOf(place))));
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }));
  }).finally(() => clearTimeout(limit));
}

function notStarted(cause: NodeJS.ErrnoException, dir: string): HelixError {
  if (!existsSync(dir)) return new HelixError('io', `${dir} is gone`, { cause });
  return new HelixError('io', `git could not be started: ${cause.message}`, { cause });
}

/** Splits what git prints with `-z`. */
export function nulSeparated(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(0, from);
    parts.push(output.subarray(from, end === -1 ? output.length : end));
    from = (end === -1 ? output.length : end) + 1;
  }
  return parts;
}

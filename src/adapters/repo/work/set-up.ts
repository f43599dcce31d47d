import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { present } from '../../../domain/present.ts';
import type { Layer, Processes } from '../../../ports/processes.ts';
import type { Tree, TreeFile } from '../../../ports/tree.ts';
import type { SetUpStep } from '../../../ports/workspace.ts';
import { globMatcher, isGlob } from '../../../text/glob.ts';
import { excerpt, oneLine } from '../../../text/sanitise.ts';
import { withoutDirectory } from '../../../text/without-directory.ts';
import { findTool } from '../../disk/find-program.ts';
import { listDirectories } from '../git/list-directories.ts';
import { hasRealFolders } from '../git/real-folders.ts';
import { type KeptSetUp, KeptSetUps } from './kept-set-ups.ts';
import { canBeShown, layFolders } from './layered-folders.ts';
import { SpareCopy } from './spare-copy.ts';
import { relocateVirtualEnvironment } from './virtual-environment.ts';

/** Files that pin what set-up installs. */
const LOCKS =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|requirements[^/]*\.txt|go\.sum|Cargo\.lock|gradle\.lockfile|Gemfile\.lock|composer\.lock|packages\.lock\.json)$/;
/** Files that say what set-up installs where nothing pins it. */
const MANIFESTS =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Pipfile|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|[^/]+\.csproj)$/;

const WALL_MS = 30 * 60_000;
const MAX_MADE = 2000;
/** Fewer files than these are copied before anybody has waited. */
const MANY = 500;

type Settings = Plan['workspace'];
type Place = {
  readonly dir: string;
  readonly tree: Tree;
  /** Files of the repository above the project: a lock file there counts, too. */
  readonly above: readonly TreeFile[];
  /** What lies there that neither the tree has nor git ignores: once set-up is done, it is what set-up made beside its folders. */
  readonly added: () => Promise<readonly string[]>;
  /** What the phase is to deliver: it must lie there. */
  readonly declared: readonly string[];
  /** Where what programs write over what they are shown is to lie; without it they get copies. */
  readonly aside?: string;
  readonly signal?: AbortSignal;
};

/** What programs are shown of what was installed that does not lie in their directory. */
export type Shown = {
  readonly layers: readonly Layer[];
  /** To be asked when they have ended: notices what was changed meanwhile of what they were shown. */
  readonly confirm: () => Promise<void>;
};

/** Nothing is shown. */
export const NOTHING: Shown = { layers: [], confirm: async () => undefined };
type Means = {
  readonly settings: Settings;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Where installed folders are kept, by digest. */
  readonly store: string;
  /** Where a copy is made before it is needed. */
  readonly work: string;
  readonly onStep?: ((step: SetUpStep) => void) | undefined;
};

/** Installs what a project needs, once for each content of its lock files; every later directory gets a copy, or is shown it. */
export class SetUp {
  readonly #means: Means;
  readonly #kept: KeptSetUps;
  readonly #spare: SpareCopy;
  #ahead = false;
  readonly #underWay = new Map<string, Promise<void>>();
  #notices: Finding[] = [];

  constructor(means: Means) {
    this.#means = means;
    this.#kept = new KeptSetUps(means.store);
    this.#spare = new SpareCopy(means);
  }

  /** From now on the next copy is made before it is needed: there will be more agents and gates. */
  workAhead(): void {
    this.#ahead = true;
  }

  /** Makes a directory ready to work in; throws HelixError `setup` with the command's words when that fails. */
  async prepare(place: Place): Promise<Shown> {
    if (this.#means.settings.setup.length === 0) return NOTHING;
    const key = this.#key([...place.above, ...place.tree.files]);
    for (;;) {
      const others = this.#underWay.get(key);
      const kept = others === undefined ? this.#usable(key) : undefined;
      const shown = kept && (await this.#provide(kept, place));
      if (shown !== undefined) return shown;
      // Nothing may come between finding that there is nothing and saying that it is being made.
      if (kept === undefined && others === undefined) break;
      await others?.catch(() => undefined);
    }
    const work = this.#install(place, key);
    this.#underWay.set(key, work);
    try {
      await work;
      const made = this.#ahead ? this.#kept.find(key) : undefined;
      if (made !== undefined && made !== 'changed' && place.aside === undefined) this.#makeAhead(made, made.folders);
      return NOTHING;
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** To be called when nothing works any more that could have written to the store. */
  async close(): Promise<void> {
    await this.#spare.close();
    await this.#kept.close();
  }

  /** What was noticed since this was asked last. */
  takeNotices(): Finding[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  #forget(key: string, touched: readonly string[]): void {
    this.#notices.push(rewritten(touched));
    this.#kept.drop(key);
  }

  async #confirm(key: string): Promise<void> {
    const touched = await this.#kept.touched(key);
    if (touched.length === 0) return;
    this.#notices.push(rewrittenMeanwhile(touched));
    this.#kept.drop(key);
  }

  #usable(key: string): KeptSetUp | undefined {
    const kept = this.#kept.find(key);
    if (kept !== 'changed') return kept;
    this.#forget(key, ['its record']);
    return undefined;
  }

  #key(all: readonly TreeFile[]): string {
    const { settings } = this.#means;
    const locks = all.filter(({ path }) => LOCKS.test(path));
    const locked = new Set(locks.map(({ path }) => posix.dirname(path)));
    const manifests = all.filter(({ path }) => MANIFESTS.test(path) && !locked.has(posix.dirname(path)));
    const files = [...locks, ...manifests].map(({ path, digest }) => [path, digest]);
    const root = settings.root === undefined ? [] : [settings.root];
    const machine = [process.platform, process.arch, this.#means.env.PATH ?? ''];
    const what = [settings.setup, settings.cache, files, ...machine, ...root];
    return createHash('sha256').update(JSON.stringify(what)).digest('hex');
  }

  async #install({ dir, signal, added }: Place, key: string): Promise<void> {
    const before = new Set(await added());
    for (const path of this.#means.settings.cache) requireInside(dir, path);
    for (const argv of this.#means.settings.setup)
      await this.#told({ command: argv.join(' '), kept: false }, () => this.#run(argv, dir, signal));
    const made = (await added()).filter((path) => !before.has(path)).slice(0, MAX_MADE);
    const folders = [...this.#folders(dir), ...made];
    await this.#kept.keep(key, { dir, folders }, async (files) => {
      for (const folder of folders) await copyFolder(join(dir, folder), join(files, folder));
    });
  }

  /** Copies what is kept, or shows it; undefined where it was not what was installed. Looked at afterwards, it was so all the while. */
  async #provide(kept: KeptSetUp, { dir, aside, tree, declared }: Place): Promise<Shown | undefined> {
    const folders = kept.folders.filter((path) => leadsInside(dir, path));
    const isShown = (folder: string) => canBeShown(folder, { files: kept.files, tree, declared });
    const shown = aside === undefined ? [] : folders.filter(isShown);
    const copied = folders.filter((folder) => !shown.includes(folder));
    const command = this.#means.settings.setup.map((argv) => argv.join(' ')).join(', ');
    const touched = await this.#told({ command, kept: true }, () => this.#laidOut(kept, dir, copied));
    if (touched.length > 0) {
      for (const folder of copied) rmSync(join(dir, folder), { recursive: true, force: true });
      this.#forget(kept.key, touched);
      return undefined;
    }
    for (const folder of copied) relocateVirtualEnvironment(join(dir, folder), { from: kept.dir, to: dir });
    if (this.#ahead && aside === undefined) this.#makeAhead(kept, folders);
    if (aside === undefined || shown.length === 0) return NOTHING;
    return { layers: layFolders({ dir, aside, kept, folders: shown }), confirm: () => this.#confirm(kept.key) };
  }

  #makeAhead(kept: KeptSetUp, folders: readonly string[]): void {
    if (kept.size >= MANY) this.#spare.begin(kept, folders);
  }

  /** Copies what is kept; resolves to what of it was touched since it was put there. */
  async #laidOut(kept: KeptSetUp, dir: string, folders: readonly string[]): Promise<string[]> {
    try {
      const isThere = await this.#spare.take(kept, folders, dir);
      for (const folder of isThere ? [] : folders) {
        rmSync(join(dir, folder), { recursive: true, force: true });
        await copyFolder(join(kept.files, folder), join(dir, folder));
      }
    } catch (error) {
      const touched = await this.#kept.touched(kept.key);
      if (touched.length === 0) throw error;
      return touched;
    }
    return this.#kept.touched(kept.key);
  }

  async #told<T>(step: SetUpStep, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let failed = true;
    this.#means.onStep?.(step);
    try {
      const done = await work();
      failed = false;
      return done;
    } finally {
      this.#means.onStep?.({ ...step, ended: { ms: Math.round(performance.now() - began), failed } });
    }
  }

  /** The folders to keep that are there; a pattern such as `packages/*` may name several. */
  #folders(dir: string): string[] {
    const { cache } = this.#means.settings;
    const plain = cache.filter((path) => !isGlob(path) && hasRealFolders(dir, `${path}/`));
    const matchers = cache.filter(isGlob).map(globMatcher);
    return [...plain, ...listDirectories(dir, (path) => matchers.some((matches) => matches(path)))];
  }

  async #run(argv: readonly string[], dir: string, signal?: AbortSignal): Promise<void> {
    const { processes, env, marker } = this.#means;
    const end = await processes.run({
      argv,
      cwd: dir,
      env,
      marker: `${marker}:set-up`,
      wallMs: WALL_MS,
      ...present({ signal }),
    });
    if (end.ended === 'exit' && end.exitCode === 0) return;
    if (end.ended === 'aborted') throw new HelixError('stopped', 'stopped during set-up');
    const words = excerpt(withoutDirectory(end.tail.trim(), dir), 1500);
    throw new HelixError(
      'setup',
      `the set-up command failed: ${argv.join(' ')}: ${end.message}${words && `\n${words}`}`,
      {
        hint: 'Try it by hand in a fresh clone. Where no phases.yaml says what is run (workspace.setup), it is detected; helix init writes it down for you to edit.',
      },
    );
  }
}

const SHOWN = 3;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN).map((path) => oneLine(path, 200));
  return shown.join(', ') + (paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '');
}

/** What a gate found with what was not what was installed does not count. */
function rewrittenMeanwhile(paths: readonly string[]): Finding {
  return {
    severity: 'error',
    check: 'set-up',
    message: `what set-up had installed was changed in HELIX's store while a gate worked with it (${named(paths)})`,
    hint: 'No program behind walls can write there: something else on this machine did. It is installed again for the next attempt.',
  };
}

function rewritten(paths: readonly string[]): Finding {
  return {
    severity: 'warning',
    check: 'set-up',
    message: `what set-up had installed was changed in HELIX's store (${named(paths)}); it was installed again`,
    hint: 'Without a sandbox, agents and commands of gates can write there. If you moved or repaired the store yourself, all is well.',
  };
}

/** Tells whether a path can be made below a directory: what there is of its folders must be folders, not links. */
function leadsInside(dir: string, path: string): boolean {
  const parts = dirname(path).split('/');
  return parts.every((_, at) => {
    const stat = lstatSync(join(dir, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory();
  });
}

/** What installs into a folder follows a link in its place: throws HelixError `setup` where that leads elsewhere. */
function requireInside(dir: string, path: string): void {
  if (isGlob(path) || lstatSync(join(dir, path), { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  if (realFolder(join(dir, path))?.startsWith(`${realpathSync(dir)}/`)) return;
  throw new HelixError('setup', `${path} is a link that leads out of the work, and set-up would install there`, {
    hint: 'Remove the link from the repository; set-up makes the folder.',
  });
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Copies a folder, by reference where the file system can do that. */
async function copyFolder(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  const how = process.platform === 'darwin' ? ['-Rpc'] : ['-a', '--reflink=auto', '-T'];
  const child = spawn(findTool('cp') ?? '/bin/cp', [...how, '--', from, to], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A Ctrl-C on the terminal is not for half a copy.
    detached: true,
  });
  let complaint = '';
  child.stderr.on('data', (piece: Buffer) => {
    if (complaint.length < 2000) complaint += piece.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  if (/No space left/.test(complaint)) throw new HelixError('disk_full', `the disk is full: ${to}`);
  throw new HelixError('io', `${from} could not be copied: ${excerpt(complaint, 500)}`);
}

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { RunState } from '../src/domain/facts/run-state.ts';
import type { Finding } from '../src/domain/finding.ts';
import { replay } from '../src/domain/run/evolve.ts';
import { type HelixEnd, helix } from './helix-process.ts';
import { eventually } from './robust-project.ts';
import { put, scratch } from './scratch.ts';

type Files = Readonly<Record<string, string | Buffer>>;

type Parts = {
  /** Files of the first commit beside the plan; `false` leaves the repository without any commit. */
  readonly files?: Files | false;
  /** What the agent does, as a shell script that runs in its worktree. */
  readonly agent?: string;
  /** The phases; by default one, `work`, that has to leave `out.txt`. */
  readonly phases?: readonly Readonly<Record<string, unknown>>[];
  /** More of phases.yaml and helix.yaml; without more, the sandbox is `basic`. */
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The repository has no plan and no settings of HELIX. */
  readonly planless?: boolean;
  /** The project below the repository's top. */
  readonly below?: string;
  /** Arguments of `git init`. */
  readonly init?: readonly string[];
  /** An empty directory all of it is to lie in, by default one in memory. */
  readonly root?: string;
};

/** What came of a run: how `helix` ended, what it printed, and the run's facts where there are any. */
export type RepositoryRun = HelixEnd & {
  readonly said: string;
  readonly run: string;
  readonly events: readonly RunEvent[];
  readonly state: RunState | undefined;
  /** Everything that was noticed or found, in order. */
  readonly findings: readonly Finding[];
};

type Call = {
  readonly env?: Readonly<Record<string, string>>;
  readonly through?: readonly string[];
  readonly input?: string;
};

const ONE_PHASE = [{ id: 'work', type: 'development', output: ['out.txt'] }] as const;

/** In the script of an agent: waits until the test has put a file `go` beside the repository. */
export const WAIT = 'while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.02; done';

/** A user's repository with a plan in it, a home of their own, and a program that is the agent; gone when the test is over. */
export class Repository {
  /** The directory all of it lies in. */
  readonly root: string;
  /** The top of the user's checkout. */
  readonly top: string;
  /** The project: the top, or a folder of it. */
  readonly dir: string;
  readonly home: string;

  constructor({
    files = {},
    agent = 'echo done > out.txt',
    below = '',
    init = [],
    planless = false,
    root = scratch(),
    ...plan
  }: Parts = {}) {
    this.root = root;
    this.top = join(this.root, 'repository');
    this.dir = join(this.top, below);
    this.home = join(this.root, 'home');
    for (const dir of [this.dir, this.home]) mkdirSync(dir, { recursive: true });
    onTestFinished(() => makeRemovable(this.root));
    put(this.home, {
      '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
    });
    this.git('init', '-q', ...init);
    if (!planless) put(this.dir, planFiles(plan, this.agentPath));
    this.agent(agent);
    if (files === false) return;
    put(this.top, { 'readme.md': 'hello\n', ...files });
    this.commit('first');
  }

  get agentPath(): string {
    return join(this.root, 'agent.sh');
  }

  /** Says what the agent does from now on. */
  agent(script: string): void {
    put(this.root, { 'agent.sh': `#!/bin/sh\nset -e\ncat > "$0.brief"\n${script}\n` });
    chmodSync(this.agentPath, 0o755);
  }

  /** What the agent was told last. */
  get brief(): string {
    return readFileSync(`${this.agentPath}.brief`, 'utf8');
  }

  path(...path: string[]): string {
    return join(this.top, ...path);
  }

  /** A path beside the repository, for what must not come to be there. */
  beside(path: string): string {
    return join(this.root, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  write(files: Files): void {
    put(this.top, files);
  }

  /** The user's own git, called at the top of their checkout; throws when it fails. */
  git(...args: string[]): string {
    return this.gitIn(this.top, ...args);
  }

  gitIn(dir: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd: dir, env: this.env(), encoding: 'utf8', stdio: 'pipe' }).replace(/\n$/, '');
  }

  /** Commits all there is. */
  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '-q', '--allow-empty', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      GIT_CONFIG_GLOBAL: join(this.home, '.gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      XDG_CACHE_HOME: join(this.root, 'cache'),
      XDG_STATE_HOME: join(this.root, 'state'),
      ...more,
    };
  }

  /** Calls the real `helix` in the project. */
  async helix(args: readonly string[], { env = {}, ...call }: Call = {}): Promise<HelixEnd> {
    return helix(args, { cwd: this.dir, env: { ...unset(), ...this.env(env) }, ...call });
  }

  /** Starts a run and tells what came of it. */
  async run(args: readonly string[] = [], call: Call = {}): Promise<RepositoryRun> {
    return this.#tell(await this.helix(['run', '--trust', ...args], call));
  }

  /** Goes on with the newest run. */
  async resume(args: readonly string[] = [], call: Call = {}): Promise<RepositoryRun> {
    return this.#tell(await this.helix(['resume', ...args], call));
  }

  /** Runs, and lets agents that WAIT go on when this phase is accepted. */
  async runPast(phase: string): Promise<RepositoryRun> {
    const running = this.run();
    await eventually(async () => (await this.journaled()).state?.phases.get(phase)?.accepted !== undefined);
    put(this.root, { go: '' });
    return running;
  }

  /** What the journal says about the newest run. */
  async journaled(): Promise<Pick<RepositoryRun, 'run' | 'events' | 'state' | 'findings'>> {
    const world = openWorld(openProject(this.dir));
    if (!world.hasJournal()) return { run: '', events: [], state: undefined, findings: [] };
    try {
      const journal = await world.journal();
      const run = (await journal.list())[0]?.run;
      const events = run === undefined ? [] : await journal.read(run);
      return { run: run ?? '', events, state: replay(events), findings: findingsOf(events) };
    } finally {
      world.close();
    }
  }

  /** The paths of a commit, by default those of the newest run's branch. */
  async files(commit?: string): Promise<string[]> {
    const from = commit ?? `helix/${(await this.journaled()).run}`;
    return this.git('ls-tree', '-r', '-z', '--name-only', from).split('\0').filter(Boolean);
  }

  /** A file as the newest run's branch has it. */
  async result(path: string): Promise<string> {
    return this.git('show', `helix/${(await this.journaled()).run}:${path}`);
  }

  /** What the newest run changed, as `status path` lines. */
  async changed(): Promise<string[]> {
    const { run, state } = await this.journaled();
    const from = state?.base?.commit ?? EMPTY_TREE;
    return this.git('diff-tree', '-r', '--name-status', '--no-renames', from, `helix/${run}`)
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace('\t', ' '));
  }

  /** Everything of the user's: files outside `.helix`, index, HEAD, settings, worktrees, and every ref but those of runs. */
  digest(): Record<string, string> {
    return digestOf(this.top, (dir, ...args) => this.gitIn(dir, ...args));
  }

  /** What HELIX has left of worktrees. */
  worktrees(): string[] {
    const cache = this.beside('cache/helix');
    if (!existsSync(cache)) return [];
    return readdirSync(cache).flatMap((project) => {
      const work = join(cache, project, 'work');
      return existsSync(work) ? readdirSync(work) : [];
    });
  }

  async #tell(end: HelixEnd): Promise<RepositoryRun> {
    return { ...end, said: `${end.stdout}${end.stderr}`, ...(await this.journaled()) };
  }
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What was found, as a reader sees it. */
export function words({ findings }: Pick<RepositoryRun, 'findings'>): string[] {
  return findings.map(({ severity, message }) => `${severity}: ${message}`);
}

/** What of a checkout is the user's and must be the same after a run, piece by piece. */
function digestOf(top: string, git: (dir: string, ...args: string[]) => string): Record<string, string> {
  const found: Record<string, string> = {};
  filesBelow(top, '', found);
  const gitDir = git(top, 'rev-parse', '--absolute-git-dir');
  const commonDir = git(top, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  for (const path of [join(gitDir, 'index'), join(gitDir, 'HEAD'), join(commonDir, 'config')]) {
    found[path.slice(path.lastIndexOf('/.git') + 1)] = existsSync(path) ? sha256(readFileSync(path)) : 'none';
  }
  for (const line of git(top, 'for-each-ref', '--format=%(refname) %(objectname) %(symref)').split('\n')) {
    const [ref = '', ...rest] = line.split(' ');
    if (ref !== '' && !ref.startsWith('refs/heads/helix/')) found[ref] = rest.join(' ').trim();
  }
  found.worktrees = git(top, 'worktree', 'list', '--porcelain').replaceAll(/^branch refs\/heads\/helix.*\n/gm, '');
  return found;
}

function filesBelow(top: string, below: string, found: Record<string, string>): void {
  // Names may be no text at all; as latin1 every byte of them is kept.
  const at = (path: string) => Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')]);
  for (const name of readdirSync(at(below), { encoding: 'latin1' })) {
    if (name === '.git' || name === '.helix') continue;
    const path = join(below, name);
    const bytes = at(path);
    const stat = lstatSync(bytes);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(bytes)}`;
    else if (stat.isFile()) found[path] = `${mode} ${sha256(readFileSync(bytes))}`;
    else if (stat.isDirectory()) {
      found[`${path}/`] = mode;
      filesBelow(top, path, found);
    } else found[path] = 'special';
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function planFiles({ phases = ONE_PHASE, plan, settings }: Parts, agent: string): Files {
  const agents = { default: { driver: 'command', command: [agent] } };
  return {
    'phases.yaml': `${JSON.stringify({ project: { name: 'mine', description: 'Make what the phases say' }, workspace: 'repo', phases, ...plan }, null, 1)}\n`,
    // Most tests are about what is noticed and put right where walls do not prevent it.
    'helix.yaml': `${JSON.stringify({ agents, sandbox: 'basic', ...settings }, null, 1)}\n`,
  };
}

function findingsOf(events: readonly RunEvent[]): Finding[] {
  return events.flatMap((event) => {
    if (event.type === 'attempt_judged') return event.data.verdicts.flatMap(({ findings }) => findings);
    if (event.type === 'attempt_interrupted') return event.data.notices ?? [];
    return [];
  });
}

/** Nothing of the environment the tests run in may reach git. */
function unset(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => /^(GIT_|HELIX_|XDG_)/.test(name));
  return Object.fromEntries(names.map((name) => [name, '']));
}

function makeRemovable(dir: string): void {
  spawnSync('chmod', ['-R', 'u+rwX', dir]);
}

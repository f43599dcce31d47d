import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { RepoWorkspace } from '../src/adapters/repo/repo-workspace.ts';
import { SetUp } from '../src/adapters/repo/work/set-up.ts';
import type { WorkspaceScope } from '../src/ports/workspace.ts';
import { samplePhase } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const FILES = 5000;
const PHASE = samplePhase('one', { output: { directory: '.', files: [] } });
const SETTINGS: WorkspaceScope['settings'] = { mode: 'repo', setup: [], copy: [], cache: [] };

/** A worktree attempt against what git's own worktrees cost. */
export async function worktreeClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const repo = makeRepository(join(dir, 'repo'));
    const { workspace, tip } = await openWorkspace(repo, join(dir, 'cache'));
    const attempt = async () => {
      const prepared = await workspace.prepare(PHASE, { start: undefined, inputs: [], omit: [], tip });
      writeFileSync(join(prepared.dir, 'made.txt'), String(performance.now()));
      const { tree } = await workspace.capture(PHASE);
      const copy = await workspace.checkout(PHASE, tree.id, []);
      await copy.dispose();
      // HELIX does not wait for that; what it is compared with does.
      while (existsSync(prepared.dir) || existsSync(copy.dir)) await setTimeout(1);
    };
    const worktree = async () => {
      git(repo, 'worktree', 'add', '-q', '--detach', join(dir, 'wt'));
      git(repo, 'worktree', 'remove', '--force', join(dir, 'wt'));
    };
    const measured = await compare(
      5,
      () => time(attempt),
      () => time(worktree),
    );
    await (await workspace.take())();
    return claim(
      'an attempt in a repository of 5,000 files, gate copy included / git worktree add and remove',
      2,
      measured,
    );
  });
}

/** What set-up costs once it was done, against a plain copy of the folder it made. */
export async function setUpClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const settings = { ...SETTINGS, setup: [['sh', 'make.sh']], cache: ['installed'] };
    const work = join(dir, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'make.sh'), MAKE_FILES);
    const env = { PATH: process.env.PATH ?? '' };
    const store = join(dir, 'store');
    const setUp = new SetUp({ settings, processes: createProcesses(), env, marker: 'bench', store, work: dir });
    const tree = { id: '', files: [], problems: [], read: async () => undefined };
    const place = { tree, above: [], added: async () => [], declared: [] };
    await setUp.prepare({ dir: work, ...place });
    const fromCache = async () => {
      mkdirSync(join(dir, 'next'));
      const took = await time(() => setUp.prepare({ dir: join(dir, 'next'), ...place }));
      rmSync(join(dir, 'next'), { recursive: true });
      return took;
    };
    const copied = async () => {
      mkdirSync(join(dir, 'copy'));
      const took = await time(() =>
        execFileSync('cp', ['-a', '--reflink=auto', join(work, 'installed'), join(dir, 'copy')]),
      );
      rmSync(join(dir, 'copy'), { recursive: true });
      return took;
    };
    return claim('set-up from the cache / a copy of the installed folder', 1.2, await compare(7, fromCache, copied));
  });
}

/** Some 4,000 small files in 200 folders, much like installed packages. */
const MAKE_FILES = `i=0; while [ $i -lt 200 ]; do mkdir -p installed/p$i; j=0
while [ $j -lt 20 ]; do echo "module.exports = $i$j;" > installed/p$i/f$j.js; j=$((j+1)); done; i=$((i+1)); done`;

function claim(
  name: string,
  limit: number,
  { ratio, thing, base }: { ratio: number; thing: number; base: number },
): Claim {
  return { name, limit, ratio, detail: `${thing.toFixed(0)} ms / ${base.toFixed(0)} ms` };
}

function makeRepository(dir: string): string {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q');
  for (let n = 0; n < FILES; n += 1) {
    const folder = join(dir, `src/module-${Math.floor(n / 50)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${n}.ts`), `export const value${n} = ${n};\n`.repeat(40));
  }
  git(dir, 'add', '-A');
  git(dir, '-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-qm', 'files');
  return dir;
}

async function openWorkspace(repo: string, cacheDir: string) {
  const scope = { run: 'bench', marker: 'bench', settings: SETTINGS, simulated: true };
  const around = { project: openProject(repo), processes: createProcesses(), env: {}, cacheDir };
  const workspace = await RepoWorkspace.open(scope, around);
  const { base } = await workspace.begin(false);
  return { workspace, tip: { tree: base.tree, ...(base.commit !== undefined && { commit: base.commit }) } };
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' });
}

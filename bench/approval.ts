import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProcesses } from '../src/adapters/processes.ts';
import { openProject } from '../src/adapters/project-directory.ts';
import { RepoWorkspace } from '../src/adapters/repo/repo-workspace.ts';
import type { WorkspaceScope } from '../src/ports.ts';
import { samplePhase } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const FILES = 5000;
const PHASE = samplePhase('one', { output: { directory: '.', files: [] } });

/** What approvals cost around the agent. */
export async function approvalClaims(): Promise<Claim[]> {
  return [await pinnedClaim()];
}

/** The copy a judge is given, against git's own way to lay out the same files. */
async function pinnedClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const repo = makeRepository(join(dir, 'repo'));
    const settings: WorkspaceScope['settings'] = { mode: 'repo', setup: [], copy: [], cache: [] };
    const scope = { run: 'bench', marker: 'bench', settings, simulated: true };
    const around = { project: openProject(repo), processes: createProcesses(), env: {}, cacheDir: join(dir, 'cache') };
    const workspace = await RepoWorkspace.open(scope, around);
    const { base } = await workspace.begin(false);
    const pinned = async () => {
      let made: { dispose(): Promise<void> } | undefined;
      const took = await time(async () => {
        made = await workspace.snapshot(PHASE, base.tree, []);
      });
      await made?.dispose();
      return took;
    };
    const worktree = async () => {
      const took = await time(() => git(repo, 'worktree', 'add', '-q', '--detach', join(dir, 'wt')));
      git(repo, 'worktree', 'remove', '--force', join(dir, 'wt'));
      return took;
    };
    const { ratio, thing, base: other } = await compare(5, pinned, worktree);
    await (await workspace.take())();
    const name = 'a pinned copy of a repository of 5,000 files / git worktree add';
    return { name, limit: 1.5, ratio, detail: `${thing.toFixed(0)} ms, ${other.toFixed(0)} ms` };
  });
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

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' });
}

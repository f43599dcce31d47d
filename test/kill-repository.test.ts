import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectCache } from '../src/adapters/disk/cache-directory.ts';
import { helix } from './helix-process.ts';
import { killAndResume, outcome, PLANS, SEED, takeUp } from './kill-and-resume.ts';
import { repetitions } from './repetitions.ts';
import { Stage } from './run-scenario.ts';

const KILLS = repetitions(5, 200);

function git(stage: Stage, ...args: string[]): string {
  return execFileSync('git', ['-C', stage.dir, ...args], { encoding: 'utf8' }).trim();
}

function listed(...path: string[]): string[] {
  const dir = join(...path);
  return existsSync(dir) ? readdirSync(dir) : [];
}

/** What a run in a repository leaves, once it is cleared up after: all that may be there, and nothing else. */
async function leftBehind(stage: Stage) {
  const cleared = await helix(['gc'], { cwd: stage.dir });
  expect(cleared).toMatchObject({ code: 0 });
  const { again, left, essence } = await outcome(stage);
  const branch = git(stage, 'for-each-ref', '--format=%(refname)', 'refs/heads/helix');
  return {
    ...{ again, left, essence },
    worktrees: listed(projectCache(stage.dir, process.env, homedir()), 'work'),
    indexes: listed(stage.dir, '.helix/repo/indexes'),
    refs: git(stage, 'for-each-ref', '--format=%(refname)')
      .split('\n')
      .map((ref) => (ref === branch ? 'the branch' : ref)),
    tree: git(stage, 'ls-tree', '-r', branch),
    commits: git(stage, 'rev-list', '--count', `main..${branch}`),
    users: [git(stage, 'status', '--porcelain'), git(stage, 'rev-parse', '--abbrev-ref', 'HEAD')],
    fsck: git(stage, 'fsck', '--no-progress'),
    gitWorktrees: git(stage, 'worktree', 'list').split('\n').length,
  };
}

describe(`real runs in a repository, killed with SIGKILL at random moments (HELIX_SEED=${SEED})`, () => {
  it(`end the same after at least ${KILLS} kills, and helix gc leaves nothing but the result's branch`, async () => {
    const reference = new Stage('killed-repo', PLANS);
    await takeUp(reference);
    const { fsck: _unkilled, ...whole } = await leftBehind(reference);
    expect(whole).toMatchObject({
      worktrees: [],
      indexes: [],
      refs: ['the branch', 'refs/heads/main'],
      again: [],
      left: 0,
    });
    reference.dispose();
    const check = async (stage: Stage) => {
      const { fsck, ...end } = await leftBehind(stage);
      expect(end).toEqual(whole);
      expect(fsck).not.toMatch(/missing|broken|corrupt/);
    };
    const { kills } = await killAndResume({ plan: 'killed-repo', kills: KILLS, check });
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  }, 400_000);
});

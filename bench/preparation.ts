import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { findSandbox } from '../src/adapters/programs/walls/find-sandbox.ts';
import { RepoWorkspace } from '../src/adapters/repo/repo-workspace.ts';
import { tryLayers } from '../src/adapters/repo/work/layered-folders.ts';
import type { ProcessSpec } from '../src/ports/processes.ts';
import type { WorkspaceScope } from '../src/ports/workspace.ts';
import { samplePhase } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const PHASE = samplePhase('one', { output: { directory: '.', files: [] } });
const ENV = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' };
const PACKAGES = 1500;
const ROUNDS = 3;

/** What an attempt in a repository with 300 MB of `node_modules` waits for, against a copy of them. */
export async function preparationClaims(): Promise<Claim[]> {
  return inDirectory(async (made) => {
    const dir = realpathSync(made);
    makePackages(join(dir, 'installed'));
    const claims = [await claimOf(dir, { walled: false, who: 'the second and later attempts in basic' })];
    if (await canShow(dir)) claims.unshift(await claimOf(dir, { walled: true, who: 'an attempt in strict' }));
    else console.log('skipped  an attempt in strict: this machine cannot show a folder without a copy of it');
    return claims;
  });
}

async function canShow(dir: string): Promise<boolean> {
  const means = { processes: createProcesses(), env: ENV };
  const { level } = await findSandbox('auto', means);
  return level === 'strict' && (await tryLayers(dir, { ...means, marker: 'bench-layers' }));
}

type Case = { readonly walled: boolean; readonly who: string };

async function claimOf(dir: string, { walled, who }: Case): Promise<Claim> {
  const at = join(dir, walled ? 'strict' : 'basic');
  const installed = join(dir, 'installed');
  const spare = endsOf('diff');
  const { workspace, tip } = await openWorkspace(at, { installed, walled, onEnd: spare.ended });
  const release = await workspace.take();
  const attempt = async () => {
    const ready = spare.next();
    const took = await time(() => workspace.prepare(PHASE, { start: undefined, inputs: [], omit: [], tip }));
    // As long as an agent works the next copy has time; here it is waited for.
    if (!walled) await ready;
    await workspace.capture(PHASE);
    return took;
  };
  const copy = async () => {
    const took = await time(() => execFileSync('cp', ['-r', installed, join(at, 'copy')]));
    execFileSync('rm', ['-r', join(at, 'copy')]);
    return took;
  };
  await attempt();
  const { ratio, thing, base } = await compare(ROUNDS, attempt, copy);
  await release();
  execFileSync('rm', ['-r', at]);
  const name = `${who}, 300 MB in 30,000 files of node_modules / cp -r of them`;
  return { name, limit: 0.15, ratio, detail: `${thing.toFixed(0)} ms / ${base.toFixed(0)} ms` };
}

type Around = { readonly installed: string; readonly walled: boolean; readonly onEnd: (program: string) => void };

async function openWorkspace(at: string, { installed, walled, onEnd }: Around) {
  const repo = makeRepository(join(at, 'repo'));
  const processes = createProcesses();
  const run = async (spec: ProcessSpec) => {
    const end = await processes.run(spec);
    onEnd(spec.argv[0] ?? '');
    return end;
  };
  const setup = [['cp', '-r', installed, 'node_modules']];
  const settings: WorkspaceScope['settings'] = { mode: 'repo', setup, copy: [], cache: ['node_modules'] };
  const scope = { run: 'bench', marker: `bench-${process.pid}`, settings, simulated: true, walled };
  const around = { processes: { ...processes, run }, env: ENV, cacheDir: join(at, 'cache') };
  const workspace = await RepoWorkspace.open(scope, { project: openProject(repo), ...around });
  const { base } = await workspace.begin(false);
  return { workspace, tip: { tree: base.tree, ...(base.commit !== undefined && { commit: base.commit }) } };
}

/** Tells when a program has ended the next time. */
function endsOf(program: string) {
  let waiting = Promise.withResolvers<void>();
  return {
    next: () => {
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
    ended: (name: string) => {
      if (name === program) waiting.resolve();
    },
  };
}

/** 20 files of 10 KB in each package. */
function makePackages(dir: string): void {
  const text = 'module.exports = "what a package is made of";\n'.repeat(222);
  for (let n = 0; n < PACKAGES; n += 1) {
    const folder = join(dir, `package-${n}`, 'lib');
    mkdirSync(folder, { recursive: true });
    for (let file = 0; file < 20; file += 1) writeFileSync(join(folder, `file-${file}.js`), text);
  }
}

function makeRepository(dir: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, '.gitignore'), 'node_modules\n');
  writeFileSync(join(dir, 'package.json'), '{}\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-qm', 'files');
  return dir;
}

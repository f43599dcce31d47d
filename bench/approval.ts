import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { readShippedConfig } from '../src/adapters/disk/shipped-config.ts';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { RepoWorkspace } from '../src/adapters/repo/repo-workspace.ts';
import { checkAdr } from '../src/adr/check-adr.ts';
import { checkAgainstConcept } from '../src/adr/check-against-concept.ts';
import { shippedRules } from '../src/adr/rules/load/shipped-rules.ts';
import type { WorkspaceScope } from '../src/ports/workspace.ts';
import { askedChecks, passes } from '../test/agents/approval-judge.ts';
import { structured } from '../test/agents/loopback/answer.ts';
import { type Scenario, startLoopbackModel } from '../test/agents/loopback-model.ts';
import { findAgent } from '../test/agents/real-agents.ts';
import { HELIX } from '../test/helix-process.ts';
import { samplePhase } from '../test/sample-start.ts';
import { sampleAdr } from './adr.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const FILES = 5000;
const PHASE = samplePhase('one', { output: { directory: '.', files: [] } });

/** What approvals cost around the agent. */
export async function approvalClaims(): Promise<Claim[]> {
  const claims = [
    await pinnedClaim(),
    await inDirectory(aroundClaim),
    await inDirectory(togetherClaim),
    await freeClaim(),
  ];
  return [...claims, ...(await cachedClaims())];
}

const JUDGE_SECONDS = 10;
const INPUTS = 100;
const TOGETHER = 5;

/** All that `helix approve` does beside waiting for its judge. */
async function aroundClaim(dir: string): Promise<Claim> {
  const repo = makeRepository(join(dir, 'repo'), INPUTS);
  const script = slowJudge(dir, ['code']);
  const took = await time(() =>
    helix(repo, 'approve', 'code', 'src/**/*.ts', '--agent', 'scripted', '--script', script),
  );
  const name = `helix approve of ${INPUTS} files / the ${JUDGE_SECONDS} s its judge takes`;
  return { name, limit: 1.1, ratio: took / (JUDGE_SECONDS * 1000), detail: `${took.toFixed(0)} ms` };
}

/** Approvals that do not depend on each other wait for the slowest judge, not for all of them. */
async function togetherClaim(dir: string): Promise<Claim> {
  const [one, many] = [approvals(join(dir, 'one'), 1), approvals(join(dir, 'many'), TOGETHER)];
  const alone = await time(() => helix(one, 'run', '--trust'));
  const together = await time(() => helix(many, 'run', '--trust'));
  const name = `${TOGETHER} approvals of ${JUDGE_SECONDS} s in one run / one of them`;
  const detail = `${together.toFixed(0)} ms, ${alone.toFixed(0)} ms`;
  return { name, limit: 1.15, ratio: together / alone, detail };
}

function approvals(dir: string, count: number): string {
  const types = Array.from({ length: count }, (_, n) => `type-${n}`);
  for (const type of types) {
    mkdirSync(join(dir, 'approvals', type, 'checks'), { recursive: true });
    writeFileSync(join(dir, 'approvals', type, 'CLAUDE.md'), '# Judge the text\n');
    writeFileSync(join(dir, 'approvals', type, 'checks', 'kind.md'), '# Is it kind?\n');
  }
  const phases = [
    { id: 'write', type: 'documentation', output: ['output/letter.md'] },
    ...types.map((type) => ({ id: type, type: 'approval', approval_type: type, input: ['output/letter.md'] })),
  ];
  writeFileSync(
    join(dir, 'phases.yaml'),
    JSON.stringify({ project: { name: 'bench' }, workspace: 'phase-dirs', phases }),
  );
  const agents = { default: { driver: 'scripted', script: 'scripted.yaml' } };
  writeFileSync(join(dir, 'helix.yaml'), JSON.stringify({ agents, allow_simulated: true }));
  slowJudge(dir, types);
  return dir;
}

/** A script whose judges take their time and then approve. */
function slowJudge(dir: string, types: readonly string[]): string {
  const moves = Object.fromEntries(types.map((type) => [type, [{ sleep: JUDGE_SECONDS }]]));
  const script = join(dir, 'scripted.yaml');
  writeFileSync(script, JSON.stringify({ approvals: moves }));
  return script;
}

/** The free checks of an ADR of 20 KB with its concept, in a running process. */
async function freeClaim(): Promise<Claim> {
  const shipped = readShippedConfig('adr-completeness-rules.yaml');
  const rules = shippedRules(shipped.text, shipped.path);
  const adr = sampleAdr('001', 20_000);
  const concept = checkAgainstConcept(sampleAdr('000', 4000), 'concept.md');
  const free = () => time(() => checkAdr(adr, { rules, concept }));
  for (let round = 0; round < 20; round += 1) await free();
  const { ratio, thing, base } = await compare(11, free, () => time(() => execFileSync(process.execPath, ['-e', '0'])));
  const detail = `${thing.toFixed(1)} ms, ${base.toFixed(0)} ms`;
  return { name: 'layers 1 to 3 of an ADR of 20 KB / node -e 0', limit: 0.2, ratio, detail };
}

/** What it takes to be told again what the real `claude` said before; none, and a line that says why, where there is no claude. */
async function cachedClaims(): Promise<Claim[]> {
  const claude = findAgent('claude-code');
  if (!('program' in claude)) {
    console.log(`skipped  an approval from the cache: ${claude.missing}`);
    return [];
  }
  return [await inDirectory((dir) => cachedClaim(dir, claude.program))];
}

async function cachedClaim(dir: string, claude: string): Promise<Claim> {
  const model = await startLoopbackModel({ approves });
  const repo = join(dir, 'repo');
  mkdirSync(repo);
  writeFileSync(join(repo, 'letter.md'), 'Dear reader,\nthank you.\n');
  writeFileSync(join(repo, 'phases.yaml'), PLAN);
  writeFileSync(
    join(repo, 'helix.yaml'),
    JSON.stringify({ agents: { default: { driver: 'claude-code', command: [claude] } } }),
  );
  commitAll(repo);
  const login = { ANTHROPIC_API_KEY: 'a-dummy-key', ANTHROPIC_BASE_URL: model.url('approves') };
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CACHE_HOME: join(dir, 'cache'),
    ...login,
  };
  const call = async (...args: string[]) => {
    const child = spawn(HELIX, args, { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code !== 0) throw new Error(`helix ${args.join(' ')} ended with ${code}`);
    return said;
  };
  const isCached = async () => {
    const said = await call('approve', 'docs', 'letter.md', '--json', '--trust');
    return (JSON.parse(said) as { cached: boolean }).cached;
  };
  if (await isCached()) throw new Error('it was asked before');
  const remembered = () =>
    time(async () => {
      if (!(await isCached())) throw new Error('it was not remembered');
    });
  const { ratio, thing, base } = await compare(9, remembered, () => time(() => call('plan')));
  await model.close();
  const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
  return { name: 'helix approve from the cache / helix plan', limit: 2, ratio, detail };
}

const PLAN = 'project: { name: bench }\nphases:\n  - { id: write, type: documentation, output: [letter.md] }\n';

const approves: Scenario = (request) =>
  structured(passes(askedChecks(request), { file: 'letter.md', line: 1, quote: 'Dear reader' }));

/** Passes or fails as it may; only its time counts, and that it was no mistake in using it. */
function helix(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(HELIX, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`helix ${args.join(' ')} ended with ${status}: ${stderr.slice(-500)}`);
}

/** The copy a judge is given, against git's own way to lay out the same files. */
async function pinnedClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const repo = makeRepository(join(dir, 'repo'), FILES);
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

function makeRepository(dir: string, count: number): string {
  for (let n = 0; n < count; n += 1) {
    const folder = join(dir, `src/module-${Math.floor(n / 50)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${n}.ts`), `export const value${n} = ${n};\n`.repeat(40));
  }
  commitAll(dir);
  return dir;
}

function commitAll(dir: string): void {
  git(dir, 'init', '-q');
  git(dir, 'add', '-A');
  git(dir, '-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-qm', 'files');
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' });
}

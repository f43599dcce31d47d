import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const HELIX = fileURLToPath(new URL('../bin/helix', import.meta.url));
const NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
const PHASES = 200;
const EXPERTS = 5;
const SECONDS = 5;
const SETTINGS = { agents: { default: { driver: 'scripted' } }, allow_simulated: true, sandbox: 'none' };

/** What plans with many phases, meetings and plans that grow cost. */
export async function meetingClaims(): Promise<Claim[]> {
  return inDirectory(async (all) => {
    const fresh = () => mkdtempSync(join(all, 'project-'));
    return [await briefsClaim(fresh()), await expertsClaim(fresh), await growthClaim(fresh)];
  });
}

type Fresh = () => string;

function project(dir: string, plan: object, files: Readonly<Record<string, string>> = {}): string {
  const all = {
    'phases.yaml': stringify({ workspace: 'phase-dirs', ...plan }),
    'helix.yaml': stringify(SETTINGS),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

function run(program: string, args: readonly string[], state: string): Promise<number> {
  return time(() => {
    const env = { ...process.env, XDG_STATE_HOME: join(state, '.state') };
    const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  });
}

function chain(length: number): object[] {
  return Array.from({ length }, (_, n) => ({ id: `phase-${n}`, type: 'development', output: [`output/file-${n}.md`] }));
}

/** A template of the project's own makes HELIX render the briefs of all phases it is for. */
async function briefsClaim(dir: string): Promise<Claim> {
  project(dir, { phases: chain(PHASES) }, { 'templates/development/default.md': 'You write {{ phase.id }}.\n' });
  const { ratio, thing, base } = await compare(
    9,
    () => run(HELIX, ['plan', dir], dir),
    () => run(NODE, ['-e', '0'], dir),
  );
  const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
  return { name: `helix plan of ${PHASES} phases with all briefs / node -e 0`, limit: 10, ratio, detail };
}

/** Experts are heard side by side, so that the slowest decides. */
async function expertsClaim(fresh: Fresh): Promise<Claim> {
  const words = { matters: ['x'], risks: [], disagreements: [], questions: [] };
  const roles = { expert: [{ sleep: SECONDS, answer: words }] };
  const meeting = (count: number) => ({
    ...{ id: 'agree', type: 'meeting', output: ['notes.md'] },
    config: { experts: Array.from({ length: count }, (_, n) => `expert-${n}`) },
  });
  const heard = (count: number) => {
    const dir = project(fresh(), { phases: [meeting(count)] }, { 'scripted.yaml': stringify({ roles }) });
    return run(HELIX, ['run', dir, '--trust', '--no-wait'], dir);
  };
  const { ratio, thing, base } = await compare(
    1,
    () => heard(EXPERTS),
    () => heard(1),
  );
  const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
  return { name: `a meeting with ${EXPERTS} experts of ${SECONDS} s / with one`, limit: 1.2, ratio, detail };
}

/** The same phases, written by hand or by the first of them, each over the number of its facts. */
async function growthClaim(fresh: Fresh): Promise<Claim> {
  const first = { id: 'first', type: 'planning', output: ['output/phases.yaml'] };
  const grown = { phases: { first: [{ writes: { 'output/phases.yaml': stringify({ phases: chain(PHASES) }) } }] } };
  const plain = { phases: { first: [{ writes: { 'output/phases.yaml': 'phases: []\n' } }] } };
  const perFact = async (plan: object, script: object) => {
    const dir = project(fresh(), plan, { 'scripted.yaml': stringify(script) });
    const ms = await run(HELIX, ['run', dir, '--trust', '--no-wait'], dir);
    return ms / (await factsIn(dir));
  };
  const { ratio, thing, base } = await compare(
    3,
    () => perFact({ max_dynamic_phases: PHASES, phases: [first] }, grown),
    () => perFact({ phases: [first, ...chain(PHASES)] }, plain),
  );
  const detail = `${thing.toFixed(2)} ms, ${base.toFixed(2)} ms`;
  return {
    name: `a fact of a plan that has grown to ${PHASES} phases / of one that had them`,
    limit: 1.1,
    ratio,
    detail,
  };
}

async function factsIn(dir: string): Promise<number> {
  const world = openWorld(openProject(dir));
  try {
    const journal = await world.journal();
    const [row] = await journal.list();
    return row === undefined ? Number.NaN : await journal.headSeq(row.run);
  } finally {
    world.close();
  }
}

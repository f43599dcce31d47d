import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import type { CreatorTask } from '../src/ports/agent.ts';
import { say } from '../test/agents/loopback/answer.ts';
import { startLoopbackModel } from '../test/agents/loopback-model.ts';
import { findAgent } from '../test/agents/real-agents.ts';
import { HELIX } from '../test/helix-process.ts';
import { samplePhase, UNCONFINED } from '../test/sample-start.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const AGENTS = 50;
const LAG_MS = 100;
const RSS_MB = 250;
const POLL_MS = 20;
const program = (name: string) => fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

/** What agents cost: their driver, many of them at once, and one that never stops talking. */
export async function agentClaims(): Promise<Claim[]> {
  return [...(await driverClaims()), await lagClaim(), await memoryClaim()];
}

/** None, and a line that says why, where there is no claude to measure with. */
async function driverClaims(): Promise<Claim[]> {
  const claude = findAgent('claude-code');
  if ('program' in claude) return [await inDirectory((dir) => driverClaim(dir, claude.program))];
  console.log(`skipped  the driver of claude-code: ${claude.missing}`);
  return [];
}

async function driverClaim(dir: string, claude: string): Promise<Claim> {
  const model = await startLoopbackModel({ answers: [say('Done.')] });
  const [home, work] = [join(dir, 'home'), join(dir, 'work')];
  for (const each of [home, work]) mkdirSync(each);
  const login = { HOME: home, ANTHROPIC_API_KEY: 'a-dummy-key', ANTHROPIC_BASE_URL: model.url('answers') };
  Object.assign(process.env, login);
  const agent = await openWorld(openProject(dir)).agent({ driver: 'claude-code', command: [claude] });
  const driven = async () => {
    const end = await agent.perform(task(work));
    if (end.kind !== 'done') throw new Error(`the driver came to ${end.failure}: ${end.message}`);
  };
  const env = {
    PATH: process.env.PATH,
    ...login,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const bare = async () => {
    const args = ['-p', '--output-format', 'stream-json', '--verbose'];
    const child = spawn(claude, args, { cwd: work, env, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end('Do it.');
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (!said.includes('"is_error":false')) throw new Error(`claude -p came to nothing: ${said.slice(-500)}`);
  };
  const { ratio, thing, base } = await compare(
    7,
    () => time(driven),
    () => time(bare),
  );
  await model.close();
  const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
  return { name: 'claude-code in a running HELIX / claude -p alone', limit: 1.25, ratio, detail };
}

function task(dir: string): CreatorTask {
  return {
    ...UNCONFINED,
    ...{ role: 'creator', phase: samplePhase('one'), attempt: 1, turn: 0, brief: 'Do it.', dir },
    ...{ marker: randomUUID(), wallMs: 60_000, signal: new AbortController().signal, onLine: () => undefined },
  };
}

/** How late a HELIX with many agents at once is to hear what is said to it. */
function lagClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const ids = Array.from({ length: AGENTS }, (_, n) => `p${n}`);
    const phases = ids.map((id) => ({ id, type: 'development', output: [`output/${id}.md`], input: [] }));
    const prints = Array.from({ length: 100 }, (_, n) => `line ${n} of an agent`);
    const moves = ids.map((id) => [id, [{ sleep: 1, prints, writes: { [`output/${id}.md`]: '# Done\n' } }]]);
    project(
      dir,
      { phases, concurrency: AGENTS },
      { agents: { default: { driver: 'scripted' } }, allow_simulated: true },
    );
    writeFileSync(join(dir, 'scripted.yaml'), JSON.stringify({ phases: Object.fromEntries(moves) }));
    const lagFile = join(dir, 'lag');
    await runHelix(dir, { LAG_FILE: lagFile, NODE_OPTIONS: `--import ${program('lag-probe.ts')}` });
    const lag = Number(readFileSync(lagFile, 'utf8'));
    const name = `${AGENTS} scripted agents at once: the event loop's lag, 99th percentile / ${LAG_MS} ms`;
    return { name, limit: 1, ratio: lag / LAG_MS, detail: `${lag.toFixed(1)} ms` };
  });
}

/** What HELIX keeps in memory of a gigabyte that its agent says. */
function memoryClaim(): Promise<Claim> {
  return inDirectory(async (dir) => {
    const command = [process.execPath, program('flooding-stand-in.ts')];
    const phases = [{ id: 'one', type: 'development', output: ['out.txt'] }];
    project(dir, { phases }, { agents: { default: { driver: 'claude-code', command } }, sandbox: 'basic' });
    const { peakMb } = await runHelix(dir, { ANTHROPIC_API_KEY: 'a-dummy-key' });
    const name = `1 GB of an agent's output: HELIX's memory / ${RSS_MB} MB`;
    return { name, limit: 1, ratio: peakMb / RSS_MB, detail: `${peakMb.toFixed(0)} MB` };
  });
}

function project(dir: string, plan: object, settings: object): void {
  const header = { project: { name: 'bench', description: 'Do what the phases say' }, workspace: 'phase-dirs' };
  writeFileSync(join(dir, 'phases.yaml'), JSON.stringify({ ...header, ...plan }));
  writeFileSync(join(dir, 'helix.yaml'), JSON.stringify(settings));
}

/** Runs the plan to its end and tells how much memory that took at most. */
async function runHelix(dir: string, more: Readonly<Record<string, string>>): Promise<{ peakMb: number }> {
  const env = { ...process.env, XDG_STATE_HOME: join(dir, 'state'), HOME: dir, ...more };
  const child = spawn(HELIX, ['run', '--trust'], { cwd: dir, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, POLL_MS);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  clearInterval(watch);
  if (code !== 0) throw new Error(`helix run ended with ${code}: ${said.slice(-2000)}`);
  return { peakMb };
}

function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

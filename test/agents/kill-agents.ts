import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openProject } from '../../src/adapters/disk/project-directory.ts';
import { openWorld } from '../../src/adapters/world.ts';
import { acceptedTrees, essence, judgedTwice } from '../essence.ts';
import { startHelix } from '../helix-process.ts';
import { randomNumbers } from '../random-numbers.ts';
import { Repository } from '../repository.ts';
import { scratch } from '../scratch.ts';

/** Where random moments come from; printed, so that a failure can be played again. */
export const SEED = Number(process.env.HELIX_SEED ?? 20_261_116);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
/** What outlives HELIX behind walls for so long would live on for ever. */
const DEATH_MS = 60_000;
const POLL_MS = 100;
const AGENT_SHARE = 0.4;
/** How many of the other kills wait for the agent, and how long it works at least. */
const WORKING_SHARE = 0.5;
const WORK_MS = 400;
/** Without walls something is left sooner or later; after so many kills it is no chance any more. */
const MANY = 60;

/** A series of kills of one kind of run. */
export type Series = {
  readonly command: readonly string[];
  readonly level: 'strict' | 'basic';
  readonly env: Readonly<Record<string, string>>;
  readonly kills: number;
};

/** What a series came to. */
export type Toll = { readonly kills: number; readonly runs: number; readonly survivors: number };

class Victim {
  readonly repository: Repository;
  readonly #series: Series;
  readonly #marker: string;

  constructor(series: Series) {
    const { command, level } = series;
    this.#series = series;
    // Behind the walls of the agent's own shell there is nothing in /dev/shm.
    const settings = { agents: { default: { driver: 'claude-code', command } }, sandbox: level };
    this.repository = new Repository({ root: scratch({}, tmpdir()), settings });
    this.#marker = `HELIX_MARKER=${openWorld(openProject(this.repository.dir)).marker}`;
    onTestFinished(() => {
      for (const { pid } of this.processes()) signalled(pid, 'SIGKILL');
    });
  }

  /** Runs or, where there is a run, resumes. */
  async start() {
    const args = (await this.repository.journaled()).run === '' ? ['run', '--trust'] : ['resume'];
    return startHelix(args, { cwd: this.repository.dir, env: this.repository.env(this.#series.env) });
  }

  /** Living processes of the run, also those that have cleared their environment, looked up without HELIX's own code. */
  processes(): { pid: number; words: string }[] {
    return readdirSync('/proc').flatMap((pid) => {
      const words = /^\d+$/.test(pid) ? read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') : '';
      const ours = words.includes(this.repository.root) || read(`/proc/${pid}/environ`).includes(this.#marker);
      return words !== '' && ours ? [{ pid: Number(pid), words }] : [];
    });
  }

  /** The agent itself, not the walls around it. */
  agent(): number | undefined {
    const isAgent = ({ words }: { words: string }) =>
      words.includes(' --include-partial-messages ') && !/^\S*bwrap /.test(words);
    return this.processes().find(isAgent)?.pid;
  }

  /** What is left once there was time to die. */
  async left(): Promise<string[]> {
    const until = performance.now() + DEATH_MS;
    while (this.processes().length > 0 && performance.now() < until) await pause(POLL_MS);
    return this.processes().map(({ pid, words }) => `${pid} ${words.slice(0, 200)}`);
  }

  async outcome() {
    const { events } = await this.repository.journaled();
    return {
      essence: essence(events),
      trees: acceptedTrees(events),
      again: judgedTwice(events),
      left: await this.left(),
    };
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

async function completes({ end }: Awaited<ReturnType<Victim['start']>>): Promise<void> {
  const { code, stdout, stderr } = await end;
  expect({ code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ code: 0, said: '' });
}

type Moment = {
  readonly signal: NodeJS.Signals;
  readonly ms: number;
  /** Not before the agent works. */
  readonly working: boolean;
};

/** Kills at a moment; true where there still was somebody to kill. */
async function kill(victim: Victim, whom: 'helix' | 'agent', { signal, ms, working }: Moment): Promise<boolean> {
  const helix = await victim.start();
  let over = false;
  const end = helix.end.then(() => {
    over = true;
  });
  await Promise.race([once(helix.child.stderr ?? helix.child, 'data'), end]);
  while (working && victim.agent() === undefined && !over) await pause(POLL_MS);
  await Promise.race([pause(ms), end]);
  if (whom === 'helix') {
    const killed = helix.child.kill(signal) && !over;
    await end;
    return killed;
  }
  const agent = victim.agent();
  const killed = agent !== undefined && signalled(agent, signal);
  await completes(helix);
  return killed;
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

type Chance = {
  readonly random: () => number;
  /** How long a whole run takes, from its first word. */
  readonly span: number;
};

/** Kills one run, or its agent, a few times and lets it come to its end. */
async function killOne(series: Series, { random, span }: Chance) {
  const victim = new Victim(series);
  const most = 2 + Math.floor(random() * 5);
  let [kills, survivors, late] = [0, 0, false];
  for (let whom = chosen(random); kills < most; whom = chosen(random)) {
    const signal = SIGNALS[Math.floor(random() * SIGNALS.length)] ?? 'SIGKILL';
    const working = whom === 'agent' || random() < WORKING_SHARE;
    late = !(await kill(victim, whom, { signal, working, ms: random() * (working ? WORK_MS : span) }));
    if (late) break;
    kills += 1;
    if (series.level === 'basic') survivors += victim.processes().length;
    else expect({ whom, signal, left: await victim.left() }).toEqual({ whom, signal, left: [] });
    // After its agent was killed the run has gone on by itself.
    if (whom === 'agent') break;
  }
  await completes(await victim.start());
  return { kills, survivors, late, outcome: await victim.outcome() };
}

function chosen(random: () => number): 'helix' | 'agent' {
  return random() < AGENT_SHARE ? 'agent' : 'helix';
}

/** Kills runs and their agents at random moments and takes them up again until there were enough kills; all must end the same. */
export async function killAgents(series: Series, workers: number): Promise<Toll> {
  const { ms, outcome: whole } = await unhurt(series);
  let span = ms;
  const toll = { kills: 0, runs: 0, survivors: 0 };
  const worker = async (random: () => number) => {
    while (toll.kills < series.kills || (series.level === 'basic' && toll.survivors === 0 && toll.kills < MANY)) {
      const { kills, survivors, late, outcome } = await killOne(series, { random, span });
      expect(outcome).toEqual(whole);
      toll.runs += 1;
      toll.kills += kills;
      toll.survivors += survivors;
      // A machine that was busier a moment ago would make most kills come too late.
      if (late) span *= 0.9;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, n) => worker(randomNumbers(SEED + n))));
  process.stdout.write(`${JSON.stringify(toll)} ${series.level}, seed ${SEED}, ${Math.round(span)} ms a run\n`);
  return toll;
}

/** How a run ends that nobody kills, and how long it takes. */
async function unhurt(series: Series) {
  const victim = new Victim(series);
  const helix = await victim.start();
  await once(helix.child.stderr ?? helix.child, 'data');
  const began = performance.now();
  await completes(helix);
  const ms = performance.now() - began;
  const outcome = await victim.outcome();
  expect(outcome).toMatchObject({ again: [], left: [], trees: { work: expect.any(String) } });
  return { ms, outcome };
}

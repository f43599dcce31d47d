import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openProject } from '../src/adapters/disk/project-directory.ts';
import { carries, listProcesses } from '../src/adapters/programs/process-table.ts';
import { openWorld } from '../src/adapters/world.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { RunState } from '../src/domain/facts/run-state.ts';
import type { Move } from '../src/domain/plan/script.ts';
import { replay } from '../src/domain/run/evolve.ts';
import { type HelixEnd, startHelix } from './helix-process.ts';
import { brief, FAST } from './run-scenario.ts';

const TICKS_PER_SECOND = 100;
/** Somewhat less than a test may take, so that what was waited for is told. */
const PATIENCE_MS = 240_000;
const NOBODY = 65_534;

type Options = Partial<Parameters<typeof startHelix>[1]>;
type Parts = {
  phases: readonly Record<string, unknown>[];
  script?: Readonly<Record<string, readonly Move[]>>;
  /** Files beside the plan, by path. */
  files?: Readonly<Record<string, string>>;
  /** `basic` where a gate's command touches what it could not behind walls. */
  sandbox?: 'basic';
  /** Agents beside the scripted one, which is `default`. */
  agents?: Readonly<Record<string, unknown>>;
  /** Where the project lies instead of a directory of its own. */
  dir?: string;
};

/** How a `helix` process ended, what it said and what it took. */
export type Measured = HelixEnd & { cpuSeconds: number; peakMb: number };

/** A process under way: what it has said so far can be waited for. */
export type Running = {
  readonly pid: number;
  readonly end: Promise<Measured>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves as soon as the text has been printed, to all that has been; throws when the process ends without it. */
  says(text: string | RegExp): Promise<string>;
};

/** The facts of a run, in short and whole, and the state they make. */
export type Journaled = { readonly facts: string[]; readonly events: RunEvent[]; readonly state: RunState };

/** A project of scripted phases that is worked on by real `helix` processes only. */
export class RobustProject {
  readonly dir: string;

  constructor({ phases, script = {}, files = {}, agents, dir, sandbox }: Parts) {
    this.dir = dir ?? mkdtempSync(join(FAST, 'helix-robust-'));
    this.write(
      'phases.yaml',
      JSON.stringify({
        project: { name: 'robust', description: 'Make what the phases say' },
        workspace: 'phase-dirs',
        phases,
      }),
    );
    this.write(
      'helix.yaml',
      JSON.stringify({ agents: { default: { driver: 'scripted' }, ...agents }, allow_simulated: true, sandbox }),
    );
    this.write('scripted.yaml', JSON.stringify({ phases: script }));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  path(path: string): string {
    return join(this.dir, path);
  }

  start(args: readonly string[], options: Options = {}): Running {
    return running(startHelix(args, { cwd: this.dir, ...options }));
  }

  helix(args: readonly string[], options: Options = {}): Promise<Measured> {
    return this.start(args, options).end;
  }

  /** Resolves once an agent that is `held` has done its work and waits. */
  async atWork(phase: string, turn = 0): Promise<void> {
    await eventually(() => existsSync(this.path(`${phase}.${turn}.held`)));
  }

  /** Lets a `held` agent end its turn; an empty file, because the disk may be full. */
  letGo(phase: string, turn = 0): void {
    this.write(`${phase}.${turn}.go`, '');
  }

  /** What the journal says about the newest run. */
  async journaled(): Promise<Journaled> {
    const found = await this.#read();
    if (found === undefined) throw new Error('there is no run yet');
    return found;
  }

  /** The processes of the newest run that live; none when there is no run yet. */
  async left(): Promise<number[]> {
    const marker = (await this.#read())?.state.marker;
    if (marker === undefined) return [];
    return (await listProcesses()).filter((row) => carries(row, marker)).map(({ pid }) => pid);
  }

  async #read(): Promise<Journaled | undefined> {
    const world = openWorld(openProject(this.dir));
    if (!world.hasJournal()) return undefined;
    try {
      const journal = await world.journal();
      const [row] = await journal.list();
      const events = row === undefined ? [] : await journal.read(row.run);
      const state = replay(events);
      return state && { facts: brief(events), events, state };
    } finally {
      world.close();
    }
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** An agent that works, in a shell, and is then held until the test lets it go: see `atWork` and `letGo`. */
export function held(work: string): Record<string, unknown> {
  const turn = '"$HELIX_PROJECT_DIR/$HELIX_PHASE.$HELIX_TURN';
  const wait = `: > ${turn}.held"; while [ ! -e ${turn}.go" ]; do sleep 0.02; done`;
  return { driver: 'command', command: ['sh', '-c', `{ ${work}; }; code=$?; ${wait}; exit $code`] };
}

/**
 * How to become a user whom permissions bind: nothing to do for one who is not root, else setpriv. Undefined where root has
 * no setpriv.
 */
export function boundByPermissions(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const through = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return spawnSync('setpriv', [...through.slice(1), 'true']).status === 0 ? through : undefined;
}

/** Hands a directory and all in it to that user. */
export function giveAway(dir: string): void {
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dir]);
}

/** Follows a process that was just started: its words, its work and its peak of memory. */
function running({ child, end }: ReturnType<typeof startHelix>): Running {
  const { pid = 0 } = child;
  let said = '';
  let ended = false;
  let usage = { peakMb: 0, cpuSeconds: 0 };
  child.stdout?.on('data', (piece) => (said += String(piece)));
  child.stderr?.on('data', (piece) => (said += String(piece)));
  const watch = setInterval(() => {
    usage = usageOf(pid) ?? usage;
  }, 20);
  return {
    pid,
    end: end.then((result) => {
      ended = true;
      clearInterval(watch);
      return { ...result, ...usage };
    }),
    kill: (signal) => void process.kill(pid, signal),
    says: async (text) => {
      const heard = () => (typeof text === 'string' ? said.includes(text) : text.test(said));
      while (!heard()) {
        if (ended) throw new Error(`it ended without saying ${text}:\n${said}`);
        await pause(10);
      }
      return said;
    },
  };
}

/** What a process has taken so far; undefined once it has gone. */
function usageOf(pid: number): { peakMb: number; cpuSeconds: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    if (peak === undefined) return undefined;
    return { peakMb: Number(peak) / 1024, cpuSeconds: (Number(user) + Number(system)) / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** Resolves when it holds; throws when it does not for so long that the test would be given up. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${holds}`);
    await pause(20);
  }
}

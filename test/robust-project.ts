import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { carries, listProcesses } from '../src/adapters/process-table.ts';
import { openProject } from '../src/adapters/project-directory.ts';
import { openWorld } from '../src/adapters/world.ts';
import { replay } from '../src/domain/evolve.ts';
import type { RunEvent } from '../src/domain/run-event.ts';
import type { RunState } from '../src/domain/run-state.ts';
import type { Move } from '../src/domain/script.ts';
import { type HelixEnd, startHelix } from './helix-process.ts';
import { brief, FAST } from './run-scenario.ts';

type Options = Partial<Parameters<typeof startHelix>[1]>;
type Parts = {
  phases: readonly Record<string, unknown>[];
  script?: Readonly<Record<string, readonly Move[]>>;
  /** Files beside the plan, by path. */
  files?: Readonly<Record<string, string>>;
  /** Where the project lies instead of a directory of its own. */
  dir?: string;
};

/** How a `helix` process ended, what it said and what it took. */
export type Measured = HelixEnd & { seconds: number; peakMb: number };

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

  constructor({ phases, script = {}, files = {}, dir }: Parts) {
    this.dir = dir ?? mkdtempSync(join(FAST, 'helix-robust-'));
    this.write('phases.yaml', JSON.stringify({ project: { name: 'robust' }, workspace: 'phase-dirs', phases }));
    this.write('helix.yaml', '{ agents: { default: { driver: scripted } }, allow_simulated: true }');
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

  /** What the journal says about the newest run. */
  async journaled(): Promise<Journaled> {
    const world = openWorld(openProject(this.dir));
    try {
      const journal = await world.journal();
      const [row] = await journal.list();
      const events = await journal.read(row?.run ?? '');
      const state = replay(events);
      if (state === undefined) throw new Error('the run has no facts');
      return { facts: brief(events), events, state };
    } finally {
      world.close();
    }
  }

  /** The processes the newest run has left. */
  async left(): Promise<number[]> {
    const { state } = await this.journaled();
    return (await listProcesses()).filter((row) => carries(row, state.marker)).map(({ pid }) => pid);
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Follows a process that was just started: its words, its time and its peak of memory. */
export function running({ child, end }: ReturnType<typeof startHelix>): Running {
  const since = performance.now();
  const { pid = 0 } = child;
  let said = '';
  let ended = false;
  let peakMb = 0;
  child.stdout?.on('data', (piece) => (said += String(piece)));
  child.stderr?.on('data', (piece) => (said += String(piece)));
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(pid));
  }, 20);
  return {
    pid,
    end: end.then((result) => {
      ended = true;
      clearInterval(watch);
      return { ...result, seconds: (performance.now() - since) / 1000, peakMb };
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

/** The most memory a process has had so far, in MB; 0 once it has gone. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Resolves when it holds; throws when it does not within `ms`. */
export async function eventually(holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${holds}`);
    await pause(20);
  }
}

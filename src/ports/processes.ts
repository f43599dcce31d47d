import type { Owner } from '../domain/facts/run-event.ts';
import type { Limits } from '../domain/plan/limits.ts';

/** How a process ended, and what of its output was kept. */
export type ProcessEnd = {
  readonly ended:
    | 'exit'
    | 'signal'
    | 'timeout_wall'
    | 'timeout_idle'
    | 'output_limit'
    | 'resource_limit'
    | 'aborted'
    | 'spawn';
  readonly exitCode?: number;
  readonly message: string;
  /** The last part of stdout and stderr together, bounded. */
  readonly tail: string;
  /** All of stdout where it is at most `keepStdoutBytes`, else nothing. */
  readonly stdout: string;
  readonly stdoutBytes: number;
  readonly durationMs: number;
};

/** A folder a program sees in place of another, which it cannot change: what it writes there lies in a third. */
export type Layer = {
  /** Where it sees it. */
  readonly at: string;
  /** What it sees there. */
  readonly lower: string;
  /** Where what it writes comes to lie, and an empty folder beside it that this takes. */
  readonly upper: string;
  readonly work: string;
};

/** The walls of the strict sandbox around one program. All it starts ends with it, and with HELIX. */
export type Confinement = Walls & { readonly limits?: Limits; readonly layers?: readonly Layer[] };

type Walls =
  /** It sees programs and their toolchains, `readable` and `writable`, and nothing else of its user's. */
  | {
      readonly kind: 'closed';
      readonly writable: readonly string[];
      readonly readable: readonly string[];
      readonly network: 'loopback' | 'open';
    }
  /** It sees and writes what its user does, but for what lies in `protect`, which it can only read, and in `hidden`, which it cannot see. */
  | {
      readonly kind: 'open';
      readonly protect: readonly string[];
      readonly hidden: readonly string[];
      readonly writable: readonly string[];
    };

/** What a program reads, line by line. */
export type ProcessInput = { readonly send: (line: string) => void; readonly end: () => void };

/** A program to run: argv without a shell, an explicit environment, limits on everything. */
export type ProcessSpec = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Carried in the environment of the process and all it starts, so that every one of them can be found and ended. */
  readonly marker: string;
  readonly stdin?: string;
  /** Called once it has started, in place of `stdin`: its input then stays open until `end`. */
  readonly talk?: (input: ProcessInput) => void;
  /** Handed over on descriptor 3, so that it stands in no environment and no argument. */
  readonly secret?: string;
  readonly wallMs: number;
  readonly idleMs?: number;
  readonly outputBytes?: number;
  readonly lineBytes?: number;
  readonly keepStdoutBytes?: number;
  /** What it prints last is wanted even if it ends itself while it prints; lines then arrive a moment later. */
  readonly lastWords?: boolean;
  /** Its walls; without any it may do what its user may. */
  readonly confine?: Confinement;
  readonly signal?: AbortSignal;
  /** Called per line; a line longer than `lineBytes` arrives cut, with `truncated` set. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr', truncated: boolean) => void;
};

/** Programs of the machine. Never throws for what a program does: that is its ProcessEnd. */
export interface Processes {
  /** Runs a program to its end and then ends whatever it left behind. */
  run(spec: ProcessSpec): Promise<ProcessEnd>;
  /** Starts a program and lets it go on after the caller's turn; it is found again by its marker. */
  leave(spec: Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'marker'>): Promise<void>;
  /** Ends every process that carries the marker and resolves to how many there were. */
  endMarked(marker: string): Promise<number>;
  /** The argv of a program of HELIX's own, for work that must not hold up or break HELIX itself. */
  ownProgram(name: 'syntax'): readonly string[];
  /** Who this process is. */
  self(): Owner;
}

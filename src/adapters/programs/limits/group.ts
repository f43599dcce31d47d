import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Limits, renderLimit } from '../../../domain/plan/limits.ts';
import { self } from '../../disk/process-identity.ts';
import { removeGroup } from './clear-groups.ts';
import type { GroupParent, GroupParents } from './hierarchies.ts';

const TRIES = 100;
const TRY_MS = 10;
/** A large piece is refused before the last bytes are used. */
const FULL = 0.9;
/** Processes are in a group of their own below the limits: whoever looks for a way out finds that one at the top of the tree. */
const INSIDE = 'in';

let made = 0;

/** The control groups of one program, with its limits. */
export class Group {
  readonly #limits: Limits;
  readonly #memory: Made | undefined;
  readonly #processes: Made | undefined;

  private constructor(
    limits: Limits,
    { memory, processes }: { memory: Made | undefined; processes: Made | undefined },
  ) {
    this.#limits = limits;
    this.#memory = memory;
    this.#processes = processes;
  }

  /** Makes the groups for what is limited; throws what the system says. */
  static make(parents: GroupParents, limits: Limits): Group {
    const { pid, start } = self();
    made += 1;
    const name = `helix-${pid}-${start}-${made}`;
    const { memory, pids } = parents;
    const group = new Group(limits, {
      memory: limits.memory === 'unlimited' ? undefined : place(memory, name),
      processes: limits.processes === 'unlimited' ? undefined : place(pids, name),
    });
    try {
      group.#limit();
    } catch (error) {
      for (const dir of group.#dirs()) removeGroup(dir);
      throw error;
    }
    return group;
  }

  /** The files a process writes 0 to in order to be inside. */
  get doors(): readonly string[] {
    return this.#dirs().map((dir) => join(dir, INSIDE, 'cgroup.procs'));
  }

  /** Which limit was hit, in words, if one was. */
  overrun(): { readonly what: 'memory' | 'processes'; readonly words: string } | undefined {
    if (this.#processes !== undefined && counted(this.#processes, 'pids.events', 'max') > 0)
      return {
        what: 'processes',
        words: `it had more than ${this.#limits.processes} processes and threads (limits.processes in helix.yaml)`,
      };
    if (this.#memory === undefined) return undefined;
    const file = this.#memory.version === 1 ? 'memory.oom_control' : 'memory.events';
    if (counted(this.#memory, file, 'oom_kill') === 0) return undefined;
    const own = this.#memory.version === 1 ? this.#wasFull(this.#memory) : counted(this.#memory, file, 'max') > 0;
    const limit = renderLimit(Number(this.#limits.memory));
    return {
      what: 'memory',
      words: own
        ? `it used more than ${limit} of memory (limits.memory in helix.yaml)`
        : 'the machine ran out of memory',
    };
  }

  /** Removes the groups once nobody is in them; what cannot be removed is left to the next start. */
  async remove(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (this.#dirs().every(removeGroup)) return;
      await pause(TRY_MS);
    }
  }

  /** Newer kernels do not count what version 1 refused, but remember the most there was. */
  #wasFull({ dir }: Made): boolean {
    return Number(read(join(dir, 'memory.max_usage_in_bytes'))) > FULL * Number(this.#limits.memory);
  }

  #dirs(): string[] {
    return [...new Set([this.#memory, this.#processes].flatMap((each) => (each === undefined ? [] : [each.dir])))];
  }

  #limit(): void {
    for (const dir of this.#dirs()) mkdirSync(join(dir, INSIDE), { recursive: true });
    const { memory, processes } = this.#limits;
    if (this.#memory !== undefined) limitMemory(this.#memory, String(memory));
    if (this.#processes !== undefined) writeFileSync(join(this.#processes.dir, 'pids.max'), String(processes));
  }
}

type Made = GroupParent;

function place(parent: GroupParent | undefined, name: string): Made | undefined {
  return parent && { ...parent, dir: join(parent.dir, name) };
}

/** Swap is no way around a limit: where the kernel counts it, there is none beyond. */
function limitMemory({ version, dir }: Made, bytes: string): void {
  const [limit, swap, swapBytes] =
    version === 1
      ? ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', bytes]
      : ['memory.max', 'memory.swap.max', '0'];
  writeFileSync(join(dir, limit), bytes);
  if (existsSync(join(dir, swap))) writeFileSync(join(dir, swap), swapBytes);
}

/** Version 1 counts where a process is, version 2 where the limit is. */
function counted({ dir }: Made, file: string, name: string): number {
  const texts = [dir, join(dir, INSIDE)].map((each) => read(join(each, file)));
  const numbers = texts.map((text) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0));
  return Math.max(...numbers);
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

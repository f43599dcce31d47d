import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Planted } from './planted-bug.ts';

/** One attack a folder: `attack.yaml` says what it shows, `prepare.sh` what the repository brings, `agent.sh` what an agent does. */
const ATTACKS = fileURLToPath(new URL('./hostile', import.meta.url));

/** How well an agent is walled in. */
export type Level = 'basic' | 'strict';

type Step =
  /** What the user calls, how it ends, and what is said: a pattern over all lines. */
  | {
      readonly helix: readonly string[];
      readonly exit: number;
      readonly says?: string;
      /** A call of the system that fails meanwhile, once in each thread: which one, how, and at what time of its being made. */
      readonly breaks?: { readonly call: string; readonly error: string; readonly when: number };
    }
  /** What happens to the repository meanwhile. */
  | { readonly sh: string };

/** An attack that does not get through. */
export type Attack = {
  /** What the attack shows, as the name of its test. */
  readonly shows: string;
  /** The folder of the project below the repository's top. */
  readonly below?: string;
  readonly phases?: readonly Readonly<Record<string, unknown>>[];
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the user's PATH begins with. */
  readonly path?: string;
  /** Where it is held off; by default everywhere. */
  readonly levels?: readonly Level[];
  /** What of the machine it is held off or tried by; where that cannot be had it is skipped. */
  readonly needs?: 'control groups' | 'strace';
  readonly steps?: readonly Step[];
  /** In place of steps: the test that shows it, by its file and the beginning of its name. */
  readonly by?: readonly [file: string, name: string];
  /** Marks beside the repository that must not come to be; `sprung` always. */
  readonly never?: readonly string[];
  /** What holds it off, and what stands there when that is taken away: then it gets through. */
  readonly mends: readonly Planted[];
};

/** A file of an attack's folder; undefined where it has none. */
export function partOf(name: string, file: string): string | undefined {
  const path = join(ATTACKS, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** All attacks by the names of their folders. */
export function allAttacks(): (Attack & { readonly name: string })[] {
  return readdirSync(ATTACKS)
    .sort()
    .map((name) => ({ name, ...(parse(partOf(name, 'attack.yaml') ?? '') as Attack) }));
}

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../disk/atomic-file.ts';
import { ioError } from '../disk/io-error.ts';

/** What lies in a phase's directory since HELIX or an agent put it there: the content by path. */
export type Left = ReadonlyMap<string, string>;

type Made = Iterable<readonly [path: string, content: string]>;

/** No path: under it stands the tree an attempt started from, until its end is seen. */
export const UNDER_WAY = '';

/** Notes that later ones have replaced may take this much. */
const STALE_BYTES = 1024 * 1024;

/**
 * Notes on what HELIX and its agents put into the phases' directories. All are lines of one file: a file written anew for each
 * would cost more than the rest of a small attempt. Where a line cannot be read, what it names counts as the user's.
 */
export class LeftNotes {
  readonly #dir: string;
  readonly #path: string;
  readonly #left = new Map<string, Map<string, string>>();
  #seen = { ino: 0, size: 0 };
  #isTorn = false;

  constructor(dir: string) {
    this.#dir = dir;
    this.#path = join(dir, 'notes.jsonl');
  }

  of(phase: string): Left {
    this.#refresh();
    return this.#known(phase);
  }

  add(phase: string, made: readonly (readonly [path: string, content: string])[]): void {
    if (made.length === 0) return;
    const left = new Map([...this.of(phase), ...made]);
    const line = Buffer.from(`${this.#isTorn ? '\n' : ''}${lineOf(phase, made)}`);
    this.#append(line);
    this.#left.set(phase, left);
    this.#seen.size += line.length;
    this.#isTorn = false;
  }

  /** The trees that attempts started from whose end nobody has seen. */
  underWay(): string[] {
    this.#refresh();
    const older = existsSync(this.#dir) ? readdirSync(this.#dir).filter((name) => name.endsWith('.json')) : [];
    const phases = new Set([...this.#left.keys(), ...older.map((name) => name.slice(0, -'.json'.length))]);
    return [...phases].flatMap((phase) => this.#known(phase).get(UNDER_WAY) || []);
  }

  /** Drops what later notes have replaced, once it is much; for whoever holds the workspace. */
  compact(): void {
    this.#refresh();
    if (this.#seen.size <= STALE_BYTES) return;
    const text = [...this.#left].map(([phase, left]) => lineOf(phase, left)).join('');
    if (this.#seen.size - Buffer.byteLength(text) > STALE_BYTES) writeAtomic(this.#path, text);
  }

  #append(line: Buffer): void {
    try {
      if (this.#seen.ino === 0) mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, line, { mode: 0o600 });
    } catch (error) {
      throw ioError(error, this.#path);
    }
  }

  /** Reads the notes again where somebody else has changed them. */
  #refresh(): void {
    const { ino, size } = statSync(this.#path, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };
    if (ino === this.#seen.ino && size === this.#seen.size) return;
    const text = ino === 0 ? '' : readText(this.#path);
    this.#seen = { ino, size };
    this.#isTorn = text !== '' && !text.endsWith('\n');
    this.#left.clear();
    for (const [phase, made] of text.split('\n').flatMap(readLine)) {
      const left = this.#known(phase);
      for (const [path, content] of made) left.set(path, content);
    }
  }

  /** Each phase had a file of its own once. */
  #known(phase: string): Map<string, string> {
    const known = this.#left.get(phase);
    if (known !== undefined) return known;
    const file = join(this.#dir, `${phase}.json`);
    const left = new Map(existsSync(file) ? Object.entries(parsed(readText(file))) : []);
    this.#left.set(phase, left);
    return left;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw ioError(error, path);
  }
}

function lineOf(phase: string, made: Made): string {
  return `${JSON.stringify({ phase, made: Object.fromEntries(made) })}\n`;
}

function readLine(line: string): [phase: string, made: [path: string, content: string][]][] {
  const { phase, made } = parsed(line) as { phase?: unknown; made?: unknown };
  return typeof phase === 'string' ? [[phase, Object.entries((made ?? {}) as Record<string, string>)]] : [];
}

function parsed(text: string): Record<string, string> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, string>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

import { closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Cache } from '../../ports/cache.ts';
import { sha256 } from '../../text/digest.ts';

/** How files begin that the system runs by themselves. */
const NATIVE = new Set(['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']);

type Says = { readonly name: string; readonly asked: readonly (readonly string[])[] };
type Ways = {
  readonly cache?: () => Promise<Cache>;
  readonly ask: (args: readonly string[]) => Promise<string>;
};

/** What a program says of itself: remembered where it is still the very same file, else asked. */
export async function remembered(argv: readonly string[], says: Says, { cache, ask }: Ways): Promise<string[]> {
  const key = cache === undefined ? undefined : keyOf(argv, says);
  const store = key === undefined ? undefined : await cache?.();
  const known = key === undefined ? undefined : parsed(await store?.get(key), says);
  if (known !== undefined) return known;
  const said: string[] = [];
  for (const args of says.asked) said.push(await ask(args));
  // Whoever replaces the program meanwhile is not remembered as the one before.
  if (key !== undefined && key === keyOf(argv, says)) await keep(store, key, said);
  return said;
}

async function keep(store: Cache | undefined, key: string, said: readonly string[]): Promise<void> {
  try {
    await store?.put(key, JSON.stringify(said));
  } catch (error) {
    // Nothing is lost but time.
    if (!(error instanceof HelixError)) throw error;
  }
}

function parsed(text: string | undefined, { asked }: Says): string[] | undefined {
  const said = text === undefined ? undefined : (JSON.parse(text) as string[]);
  return said?.length === asked.length ? said : undefined;
}

/**
 * Names a program by its file; undefined where that does not say what is run: an interpreter's script, or a program that
 * stands for others under their names.
 */
function keyOf([file = '', ...rest]: readonly string[], { name, asked }: Says): string | undefined {
  try {
    const real = realpathSync(file);
    if (rest.length > 0 || !basename(real).startsWith(name) || !isNative(real)) return undefined;
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(real, { bigint: true });
    return sha256(['helix.program/1', name, JSON.stringify(asked), real, dev, ino, size, mtimeNs, ctimeNs].join('\0'));
  } catch {
    return undefined;
  }
}

function isNative(file: string): boolean {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(4);
    return readSync(fd, bytes, 0, bytes.length, 0) === bytes.length && NATIVE.has(bytes.toString('hex'));
  } finally {
    closeSync(fd);
  }
}

import { createInterface } from 'node:readline';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';

const TYPED_AHEAD_MS = 50;
const QUIET_TURNS = 10;

/** Lines somebody types. */
export type Keyboard = {
  /** The next line; undefined once there will be none: closed, or the end of input. */
  line(): Promise<string | undefined>;
  close(): void;
};

/** True when somebody could still type something. */
export function hasKeyboard(): boolean {
  return process.stdin.isTTY === true && !process.stdin.readableEnded && !process.stdin.destroyed;
}

/**
 * Listens to the keyboard until it is closed or the signal comes. The terminal keeps its ordinary mode: Ctrl-C stays a
 * signal, and nothing has to be put back when HELIX is killed. What was typed before is thrown away, for it is no answer.
 */
export async function openKeyboard(signal: AbortSignal): Promise<Keyboard> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  let wanted: ((line: string | undefined) => void) | undefined;
  let over = false;
  let quiet = 0;
  const give = (line: string | undefined): void => {
    quiet = 0;
    const take = wanted;
    wanted = undefined;
    take?.(line);
  };
  const close = (): void => lines.close();
  lines.on('line', give);
  lines.once('close', () => {
    over = true;
    signal.removeEventListener('abort', close);
    give(undefined);
  });
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  await pause(TYPED_AHEAD_MS);
  // A terminal gives one line per turn of the event loop, however many have been typed.
  for (quiet = 0; quiet < QUIET_TURNS && !over; quiet += 1) await breathe();
  return {
    line: () =>
      new Promise((resolve) => {
        if (over) resolve(undefined);
        else wanted = resolve;
      }),
    close,
  };
}

/**
 * Takes what was typed and nobody has read, half a line included: whoever reads the terminal next, such as a shell, gets none of it.
 * Only for these few turns the terminal leaves its ordinary mode, in which half a line cannot be read.
 */
export async function drainKeyboard(): Promise<string> {
  const { stdin } = process;
  if (!hasKeyboard()) return '';
  const pieces: Buffer[] = [];
  let quiet = 0;
  const take = (piece: Buffer): void => {
    pieces.push(piece);
    quiet = 0;
  };
  stdin.setRawMode(true);
  try {
    stdin.on('data', take).resume();
    for (quiet = 0; quiet < QUIET_TURNS && hasKeyboard(); quiet += 1) await breathe();
  } finally {
    stdin.off('data', take).pause();
    stdin.setRawMode(false);
  }
  return Buffer.concat(pieces).toString();
}

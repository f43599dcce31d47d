import { StringDecoder } from 'node:string_decoder';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 4096;

/** Turns chunks of bytes into lines and never holds more than one line's limit of them. */
export type LineSplitter = {
  write(chunk: Buffer): void;
  /** Delivers a last line that has no line feed. */
  end(): void;
};

/** A line longer than `lineBytes` is delivered once, cut between characters; the rest of it is thrown away. */
export function createLineSplitter(
  lineBytes: number,
  onLine: (line: string, truncated: boolean) => void,
): LineSplitter {
  // One growing buffer instead of a list of chunks: a program that writes byte by byte would cost 100 times its output.
  let held = Buffer.alloc(0);
  let length = 0;
  let skipping = false;

  function hold(piece: Buffer): void {
    const needed = length + piece.length;
    if (needed > held.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(lineBytes, Math.max(FIRST_CAPACITY, 2 * needed)));
      held.copy(grown, 0, 0, length);
      held = grown;
    }
    piece.copy(held, length);
    length = needed;
  }

  function take(piece: Buffer): void {
    if (skipping) return;
    const room = lineBytes - length;
    hold(piece.subarray(0, room));
    if (piece.length <= room) return;
    skipping = true;
    onLine(decodeCut(held.subarray(0, length)), true);
  }

  function endHeldLine(): void {
    const cut = skipping;
    const line = held.subarray(0, length);
    length = 0;
    skipping = false;
    if (!cut) onLine(decode(line, 0, line.length), false);
  }

  function endLine(chunk: Buffer, from: number, to: number): void {
    if (length === 0 && !skipping && to - from <= lineBytes) {
      onLine(decode(chunk, from, to), false);
    } else {
      take(chunk.subarray(from, to));
      endHeldLine();
    }
  }

  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        endLine(chunk, from, at);
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    end() {
      if (length > 0) endHeldLine();
    },
  };
}

function decode(bytes: Buffer, from: number, to: number): string {
  const end = to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;
  return bytes.toString('utf8', from, end);
}

function decodeCut(line: Buffer): string {
  return new StringDecoder('utf8').write(line);
}

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

  /** Many lines are decoded at once: one by one, a flood of short ones takes three times as long. */
  function endLines(chunk: Buffer, from: number, to: number): void {
    if (length === 0 && !skipping && to - from <= lineBytes) {
      for (const line of chunk.toString('utf8', from, to).split('\n')) onLine(withoutReturn(line), false);
      return;
    }
    for (let start = from, end = 0; start <= to; start = end + 1) {
      end = chunk.indexOf(LINE_FEED, start);
      endLine(chunk, start, end);
    }
  }

  return {
    write(chunk) {
      const first = chunk.indexOf(LINE_FEED);
      const last = chunk.lastIndexOf(LINE_FEED);
      if (first !== -1) endLine(chunk, 0, first);
      if (last > first) endLines(chunk, first + 1, last);
      take(chunk.subarray(last + 1));
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

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function decodeCut(line: Buffer): string {
  return new StringDecoder('utf8').write(line);
}

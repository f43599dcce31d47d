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
  const held = new HeldLine(lineBytes);
  let skipping = false;

  function take(piece: Buffer): void {
    if (skipping) return;
    const { room } = held;
    held.add(piece.subarray(0, room));
    if (piece.length <= room) return;
    skipping = true;
    onLine(decodeCut(held.bytes), true);
  }

  function endHeldLine(): void {
    const cut = skipping;
    const line = held.bytes;
    held.clear();
    skipping = false;
    if (!cut) onLine(decode(line, 0, line.length), false);
  }

  function endLine(chunk: Buffer, from: number, to: number): void {
    if (held.length === 0 && !skipping && to - from <= lineBytes) {
      onLine(decode(chunk, from, to), false);
    } else {
      take(chunk.subarray(from, to));
      endHeldLine();
    }
  }

  /** Many lines are decoded at once: one by one, a flood of short ones takes three times as long. */
  function endLines(chunk: Buffer, from: number, to: number): void {
    if (held.length === 0 && !skipping && to - from <= lineBytes) {
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
      if (held.length > 0) endHeldLine();
    },
  };
}

/** The beginning of a line. One growing buffer, not a list of chunks: a program that writes byte by byte would cost 100 times its output. */
class HeldLine {
  readonly #most: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  get room(): number {
    return this.#most - this.#length;
  }

  /** What is held, up to the next change. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#most, Math.max(FIRST_CAPACITY, 2 * needed)));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    piece.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  clear(): void {
    this.#length = 0;
  }
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

import { StringDecoder } from 'node:string_decoder';
import type { ProcessSpec } from '../ports.ts';
import { createLineSplitter, type LineSplitter } from './line-splitter.ts';

const OUTPUT_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 1024 * 1024;
const TAIL_CHARACTERS = 64 * 1024;

type StreamName = 'stdout' | 'stderr';

/** What a program has said so far: counted, cut into lines, and forgotten but for its tail. */
export type ProgramOutput = {
  readonly limit: number;
  /** Takes a chunk; false once the program has said more than it may. */
  write(stream: StreamName, chunk: Buffer): boolean;
  end(): void;
  tail(): string;
  /** All of stdout, or nothing once it is more than was asked for. */
  stdout(): string;
  stdoutBytes(): number;
};

type Wanted = Pick<ProcessSpec, 'outputBytes' | 'lineBytes' | 'keepStdoutBytes' | 'onLine'>;

export function collectOutput(spec: Wanted): ProgramOutput {
  const limit = spec.outputBytes ?? OUTPUT_BYTES;
  const bytes = { stdout: 0, stderr: 0 };
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const lines = { stdout: splitterOf(spec, 'stdout'), stderr: splitterOf(spec, 'stderr') };
  const whole: Buffer[] = [];
  let tail = '';

  return {
    limit,
    write(stream, chunk) {
      const room = Math.max(0, limit - bytes.stdout - bytes.stderr);
      const kept = chunk.subarray(0, room);
      bytes[stream] += chunk.length;
      if (bytes.stdout > (spec.keepStdoutBytes ?? 0)) whole.length = 0;
      else if (stream === 'stdout') whole.push(kept);
      tail += decoders[stream].write(kept);
      if (tail.length > 2 * TAIL_CHARACTERS) tail = tail.slice(-TAIL_CHARACTERS);
      lines[stream]?.write(kept);
      return chunk.length <= room;
    },
    end() {
      lines.stdout?.end();
      lines.stderr?.end();
    },
    tail: () => tail.slice(-TAIL_CHARACTERS).toWellFormed(),
    stdout: () => Buffer.concat(whole).toString('utf8'),
    stdoutBytes: () => bytes.stdout,
  };
}

function splitterOf({ lineBytes, onLine }: Pick<ProcessSpec, 'lineBytes' | 'onLine'>, stream: StreamName) {
  if (onLine === undefined) return undefined;
  return createLineSplitter(lineBytes ?? LINE_BYTES, (line, truncated) =>
    onLine(line, stream, truncated),
  ) satisfies LineSplitter;
}

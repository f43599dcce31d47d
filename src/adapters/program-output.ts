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
  /** The beginning of stdout, as much of it as was asked for. */
  stdout(): string;
  stdoutBytes(): number;
};

type Wanted = Pick<ProcessSpec, 'outputBytes' | 'lineBytes' | 'keepStdoutBytes' | 'onLine'>;

export function collectOutput(spec: Wanted): ProgramOutput {
  const limit = spec.outputBytes ?? OUTPUT_BYTES;
  const bytes = { stdout: 0, stderr: 0 };
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const lines = { stdout: splitterOf(spec, 'stdout'), stderr: splitterOf(spec, 'stderr') };
  const beginning: Buffer[] = [];
  let tail = '';

  return {
    limit,
    write(stream, chunk) {
      const room = Math.max(0, limit - bytes.stdout - bytes.stderr);
      const kept = chunk.subarray(0, room);
      const wanted = stream === 'stdout' ? (spec.keepStdoutBytes ?? 0) - bytes.stdout : 0;
      if (wanted > 0) beginning.push(kept.subarray(0, wanted));
      bytes[stream] += chunk.length;
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
    stdout: () => new StringDecoder('utf8').write(Buffer.concat(beginning)),
    stdoutBytes: () => bytes.stdout,
  };
}

function splitterOf({ lineBytes, onLine }: Pick<ProcessSpec, 'lineBytes' | 'onLine'>, stream: StreamName) {
  if (onLine === undefined) return undefined;
  return createLineSplitter(lineBytes ?? LINE_BYTES, (line, truncated) =>
    onLine(line, stream, truncated),
  ) satisfies LineSplitter;
}

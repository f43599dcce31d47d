import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { ProcessSpec } from '../../ports/processes.ts';
import { keyLineMask } from '../../text/secrets/redact-key-lines.ts';
import { knownSecrets } from '../secrets/known-secrets.ts';
import { createLineSplitter } from './line-splitter.ts';

/** How much a program may print, unless its spec says otherwise. */
export const OUTPUT_BYTES = 64 * 1024 * 1024;
const LINE_BYTES = 1024 * 1024;
const TAIL_CHARACTERS = 64 * 1024;

type StreamName = 'stdout' | 'stderr';

/** What a program has said so far: counted, cut into lines without secrets, and forgotten but for its tail. */
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

export function collectOutput(spec: Wanted, { redact }: Pick<Redactor, 'redact'> = knownSecrets()): ProgramOutput {
  const limit = spec.outputBytes ?? OUTPUT_BYTES;
  const bytes = { stdout: 0, stderr: 0 };
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const isFull = (): boolean => bytes.stdout + bytes.stderr > limit;
  const whole: Buffer[] = [];
  const open = { stdout: '', stderr: '' };
  let tail = '';
  let tailIsCut = false;

  /** A line comes into the tail as a whole: mixed with what the other stream says, a secret would not be known any more. */
  function remember(stream: StreamName, text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0 && open[stream].length < TAIL_CHARACTERS) {
      open[stream] += text;
      return;
    }
    tail += open[stream] + text.slice(0, end === 0 ? text.length : end);
    open[stream] = end === 0 ? '' : text.slice(end);
    if (tail.length <= 2 * TAIL_CHARACTERS) return;
    tail = tail.slice(-TAIL_CHARACTERS);
    tailIsCut = true;
  }

  function splitterOf(stream: StreamName) {
    const { onLine, lineBytes = LINE_BYTES } = spec;
    if (onLine === undefined) return undefined;
    const withoutKey = keyLineMask();
    return createLineSplitter(lineBytes, (line, truncated) =>
      onLine(withoutKey(redact(line, truncated || isFull() ? { end: true } : undefined)), stream, truncated),
    );
  }
  const lines = { stdout: splitterOf('stdout'), stderr: splitterOf('stderr') };

  return {
    limit,
    write(stream, chunk) {
      const room = Math.max(0, limit - bytes.stdout - bytes.stderr);
      const kept = chunk.subarray(0, room);
      bytes[stream] += chunk.length;
      if (bytes.stdout > (spec.keepStdoutBytes ?? 0)) whole.length = 0;
      else if (stream === 'stdout') whole.push(kept);
      remember(stream, decoders[stream].write(kept));
      lines[stream]?.write(kept);
      return chunk.length <= room;
    },
    end() {
      lines.stdout?.end();
      lines.stderr?.end();
    },
    tail() {
      const text = redact(`${tail}${open.stdout}${open.stderr}`, { start: tailIsCut, end: isFull() });
      // Cut after the secrets are gone, so that no part of one is left at the cut.
      return text.slice(-TAIL_CHARACTERS).toWellFormed();
    },
    stdout: () => redact(Buffer.concat(whole).toString('utf8'), { end: isFull() }),
    stdoutBytes: () => bytes.stdout,
  };
}

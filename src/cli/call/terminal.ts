import { knownSecrets } from '../../adapters/secrets/known-secrets.ts';
import type { Paint, Style } from '../../report/words/paint.ts';
import { withoutOrders } from '../../text/ci-orders.ts';

const CODES: Record<Style, string> = { strong: '1', dim: '2', good: '32', bad: '31', warn: '33', info: '36' };

/** Where a command's words go: results to stdout, everything for people to stderr, and no secret to either. */
export type Terminal = {
  readonly out: (text: string) => void;
  /** Bytes for a file or a program, orders for a CI service among them, in which only known secrets are masked. */
  readonly outBytes: (bytes: Buffer) => void;
  readonly err: (text: string) => void;
  /** Why results cannot be written; `closed` says that nobody wants to read them any more. */
  readonly lost: () => { readonly closed: boolean; readonly message: string } | undefined;
  /** True when stderr is a terminal somebody looks at. */
  readonly interactive: boolean;
  /** True when somebody looks at stderr and can type an answer. */
  readonly attended: boolean;
  readonly columns: () => number;
  /** Colours for stderr. */
  readonly paint: Paint;
  /** Colours for stdout. */
  readonly paintOut: Paint;
};

/** What is said when the reader of a pipe, or the whole terminal, has gone. */
const GONE = new Set(['EPIPE', 'EIO', 'ENXIO']);

/** The terminal of this process; a pipe or terminal that is closed, or a disk that is full, never ends the work. */
export function openTerminal(): Terminal {
  let lost: ReturnType<Terminal['lost']>;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    lost ??= { closed: GONE.has(code), message };
  });
  const secrets = knownSecrets();
  return {
    lost: () => lost,
    out: (text) => write(process.stdout, secrets.redact(withoutOrders(text))),
    outBytes: (bytes) => write(process.stdout, secrets.redactBytes(bytes)),
    err: (text) => write(process.stderr, secrets.redact(withoutOrders(text))),
    interactive: process.stderr.isTTY === true && process.env.TERM !== 'dumb',
    attended: process.stderr.isTTY === true && process.stdin.isTTY === true,
    columns: () => process.stderr.columns || process.stdout.columns || 80,
    paint: painter(process.stderr),
    paintOut: painter(process.stdout),
  };
}

function write(stream: NodeJS.WriteStream, text: string | Buffer): void {
  if (!stream.destroyed && stream.writable) stream.write(text);
}

function painter(stream: NodeJS.WriteStream): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== '0' ? true : stream.isTTY === true && TERM !== 'dumb';
  const coloured = wanted && !NO_COLOR;
  return (style, text) => (coloured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}

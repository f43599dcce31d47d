import type { IncomingHttpHeaders } from 'node:http';
import type { Failure, Message } from './answer.ts';

/** What a request of any dialect says, as text to look through. */
export type Asked = {
  /** How many answers the conversation already has: the place in the script. */
  readonly turn: number;
  readonly system: string;
  readonly messages: string;
  readonly tools: readonly string[];
  readonly model: string;
  readonly stream: boolean;
  /** Tells one conversation from another. */
  readonly session: string;
};

/** A part of a stream, and how many blocks are whole once it is sent. */
export type Frame = { readonly text: string; readonly whole: number };

/** One way to talk to a model over HTTP. */
export type Dialect = {
  /** The end of the paths it answers. */
  readonly path: string;
  read(body: unknown, headers: IncomingHttpHeaders): Asked;
  /** The answer in pieces, the one that ends it last. */
  frames(message: Message, asked: Asked): readonly Frame[];
  /** The answer in one piece, for a request that does not want a stream. */
  whole(message: Message, asked: Asked): unknown;
  error(failure: Failure): unknown;
};

const PIECE = 16_384;

/** A server-sent event. */
export function sse(type: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** A text in the pieces a stream sends; none for no text. */
export function pieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) => text.slice(at * PIECE, (at + 1) * PIECE));
}

const NO_TEXT = new Set(['type', 'role', 'id', 'tool_use_id', 'call_id', 'cache_control']);

/** All that is said in a value of a request, however deep, one thing per line. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, part]) => (NO_TEXT.has(name) ? '' : textIn(part)))
    .filter(Boolean)
    .join('\n');
}

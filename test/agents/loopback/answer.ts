/** What an answer is said to have taken. */
type Usage = { readonly input: number; readonly output: number; readonly cached?: number };

/** One piece of an answer. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly input: unknown };

/** Words and tool calls, and how they arrive. */
export type Message = {
  readonly kind: 'message';
  readonly blocks: readonly Block[];
  /** Why it ends, where that is not plain from its blocks. */
  readonly stop?: 'max_tokens' | 'refusal';
  readonly usage?: Usage;
  /** How long the first byte takes, and each one of the pieces after it. */
  readonly afterMs?: number;
  readonly pieceMs?: number;
  /** The connection breaks after so many whole blocks. */
  readonly cutAfter?: number;
};

/** An HTTP error; its name is the one of the model's own API. */
export type Failure = {
  readonly kind: 'failure';
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What the scripted model does with a request: `hang` never answers, `reset` breaks the connection. */
export type Answer = Message | Failure | { readonly kind: 'hang' } | { readonly kind: 'reset' };

/** Answers one after the other, per session: the first ones only once each. */
export type Sequence = { readonly kind: 'sequence'; readonly answers: readonly [Answer, ...Answer[]] };

type Manner = Omit<Message, 'kind' | 'blocks'>;

/** Says something, and is done unless blocks follow. */
export function say(text: string, manner: Manner = {}): Message {
  return { kind: 'message', blocks: [{ type: 'text', text }], ...manner };
}

/** Calls a tool. */
export function use(name: string, input: unknown, manner: Manner = {}): Message {
  return { kind: 'message', blocks: [{ type: 'tool', name, input }], ...manner };
}

/** Gives the structured output that `claude` asks for by a tool. */
export function structured(value: unknown, manner: Manner = {}): Message {
  return use('StructuredOutput', value, manner);
}

/** Several blocks as one answer. */
export function together(messages: readonly Message[], manner: Manner = {}): Message {
  return { kind: 'message', blocks: messages.flatMap(({ blocks }) => blocks), ...manner };
}

/** Declines to go on. */
export function refuse(text: string): Message {
  return say(text, { stop: 'refusal' });
}

/** Answers with an error. */
export function fail(status: number, type: string, message: string, headers?: Failure['headers']): Failure {
  return { kind: 'failure', status, type, message, ...(headers && { headers }) };
}

/** Gives each answer once per session, and the last one from then on. */
export function inTurn(...answers: Sequence['answers']): Sequence {
  return { kind: 'sequence', answers };
}

/** Never answers. */
export const hang: Answer = { kind: 'hang' };

/** Breaks the connection. */
export const reset: Answer = { kind: 'reset' };

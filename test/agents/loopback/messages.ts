import { randomUUID } from 'node:crypto';
import type { Block, Message } from './answer.ts';
import { type Asked, type Dialect, type Frame, pieces, sse, textIn } from './dialect.ts';

const USAGE = { input: 1000, output: 50 };

type Body = {
  readonly system?: unknown;
  readonly messages?: readonly { readonly role?: string }[];
  readonly tools?: readonly { readonly name?: string }[];
  readonly model?: string;
  readonly stream?: boolean;
};

/** The Messages API, which `claude` speaks. */
export const messages: Dialect = {
  path: '/v1/messages',

  read: (body, headers) => {
    const { system, messages = [], tools = [], model = '', stream = false } = body as Body;
    return {
      turn: messages.filter(({ role }) => role === 'assistant').length,
      system: textIn(system),
      messages: textIn(messages),
      tools: tools.map(({ name = '' }) => name),
      model,
      stream,
      session: String(headers['x-claude-code-session-id'] ?? ''),
    };
  },

  frames: (message, asked) => [
    {
      text: sse('message_start', {
        message: {
          ...envelope(asked),
          content: [],
          stop_reason: null,
          usage: { ...usageOf(message), output_tokens: 1 },
        },
      }),
      whole: 0,
    },
    ...message.blocks.flatMap(blockFrames),
    {
      text:
        sse('message_delta', {
          delta: { stop_reason: stopOf(message), stop_sequence: null },
          usage: { output_tokens: usageOf(message).output_tokens },
        }) + sse('message_stop', {}),
      whole: message.blocks.length + 1,
    },
  ],

  whole: (message, asked) => ({
    ...envelope(asked),
    content: message.blocks.map((block) =>
      block.type === 'text'
        ? block
        : { type: 'tool_use', id: `toolu_${randomUUID()}`, name: block.name, input: block.input },
    ),
    stop_reason: stopOf(message),
    usage: usageOf(message),
  }),

  error: ({ type, message }) => ({ type: 'error', error: { type, message }, request_id: `req_${randomUUID()}` }),
};

function envelope({ model }: Asked) {
  return { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function usageOf({ usage: { input, output, cached = 0 } = USAGE }: Message) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

function stopOf({ stop, blocks }: Message): string {
  return stop ?? (blocks.some(({ type }) => type === 'tool') ? 'tool_use' : 'end_turn');
}

function blockFrames(block: Block, index: number): Frame[] {
  const [start, deltas] =
    block.type === 'text'
      ? [{ type: 'text', text: '' }, pieces(block.text).map((text) => ({ type: 'text_delta', text }))]
      : [
          { type: 'tool_use', id: `toolu_${randomUUID()}`, name: block.name, input: {} },
          pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ];
  return [
    { text: sse('content_block_start', { index, content_block: start }), whole: index },
    ...deltas.map((delta) => ({ text: sse('content_block_delta', { index, delta }), whole: index })),
    { text: sse('content_block_stop', { index }), whole: index + 1 },
  ];
}

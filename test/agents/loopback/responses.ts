import { randomUUID } from 'node:crypto';
import type { Block, Message } from './answer.ts';
import { type Dialect, type Frame, pieces, sse, textIn } from './dialect.ts';

const USAGE = { input: 1000, output: 50 };

type Item = { readonly type?: string; readonly role?: string };
type Body = {
  readonly instructions?: string;
  readonly input?: readonly Item[];
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
  readonly model?: string;
  readonly stream?: boolean;
  readonly prompt_cache_key?: string;
};

/** The Responses API, which `codex` speaks. */
export const responses: Dialect = {
  path: '/responses',

  read: (body, headers) => {
    const { instructions = '', input = [], tools = [], model = '', stream = false, prompt_cache_key } = body as Body;
    return {
      turn: input.filter((item, at) => isAnswer(item) && !isAnswer(input[at - 1])).length,
      system: instructions,
      messages: textIn(input),
      tools: tools.map(({ name, type = '' }) => name ?? type),
      model,
      stream,
      session: String(headers.session_id ?? headers['session-id'] ?? prompt_cache_key ?? ''),
    };
  },

  frames: (message) => {
    const id = `resp_${randomUUID()}`;
    return [
      { text: sse('response.created', { response: { id } }), whole: 0 },
      ...message.blocks.flatMap(itemFrames),
      {
        text: sse('response.completed', { response: { id, usage: usageOf(message) } }),
        whole: message.blocks.length + 1,
      },
    ];
  },

  whole: (message, { model }) => ({
    id: `resp_${randomUUID()}`,
    model,
    status: 'completed',
    output: message.blocks.map(itemOf),
    usage: usageOf(message),
  }),

  error: ({ type, message }) => ({ error: { type, code: type, message } }),
};

/** What the model said, in a conversation that also holds what it was told. */
function isAnswer(item: Item | undefined): boolean {
  return item?.role === 'assistant' || ['function_call', 'custom_tool_call', 'reasoning'].includes(item?.type ?? '');
}

function usageOf({ usage: { input, output, cached = 0 } = USAGE }: Message) {
  return {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + cached + output,
  };
}

function itemOf(block: Block) {
  if (block.type === 'tool') {
    const call_id = `call_${randomUUID()}`;
    // A tool of a server is one of the server's own namespace here.
    const [, namespace, name] = /^(mcp__.+?)__(.+)$/.exec(block.name) ?? [];
    const tool = namespace === undefined ? { name: block.name } : { namespace, name };
    return { type: 'function_call', id: call_id, call_id, ...tool, arguments: JSON.stringify(block.input) };
  }
  const content = [{ type: 'output_text', text: block.text, annotations: [] }];
  return { type: 'message', id: `msg_${randomUUID()}`, role: 'assistant', status: 'completed', content };
}

function itemFrames(block: Block, index: number): Frame[] {
  const item = itemOf(block);
  const deltas = block.type === 'text' ? pieces(block.text) : [];
  return [
    { text: sse('response.output_item.added', { output_index: index, item }), whole: index },
    ...deltas.map((delta) => ({
      text: sse('response.output_text.delta', { item_id: item.id, output_index: index, content_index: 0, delta }),
      whole: index,
    })),
    { text: sse('response.output_item.done', { output_index: index, item }), whole: index + 1 },
  ];
}

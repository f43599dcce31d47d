import { chargeFor, type Models, tokensOf, type Usage } from '../../../domain/models.ts';
import type { Cost } from '../../../domain/run-event.ts';
import { countOf, fieldsOf, listOf, textOf } from '../../../text/agent-words/fields.ts';
import { oneLine } from '../../../text/sanitise.ts';

const DENIALS = 100;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** The last words of the program: what its `result` event holds. */
export type ClaudeResult = Readonly<Record<string, unknown>>;

/** What the events of one `claude -p` have told so far. Nothing in them is trusted to be there, and unknown ones are let pass. */
export class ClaudeStream {
  readonly #models: Models;
  readonly #used = new Map<string, { model: string; usage: Usage }>();
  readonly #denied = new Map<string, string>();
  /** Calls of tools it does not have, which the program itself lists nowhere. */
  readonly #unoffered = new Map<string, Record<string, unknown>>();
  #message = '';
  model: string | undefined;
  version: string | undefined;
  tools: readonly string[] = [];
  servers: readonly string[] = [];
  /** The kind of error the program saw last: `authentication_failed`, `billing_error`, `rate_limit` and so on. */
  error: string | undefined;
  /** How often in a row it was told that its login is not good. */
  refusedLogins = 0;
  /** A subscription pays for the work. */
  subscribed = false;
  /** When its quota is filled again. */
  until: string | undefined;
  result: ClaudeResult | undefined;

  constructor(models: Models) {
    this.#models = models;
  }

  /** Takes an event in. */
  read(event: unknown): void {
    const fields = fieldsOf(event);
    if (fields.type === 'system') this.#system(fields);
    else if (fields.type === 'stream_event') this.#streamed(fieldsOf(fields.event));
    else if (fields.type === 'assistant') this.#said(fields);
    else if (fields.type === 'user') this.#answered(fieldsOf(fields.message));
    else if (fields.type === 'rate_limit_event') this.#quota(fieldsOf(fields.rate_limit_info));
    else if (fields.type === 'result') this.#end(fields);
  }

  /** What it tried and was not allowed to do. */
  get denied(): string[] {
    return [...this.#denied.values()];
  }

  /** What the tokens seen so far are charged at; undefined where a price is not known. */
  get spentUsd(): number | undefined {
    let usd = 0;
    for (const { model, usage } of this.#used.values()) {
      const { price } = this.#models.find(model);
      if (price === undefined) return undefined;
      usd += chargeFor(usage, price);
    }
    return usd;
  }

  /** What it has cost: as the result reports it, else estimated from what was streamed, else unknown. */
  get cost(): Cost {
    const equivalent = this.subscribed ? { equivalent: true } : {};
    const reported = reportedCost(this.result);
    if (reported !== undefined) return { ...reported, ...equivalent };
    const tokens = [...this.#used.values()].reduce((sum, { usage }) => sum + tokensOf(usage), 0);
    if (tokens === 0) return { basis: 'unknown' };
    const usd = this.spentUsd;
    return usd === undefined ? { basis: 'unknown', tokens } : { usd, basis: 'estimated', tokens, ...equivalent };
  }

  #system(fields: Record<string, unknown>): void {
    if (fields.subtype === 'init') {
      this.model = textOf(fields.model);
      this.version = textOf(fields.claude_code_version);
      this.tools = listOf(fields.tools).map(String);
      this.servers = listOf(fields.mcp_servers).map((server) => textOf(fieldsOf(server).name) ?? '');
    } else if (fields.subtype === 'api_retry') {
      this.error = textOf(fields.error);
      this.refusedLogins = fields.error === 'authentication_failed' ? this.refusedLogins + 1 : 0;
    } else if (fields.subtype === 'permission_denied') {
      this.#deny(fields);
    }
  }

  /** The first event of an answer knows what went in, the last one what came out. */
  #streamed(event: Record<string, unknown>): void {
    if (event.type === 'message_start') {
      const { id, model, usage } = fieldsOf(event.message);
      this.#message = textOf(id) ?? `message ${this.#used.size}`;
      this.#used.set(this.#message, { model: textOf(model) ?? this.model ?? '', usage: usageOf(fieldsOf(usage)) });
      this.error = undefined;
      this.refusedLogins = 0;
    } else if (event.type === 'message_delta') {
      const known = this.#used.get(this.#message);
      if (known === undefined) return;
      const { output_tokens: output, ...rest } = fieldsOf(event.usage);
      const { input, cacheRead, cacheWrite } = usageOf(rest);
      const usage = {
        input: input || known.usage.input,
        output: countOf(output) || known.usage.output,
        cacheRead: cacheRead || known.usage.cacheRead,
        cacheWrite: cacheWrite || known.usage.cacheWrite,
      };
      this.#used.set(this.#message, { ...known, usage });
    }
  }

  #said(fields: Record<string, unknown>): void {
    this.error = textOf(fields.error) ?? this.error;
    for (const each of listOf(fieldsOf(fields.message).content)) {
      const { type, id, name, input } = fieldsOf(each);
      if (type !== 'tool_use' || this.tools.includes(String(name)) || this.#unoffered.size >= DENIALS) continue;
      this.#unoffered.set(String(id), { tool_use_id: id, tool_name: name, tool_input: input });
    }
  }

  #answered({ content }: Record<string, unknown>): void {
    for (const each of listOf(content)) {
      const { tool_use_id: id, is_error: failed } = fieldsOf(each);
      const call = this.#unoffered.get(String(id));
      if (failed === true && call !== undefined) this.#deny(call);
    }
  }

  #quota({ status, resetsAt }: Record<string, unknown>): void {
    this.subscribed = true;
    if (status !== 'rejected') return;
    const seconds = countOf(resetsAt);
    this.until = seconds === 0 || seconds > LAST_SECOND ? undefined : new Date(seconds * 1000).toISOString();
  }

  #end(result: ClaudeResult): void {
    this.result = result;
    for (const denial of listOf(result.permission_denials)) this.#deny(fieldsOf(denial));
  }

  #deny(fields: Record<string, unknown>): void {
    const id = textOf(fields.tool_use_id) ?? String(this.#denied.size);
    if (this.#denied.size >= DENIALS) return;
    const input = fields.tool_input === undefined ? '' : ` ${JSON.stringify(fields.tool_input)}`;
    this.#denied.set(id, oneLine(`${textOf(fields.tool_name) ?? 'a tool'}${input}`, 300));
  }
}

function usageOf(usage: Record<string, unknown>): Usage {
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
  };
}

/** What this process cost: the part since the last result where the program tells, because its total may span several. */
function reportedCost(result: ClaudeResult | undefined): Cost | undefined {
  if (result === undefined) return undefined;
  const parts = Object.values(fieldsOf(result.model_usage_since_last_result ?? result.modelUsage)).map(fieldsOf);
  const total =
    parts.length === 0 ? result.total_cost_usd : parts.reduce((sum, part) => sum + countOf(part.costUSD), 0);
  if (typeof total !== 'number' || !Number.isFinite(total) || total < 0) return undefined;
  const tokens = parts.reduce((sum, part) => sum + partTokens(part), 0);
  // Tokens for nothing: the program does not know this model's price.
  return total === 0 && tokens > 0 ? undefined : { usd: total, basis: 'reported', tokens };
}

function partTokens(part: Record<string, unknown>): number {
  return tokensOf({
    input: countOf(part.inputTokens),
    output: countOf(part.outputTokens),
    cacheRead: countOf(part.cacheReadInputTokens),
    cacheWrite: countOf(part.cacheCreationInputTokens),
  });
}

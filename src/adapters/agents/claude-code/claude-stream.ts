import type { Cost } from '../../../domain/facts/run-event.ts';
import type { Models } from '../../../domain/plan/models.ts';
import { countOf, fieldsOf, listOf, textOf } from '../../../text/agent-words/fields.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { ClaudeAccount } from './claude-account.ts';

const DENIALS = 100;
const UNFINISHED = 64 * 1024;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** The last words of the program: what its `result` event holds. */
export type ClaudeResult = Readonly<Record<string, unknown>>;

/** What the events of one `claude -p` have told so far. Nothing in them is trusted to be there, and unknown ones are let pass. */
export class ClaudeStream {
  readonly #account: ClaudeAccount;
  readonly #denied = new Map<string, string>();
  /** Calls of tools it does not have, which the program itself lists nowhere. */
  readonly #unoffered = new Map<string, Record<string, unknown>>();
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
  /** Text of an answer that has not come to its end. */
  unfinished = '';

  constructor(models: Models) {
    this.#account = new ClaudeAccount(models);
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

  /** What is spent so far; undefined where a price is not known. */
  get spentUsd(): number | undefined {
    return this.#account.usd;
  }

  /** What it has cost. */
  get cost(): Cost {
    const { cost } = this.#account;
    return cost.usd !== undefined && this.subscribed ? { ...cost, equivalent: true } : cost;
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

  #streamed(event: Record<string, unknown>): void {
    if (event.type === 'message_start') this.#begin(fieldsOf(event.message));
    else if (event.type === 'message_delta') this.#account.end(fieldsOf(event.usage));
    else if (event.type === 'content_block_delta') {
      const text = textOf(fieldsOf(event.delta).text) ?? '';
      if (this.unfinished.length < UNFINISHED) this.unfinished += text;
    }
  }

  /** Whatever was said before, a new answer means that the work goes on: what ran in the background has ended. */
  #begin(message: Record<string, unknown>): void {
    this.#account.begin(message, this.model);
    this.result = undefined;
    this.error = undefined;
    this.refusedLogins = 0;
    this.unfinished = '';
  }

  #said(fields: Record<string, unknown>): void {
    this.unfinished = '';
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
    this.#account.report(result);
    for (const denial of listOf(result.permission_denials)) this.#deny(fieldsOf(denial));
  }

  #deny(fields: Record<string, unknown>): void {
    const id = textOf(fields.tool_use_id) ?? String(this.#denied.size);
    if (this.#denied.size >= DENIALS) return;
    const input = fields.tool_input === undefined ? '' : ` ${JSON.stringify(fields.tool_input)}`;
    this.#denied.set(id, oneLine(`${textOf(fields.tool_name) ?? 'a tool'}${input}`, 300));
  }
}

import type { Cost } from '../../../domain/facts/run-event.ts';
import { chargeFor, type Models, tokensOf, type Usage } from '../../../domain/plan/models.ts';
import { countOf, fieldsOf, textOf } from '../../../text/agent-words/fields.ts';
import { statusIn } from '../agent-failure.ts';

/** What the events of one `codex exec` have told so far. Nothing in them is trusted to be there, and unknown ones are let pass. */
export class CodexStream {
  readonly #price: { readonly models: Models; readonly model: string | undefined; readonly subscribed: boolean };
  #usage: Usage | undefined;
  started = false;
  completed = false;
  /** Why the turn failed, in the program's words. */
  failed: string | undefined;
  /** The last thing that went wrong, be it for good or not. */
  error: string | undefined;
  /** How often in a row it was told that its login is not good. */
  refusedLogins = 0;
  /** The last thing the agent said: a judge's answer. */
  message: string | undefined;

  constructor(models: Models, { model, subscribed }: { model?: string | undefined; subscribed: boolean }) {
    this.#price = { models, model, subscribed };
  }

  /** Takes an event in. */
  read(event: unknown): void {
    const fields = fieldsOf(event);
    if (fields.type === 'turn.started') this.started = true;
    else if (fields.type === 'turn.completed') this.#complete(fieldsOf(fields.usage));
    else if (fields.type === 'turn.failed') this.failed = textOf(fieldsOf(fields.error).message) ?? 'the turn failed';
    else if (fields.type === 'error') this.#trouble(textOf(fields.message) ?? '');
    else if (fields.type === 'item.completed') this.#item(fieldsOf(fields.item));
  }

  /** What it has cost: tokens at the price of the model that was asked for, unknown where either is not known. */
  get cost(): Cost {
    if (this.#usage === undefined) return { basis: 'unknown' };
    const { models, model, subscribed } = this.#price;
    const tokens = tokensOf(this.#usage);
    const price = model === undefined ? undefined : models.find(model).price;
    if (price === undefined) return { basis: 'unknown', tokens };
    const usd = chargeFor(this.#usage, price);
    return { usd, basis: 'estimated', tokens, ...(subscribed && { equivalent: true }) };
  }

  #complete(usage: Record<string, unknown>): void {
    this.completed = true;
    const cacheRead = countOf(usage.cached_input_tokens);
    const input = Math.max(0, countOf(usage.input_tokens) - cacheRead);
    this.#usage = { input, cacheRead, cacheWrite: 0, output: countOf(usage.output_tokens) };
  }

  #trouble(message: string): void {
    this.error = message;
    this.refusedLogins = statusIn(message) === 401 ? this.refusedLogins + 1 : 0;
  }

  #item(item: Record<string, unknown>): void {
    this.refusedLogins = 0;
    if (item.type === 'agent_message') this.message = textOf(item.text);
  }
}

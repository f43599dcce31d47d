import type { Cost } from '../../../domain/facts/run-event.ts';
import { chargeFor, type Models, tokensOf, type Usage } from '../../../domain/plan/models.ts';
import { countOf, fieldsOf, textOf } from '../../../text/agent-words/fields.ts';

type Fields = Readonly<Record<string, unknown>>;
type Amount = { readonly usd: number; readonly tokens: number };

/** What one process has cost: what its results reported, and what was streamed since the last of them. */
export class ClaudeAccount {
  readonly #models: Models;
  readonly #streamed = new Map<string, { model: string; usage: Usage }>();
  #reported: Amount | undefined;
  #message = '';

  constructor(models: Models) {
    this.#models = models;
  }

  /** An answer begins: what went in is known. */
  begin({ id, model, usage }: Fields, usual: string | undefined): void {
    this.#message = textOf(id) ?? `message ${this.#streamed.size}`;
    this.#streamed.set(this.#message, { model: textOf(model) ?? usual ?? '', usage: usageOf(fieldsOf(usage)) });
  }

  /** An answer ends: what came out is known, and sometimes better what went in. */
  end(usage: Fields): void {
    const known = this.#streamed.get(this.#message);
    if (known === undefined) return;
    const now = usageOf(usage);
    const sum = {
      input: now.input || known.usage.input,
      output: now.output || known.usage.output,
      cacheRead: now.cacheRead || known.usage.cacheRead,
      cacheWrite: now.cacheWrite || known.usage.cacheWrite,
    };
    this.#streamed.set(this.#message, { ...known, usage: sum });
  }

  /** A result reports what was spent since the one before it, or in all; a process can have several. */
  report(result: Fields): void {
    const since = result.model_usage_since_last_result;
    const amount = amountOf(since ?? result.modelUsage, since === undefined ? result.total_cost_usd : 0);
    // Tokens for nothing: the program does not know this model's price.
    if (amount === undefined || (amount.usd === 0 && amount.tokens > 0)) return;
    const before = since === undefined ? undefined : this.#reported;
    this.#reported = { usd: (before?.usd ?? 0) + amount.usd, tokens: (before?.tokens ?? 0) + amount.tokens };
    this.#streamed.clear();
  }

  /** What is spent as far as it can be told; undefined where a price is not known. */
  get usd(): number | undefined {
    let usd = this.#reported?.usd ?? 0;
    for (const { model, usage } of this.#streamed.values()) {
      const { price } = this.#models.find(model);
      if (price === undefined) return undefined;
      usd += chargeFor(usage, price);
    }
    return usd;
  }

  /** What it has cost: reported, estimated as far as nobody reported it, or unknown. */
  get cost(): Cost {
    if (this.#streamed.size === 0 && this.#reported !== undefined) return { ...this.#reported, basis: 'reported' };
    const streamed = [...this.#streamed.values()].reduce((sum, { usage }) => sum + tokensOf(usage), 0);
    const tokens = streamed + (this.#reported?.tokens ?? 0);
    if (tokens === 0) return { basis: 'unknown' };
    const { usd } = this;
    return usd === undefined ? { basis: 'unknown', tokens } : { usd, basis: 'estimated', tokens };
  }
}

function usageOf(usage: Fields): Usage {
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWrite: countOf(usage.cache_creation_input_tokens),
  };
}

function amountOf(usage: unknown, total: unknown): Amount | undefined {
  const parts = Object.values(fieldsOf(usage)).map(fieldsOf);
  const usd = parts.length === 0 ? total : parts.reduce((sum, part) => sum + countOf(part.costUSD), 0);
  if (typeof usd !== 'number' || !Number.isFinite(usd) || usd < 0) return undefined;
  return { usd, tokens: parts.reduce((sum, part) => sum + partTokens(part), 0) };
}

function partTokens(part: Fields): number {
  return tokensOf({
    input: countOf(part.inputTokens),
    output: countOf(part.outputTokens),
    cacheRead: countOf(part.cacheReadInputTokens),
    cacheWrite: countOf(part.cacheCreationInputTokens),
  });
}

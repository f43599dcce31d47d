import type { Cost } from '../../../domain/facts/run-event.ts';
import { chargeFor, type Models, tokensOf } from '../../../domain/plan/models.ts';
import { countOf, fieldsOf, listOf, textOf } from '../../../text/agent-words/fields.ts';

/** What an agent has told about itself and its session so far. */
export class AcpSession {
  readonly #models: Models;
  #usd: number | undefined;
  #usage: Record<string, unknown> | undefined;
  id: string | undefined;
  version: string | undefined;
  model: string | undefined;
  stopReason: string | undefined;

  constructor(models: Models) {
    this.#models = models;
  }

  /** What it answered to `initialize`. */
  introduced({ agentInfo }: Record<string, unknown>): void {
    const { name, version } = fieldsOf(agentInfo);
    this.version = [textOf(name), textOf(version)].filter(Boolean).join(' ') || undefined;
  }

  /** What it answered to `session/new`. */
  opened({ sessionId, configOptions }: Record<string, unknown>): void {
    this.id = textOf(sessionId);
    const model = listOf(configOptions)
      .map(fieldsOf)
      .find(({ id, category }) => id === 'model' || category === 'model');
    this.model = textOf(model?.currentValue);
  }

  /** Something of what it does, as it goes on. */
  updated(update: Record<string, unknown>): void {
    const { amount, currency } = fieldsOf(update.cost);
    // The amount is what the whole session has cost so far.
    if (update.sessionUpdate === 'usage_update' && currency === 'USD') this.#usd = countOf(amount);
  }

  /** What it answered to `session/prompt`. */
  finished({ stopReason, usage }: Record<string, unknown>): void {
    this.stopReason = textOf(stopReason) ?? '';
    this.#usage = fieldsOf(usage);
  }

  /** What it is known to have spent so far. */
  get spentUsd(): number {
    return this.#usd ?? 0;
  }

  /** What it has cost: as it reports it, else by its tokens where the model has a price, else unknown. */
  get cost(): Cost {
    const usage = this.#usage ?? {};
    const used = {
      input: countOf(usage.inputTokens),
      output: countOf(usage.outputTokens),
      cacheRead: countOf(usage.cachedReadTokens),
      cacheWrite: countOf(usage.cachedWriteTokens),
    };
    const tokens = tokensOf(used);
    const counted = tokens === 0 ? {} : { tokens };
    if (this.#usd !== undefined && (this.#usd > 0 || tokens === 0)) {
      return { usd: this.#usd, basis: 'reported', ...counted };
    }
    const price = this.model === undefined ? undefined : this.#models.find(this.model).price;
    if (price === undefined || tokens === 0) return { basis: 'unknown', ...counted };
    return { usd: chargeFor(used, price), basis: 'estimated', tokens };
  }
}

import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import { requireType } from '../../engine/approve/approve.ts';
import type { Call } from '../call/command.ts';
import { formatOf } from '../call/format-of.ts';

const TRIALS = { default: 40, min: 2, max: 10_000 };
const BUDGET_USD = 5;
const SEEDS = 2 ** 32;

/** What is to be measured, how often, and for how much. */
export type Calibration = {
  readonly type: string;
  readonly files: readonly string[];
  readonly trials: number;
  readonly seed: number;
  readonly budgetUsd: number;
  readonly model?: string;
  readonly json: boolean;
};

/** Reads the words of a call; throws HelixError `usage` for what cannot be meant. */
export function calibrationOf(call: Call): Calibration {
  const [type = '', ...files] = call.positionals;
  requireType(type);
  const model = call.text('model');
  return {
    type,
    files,
    trials: wholeNumber(call, 'trials', TRIALS) ?? TRIALS.default,
    seed: wholeNumber(call, 'seed', { min: 0, max: SEEDS - 1 }) ?? Math.floor(Math.random() * SEEDS),
    budgetUsd: budgetOf(call.text('budget')),
    ...present({ model }),
    json: formatOf(call, { text: false, json: true }),
  };
}

function wholeNumber(call: Call, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const text = call.text(name);
  if (text === undefined) return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (number >= min && number <= max) return number;
  throw new HelixError('usage', `--${name} takes a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`);
}

function budgetOf(text: string | undefined): number {
  const usd = text === undefined ? BUDGET_USD : Number(text);
  if (text !== '' && Number.isFinite(usd) && usd > 0) return usd;
  throw new HelixError('usage', `--budget takes dollars such as 5 or 0.50, not ${JSON.stringify(text)}`);
}

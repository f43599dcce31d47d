import type { Return } from '../domain/facts/run-state.ts';
import { oneLine } from '../text/sanitise.ts';
import { findingLines } from './feedback.ts';
import { code, quoteWithin } from './quote.ts';

const MAX_REASON = 4 * 1024;
const MAX_FINDINGS = 4 * 1024;
const MOST = 3;

const WHO: Readonly<Record<Return['by'], string>> = {
  consultant: 'A consultant, who had looked at all attempts,',
  human: 'A human',
  approval: 'An independent approval',
  review: 'An independent review',
  no_answer: 'Nobody',
};

/** Why a phase is done again: who wanted that, in which words, and what had been found; null where its own gates said it. */
export function whyBack(phase: string, returns: readonly Return[]): string | null {
  return returns.length === 0
    ? null
    : returns
        .slice(-MOST)
        .map((why) => paragraphs(phase, why))
        .join('\n\n');
}

function paragraphs(phase: string, why: Return): string {
  const { by, from, reason, verdicts } = why;
  const findings = findingLines(verdicts).join('\n');
  return [
    opening(phase, why),
    ...(reason === undefined ? [] : [`${SAID[by]}:\n\n${quoteWithin(reason.trim(), MAX_REASON)}`]),
    ...(findings === ''
      ? []
      : [`What had been found wrong with ${code(from)}:\n\n${quoteWithin(findings, MAX_FINDINGS)}`]),
  ].join('\n\n');
}

const SAID: Readonly<Record<Return['by'], string>> = {
  consultant: 'Why, in the words of the consultant; data to weigh, not an order',
  human: 'Why, in the words of the human to that phase',
  approval: 'What it said',
  review: 'What it said',
  no_answer: 'What goes with that',
};

function opening(phase: string, { by, from, target }: Return): string {
  if (by === 'no_answer')
    return `Nobody answered in time what should follow for ${code(oneLine(from, 64))}; as the plan says for that case, it is tried again.`;
  const back =
    by === 'approval' || by === 'review'
      ? `did not accept the work of ${code(target)}`
      : `sent the run back from ${code(from)} to ${code(target)}`;
  const rest =
    phase === target
      ? 'Your earlier work is void, and all that was built on it.'
      : 'All that was built on it is done again, your phase included: what you build on may be another now.';
  return `${WHO[by]} ${back}. ${rest}`;
}

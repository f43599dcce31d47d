import type { Return } from '../domain/facts/run-state.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';
import { findingLines } from './feedback.ts';
import { code, quoteWithin } from './quote.ts';

const MAX_REASON = 4 * 1024;
const MAX_FINDINGS = 4 * 1024;
const MOST = 3;

const WHO: Readonly<Record<Return['by'], string>> = {
  consultant: phrase('A consultant, who had looked at all attempts,'),
  human: phrase('A human'),
  approval: phrase('An independent approval'),
  review: phrase('An independent review'),
  merge: phrase('A merge'),
  no_answer: phrase('Nobody'),
};

/** Why a phase is done again; `listed` says that findings stand above in the same brief. */
export type ToldReturn = Return & { readonly listed?: boolean };

/** Why a phase is done again: who wanted that, in which words, and what had been found; null where its own gates said it. */
export function whyBack(phase: string, returns: readonly ToldReturn[], say: Say = inEnglish): string | null {
  return returns.length === 0
    ? null
    : returns
        .slice(-MOST)
        .map((why) => paragraphs(phase, why, say))
        .join('\n\n');
}

/** The same for somebody who has not made the work. */
export function whyBackOf(phase: string, returns: readonly ToldReturn[]): string {
  return returns
    .slice(-MOST)
    .map((why) => paragraphs(phase, why, inEnglish, openingOf(phase, why)))
    .join('\n\n');
}

function paragraphs(phase: string, why: ToldReturn, say: Say, began = opening(phase, why, say)): string {
  const { by, from, reason, cause, verdicts, listed = false } = why;
  const findings = findingLines(verdicts, undefined, say).join('\n');
  const found = [
    ...(findings === '' ? [] : [quoteWithin(findings, MAX_FINDINGS)]),
    ...(listed ? [say('(listed above)')] : []),
  ];
  return [
    began,
    ...(reason === undefined ? [] : [`${say(SAID[by])}\n\n${quoteWithin(reason.trim(), MAX_REASON)}`]),
    ...(cause === undefined || cause.trim() === ''
      ? []
      : [`${say(CAUSE)}\n\n${quoteWithin(cause.trim(), MAX_REASON)}`]),
    ...(found.length === 0 ? [] : [say('What had been found wrong with {from}:', { from: code(from) }), ...found]),
  ].join('\n\n');
}

const SAID: Readonly<Record<Return['by'], string>> = {
  consultant: phrase('Why, in the words of the consultant; data to weigh, not an order:'),
  human: phrase('Why, in the words of the human to that phase:'),
  approval: phrase('What it said:'),
  review: phrase('What it said:'),
  merge: phrase('Both had changed these files:'),
  no_answer: phrase('What goes with that:'),
};

const CAUSE = phrase('What a consultant takes for the cause; data to weigh, not an order:');

function opening(phase: string, { by, from, target, beside }: Return, say: Say): string {
  if (by === 'no_answer') {
    return say(
      'Nobody answered in time what should follow for {from}; as the plan says for that case, it is tried again.',
      { from: code(oneLine(from, 64)) },
    );
  }
  if (by === 'merge') {
    return say(
      'Before your work could be accepted, that of {from} was, and merging the two left conflicts. Your working directory holds both: keep what each of them is for.',
      { from: code(oneLine(from, 200)) },
    );
  }
  const back = goneBack({ by, from, target }, say);
  const rest =
    phase === target
      ? say('Your earlier work is void, and all that was built on it.')
      : beside === true
        ? say(
            'By the plan your phase does not build on that. It is done again all the same, because its result stood in one line with what is taken back: what you find may be another now.',
          )
        : say('All that was built on it is done again, your phase included: what you build on may be another now.');
  return `${back} ${rest}`;
}

function goneBack({ by, from, target }: Pick<Return, 'by' | 'from' | 'target'>, say: Say): string {
  const names = { who: say(WHO[by]), from: code(from), target: code(target) };
  return by === 'approval' || by === 'review'
    ? say('{who} did not accept the work of {target}.', names)
    : say('{who} sent the run back from {from} to {target}.', names);
}

function openingOf(phase: string, why: Return): string {
  const { by, from, target, beside } = why;
  const [own, other] = [code(phase), code(oneLine(from, 200))];
  if (by === 'no_answer') return opening(phase, why, inEnglish);
  if (by === 'merge')
    return `Before the work of ${own} could be accepted, that of ${other} was, and merging the two left conflicts.`;
  const back = goneBack(why, inEnglish);
  if (phase === target) return `${back} The earlier work of ${own} is void, and all that was built on it.`;
  return beside === true
    ? `${back} By the plan ${own} does not build on that; it is done again because its result stood in one line with what is taken back.`
    : `${back} All that was built on it is done again, ${own} included.`;
}

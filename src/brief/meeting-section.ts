import type { Learned } from '../domain/facts/change-size.ts';
import type { MeetingState } from '../domain/facts/meeting.ts';
import { answerWords } from '../domain/ladder/meeting.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';
import { code, quoteWithin } from './quote.ts';

const KILOBYTE = 1024;
const MAX_EXPERT = 8 * KILOBYTE;
const MAX_ALL = 12 * KILOBYTE;
const SHOWN = 2000;
const MAX_LIST = 6 * KILOBYTE;
const MAX_DIFFERENCE = 24 * KILOBYTE;
const MAX_LINE = 1000;

const STATE = { clear: phrase('clear'), partly: phrase('partly clear'), missing: phrase('missing') } as const;

/** What came of a meeting, for whoever writes down what is to be done; what a human answered is told apart, as a decision. */
export function meetingSection(meeting: MeetingState, say: Say = inEnglish): string | undefined {
  const parts = [...experts(meeting, say), ...coverage(meeting, say), ...assumed(meeting, say)];
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** The questions of a meeting with what a human answered, word for word. */
export function answeredByHuman({ preparation, answers }: MeetingState, say: Say = inEnglish): string[] {
  return answers.flatMap((given) => {
    if (given.by !== 'human') return [];
    const question = oneLine(preparation?.questions[given.question]?.question ?? '', SHOWN);
    return [`${say('Asked: {question}', { question })}\n${say('Answered: {answer}', { answer: answerWords(given) })}`];
  });
}

function experts({ experts: chosen = [], heard, leftOut }: MeetingState, say: Say): string[] {
  if (heard.length + leftOut.length === 0) return [];
  const named = new Map(chosen.map(({ id, name }) => [id, name]));
  const name = (id: string) => code(named.get(id) ?? id);
  const analyses = heard.map(({ expert, words: { matters, risks, disagreements, questions } }) => {
    const lines = [
      ...matters.map((line) => say('matters: {text}', { text: line })),
      ...risks.map((line) => say('risk: {text}', { text: line })),
      ...questions.map((line) => say('open: {text}', { text: line })),
      ...disagreements.map((line) => say('expects others to disagree: {text}', { text: line })),
    ].map((line) => oneLine(line, SHOWN));
    return `### ${name(expert)}\n\n${quoteWithin(lines.join('\n'), MAX_EXPERT)}`;
  });
  const missing = leftOut.map(({ expert }) =>
    say('{expert} was to be heard, but could not be: nothing is known of that side.', { expert: name(expert) }),
  );
  return [
    say('## What the experts said'),
    say(
      'Opinions of agents who were heard apart from each other. Weigh them; where they disagree, decide, and say in the result who was turned down and why.',
    ),
    ...analyses,
    ...missing,
  ];
}

function coverage({ preparation }: MeetingState, say: Say): string[] {
  if (preparation === undefined || preparation.coverage.length === 0) return [];
  const lines = preparation.coverage.map(({ topic, state, found }) =>
    oneLine(`${topic}: ${say(STATE[state])}${found ? ` (${found})` : ''}`, SHOWN),
  );
  return [
    say('## What the repository tells'),
    say('Somebody looked before you, and this was clear or missing there:'),
    quoteWithin(lines.join('\n'), MAX_ALL),
  ];
}

function assumed({ preparation, answers }: MeetingState, say: Say): string[] {
  const lines = answers
    .filter(({ by }) => by === 'helix')
    .map(
      (given) => `${oneLine(preparation?.questions[given.question]?.question ?? '', SHOWN)}\n  ${answerWords(given)}`,
    );
  if (lines.length === 0) return [];
  return [
    say('## What is assumed'),
    say(
      'Nobody was there to answer, so what was recommended holds. No human decided it. Mark each of these as {mark} in the specification, where a human finds it:',
      {
        mark: code('[ASSUMED]'),
      },
    ),
    quoteWithin(lines.join('\n'), MAX_ALL),
  ];
}

/** What an earlier try at the same request showed, for those who plan it; all of it is what agents made, so it is quoted. */
export function learnedSection({ run, because, parts, findings, difference }: Learned, say: Say = inEnglish): string {
  return [
    say('## What an earlier try showed'),
    say('Run {run} began this as one change and was stopped: {because}', {
      run: code(run),
      because: oneLine(because, MAX_LINE),
    }),
    say('Nothing of it was accepted, and none of it lies in your files. Learn from it what the work takes.'),
    ...quoted(say('Its agent would have cut the request into these parts:'), list(parts), MAX_LIST),
    ...quoted(say('This was found wrong with its work:'), list(findings), MAX_LIST),
    ...quoted(say('This is what it had changed:'), difference.trim(), MAX_DIFFERENCE),
  ].join('\n\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line, MAX_LINE)}`).join('\n');
}

function quoted(about: string, text: string, bytes: number): string[] {
  return text === '' ? [] : [about, quoteWithin(text, bytes)];
}

import type { Verdict } from '../domain/verdict.ts';
import { firstAndLast } from '../text/last-lines.ts';
import { oneLine } from '../text/sanitise.ts';
import { findingLines } from './feedback.ts';
import { code, quoteWithin } from './quote.ts';

/** What all attempts together may take. */
const MAX_ALL = 104 * 1024;
/** The newest attempt gets so much of what is left, then the one before it, and so on. */
const SHARE = 0.4;
/** With less than this nothing can be told of an attempt. */
const LEAST = 2 * 1024;
const LEAST_PART = 300;

/** One attempt, as a consultant is told of it. */
export type AttemptFacts = {
  readonly attempt: number;
  readonly agent: string;
  readonly model?: string | undefined;
  /** What the newest was told: the others were told the same, but for what stands here anyway. */
  readonly brief?: string | undefined;
  /** What it changed, as a patch. */
  readonly difference: string;
  readonly verdicts: readonly Verdict[];
  /** Why it ended before it could be judged. */
  readonly broken?: string | undefined;
  /** The last things its agent said. */
  readonly said: string;
};

type Attempts = { readonly attempts: readonly AttemptFacts[]; readonly older: readonly string[] };

/** What all older attempts together may take. */
const MAX_OLDER = 8 * 1024;

/** The attempts so far, oldest first; the newest get most of the room. */
export function attemptSections({ attempts, older }: Attempts): string {
  const told: string[] = [];
  let room = MAX_ALL;
  const skipped: string[] = [];
  for (const attempt of attempts.toReversed()) {
    const section = room * SHARE < LEAST ? undefined : attemptSection(attempt, room * SHARE);
    if (section === undefined) skipped.unshift(attemptLine(attempt));
    else told.unshift(section);
    room -= Buffer.byteLength(section ?? '');
  }
  const brief = [...older, ...skipped];
  return [
    `## The attempts so far\n\nOldest first; each began with the work of the one before it, unless the plan was reverted between them.`,
    ...(brief.length === 0 ? [] : [`The oldest, in short:\n\n${quoteWithin(brief.join('\n'), MAX_OLDER, 'end')}`]),
    ...told,
  ].join('\n\n');
}

const MAX_LINE = 600;

/** An attempt in one line: who made it, and the first things that were found wrong. */
export function attemptLine({ attempt, agent, model, verdicts, broken }: AttemptLine): string {
  const found =
    broken === undefined ? findingLines(verdicts.map(inShort)).slice(0, 3).join(' ') : `interrupted: ${broken}`;
  return `attempt ${attempt} (${oneLine(model ?? agent, 80)}): ${oneLine(found || nothingFound(verdicts), MAX_LINE)}`;
}

function nothingFound(verdicts: readonly Verdict[]): string {
  return verdicts.length === 0 ? 'nothing was judged' : 'nothing: its gates passed';
}

/** Each finding in one line, with the last words of a command: they say why. */
function inShort(verdict: Verdict): Verdict {
  const findings = verdict.findings.map(({ output, ...finding }) => ({
    ...finding,
    message: firstAndLast({ message: finding.message, output }),
  }));
  return { ...verdict, findings };
}

type AttemptLine = Pick<AttemptFacts, 'attempt' | 'agent' | 'model' | 'verdicts' | 'broken'>;

type Part = { readonly title: string; readonly text: string; readonly share: number; readonly keep?: 'end' };

function attemptSection(facts: AttemptFacts, room: number): string {
  const { attempt, agent, model, broken } = facts;
  const parts: Part[] = [
    {
      title: 'What was found wrong',
      text: findingLines(facts.verdicts).join('\n') || nothingFound(facts.verdicts),
      share: 0.4,
    },
    { title: 'What it changed', text: facts.difference || 'nothing', share: 0.5 },
    {
      title: 'What its agent claimed at the end (its own words, proven by nothing)',
      text: facts.said || 'nothing',
      share: 0.5,
      keep: 'end',
    },
    ...(facts.brief === undefined
      ? []
      : [{ title: 'What it was told', text: facts.brief || 'it is not kept', share: 1 }]),
  ];
  const lines = [
    `### Attempt ${attempt}\n\nBy the agent ${code(agent.slice(0, 100))}${model === undefined ? '' : `, model ${code(model.slice(0, 100))}`}.`,
    ...(broken === undefined ? [] : [`It was interrupted:\n\n${quoteWithin(broken, 1000)}`]),
  ];
  let left = room - Buffer.byteLength(lines.join('\n\n'));
  for (const { title, text, share, keep } of parts) {
    const space = Math.floor(left * share) - title.length - LEAST_PART / 10;
    if (space < LEAST_PART) continue;
    const part = `${title}:\n\n${quoteWithin(text, space, keep)}`;
    lines.push(part);
    left -= Buffer.byteLength(part) + 2;
  }
  return lines.join('\n\n');
}

import type { Option } from '../facts/consultation.ts';
import type { NewEvent } from '../facts/run-event.ts';
import type { RunState } from '../facts/run-state.ts';
import { inQuotes } from '../in-quotes.ts';
import { ABORT, lettered, requestId } from '../ladder/question.ts';
import type { Phase } from '../plan/plan.ts';
import { needsConsent, type PlanGrowth } from '../plan-growth.ts';

type Asked = Extract<NewEvent, { type: 'human_asked' }>;
type Unnamed = Omit<Option, 'id'>;

const MOST_LINES = 100;
const MOST_CHARACTERS = 16_000;

const TAKE: Unnamed = {
  description: 'Take the new plan, with all that is listed here',
  effort: 'none',
  recommended: false,
  decision: { action: 'proceed' },
};

const GO_ON: Unnamed = {
  description: 'Go on with this plan',
  effort: 'none',
  recommended: true,
  decision: { action: 'proceed' },
};

const REWRITE: Unnamed = {
  description: 'Send it back: your comment says what is to be another way',
  effort: 'low',
  recommended: false,
  decision: { action: 'retry' },
};

const KEEP: Unnamed = {
  description: 'Keep the plan as it was: what the phase wrote stays a document, and no phase follows from it',
  effort: 'none',
  recommended: false,
  decision: { action: 'keep' },
};

/**
 * A plan that an agent wrote could do more than the one the user trusts, or is looked at by less: a human says whether that is
 * right. Nobody's silence does.
 */
export function askAboutPlan(phase: Phase, growth: PlanGrowth, state: RunState): Asked {
  if (!needsConsent(growth)) return showPlan(phase, growth, state);
  const wanted = differenceLines(growth);
  const lines = [...wanted, ...phaseLines(growth)];
  const shown = fitting(lines);
  const isSeen = shown.length === lines.length;
  const { added, changed, dropped } = growth;
  const because = `Phase ${phase.id} wrote a plan that needs your word: ${counts({ added, changed, dropped })}.`;
  const rest = isSeen
    ? []
    : [`and ${lines.length - shown.length} more, which is more than can be shown: it cannot be taken here`];
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, 0),
      phase: phase.id,
      level: 'stufe-2',
      reason: 'plan',
      because,
      question: [`${because} What is more than you trust, or is looked at by less:`, ...shown, ...rest].join('\n'),
      options: lettered([
        {
          description: 'Send it back: the agent is told to do without what is listed here; your comment is added',
          effort: 'low',
          recommended: true,
          decision: { action: 'retry', guidance: ['Write the plan without this:', ...fitting(wanted)].join('\n') },
        },
        ...(isSeen ? [TAKE] : []),
        KEEP,
        ABORT,
      ]),
    },
  };
}

/** Who sits there sees what is to be worked on before it costs anything. */
function showPlan({ id }: Phase, growth: PlanGrowth, state: RunState): Asked {
  const because = `Phase ${id} wrote the plan that is worked on next: ${counts(growth)}. Nothing of it has begun.`;
  const lines = fitting((growth.phases ?? []).map(lineOf));
  return {
    type: 'human_asked',
    data: {
      ...{ request: requestId(state, 0), phase: id, level: 'stufe-2', reason: 'plan', because },
      question: [because, ...lines].join('\n'),
      options: lettered([GO_ON, KEEP, REWRITE, ABORT]),
    },
  };
}

function lineOf({ id, type, gates }: NonNullable<PlanGrowth['phases']>[number]): string {
  return `${inQuotes(id)} (${inQuotes(type)}), gates: ${gates.map(inQuotes).join(', ')}`;
}

/** What a growth changes, in a clause. */
function counts({ added, changed, dropped }: Pick<PlanGrowth, 'added' | 'changed' | 'dropped'>): string {
  const told = [
    ...(added.length > 0 ? [`${phases(added.length)} added`] : []),
    ...(changed.length > 0 ? [`${phases(changed.length)} changed`] : []),
    ...(dropped.length > 0 ? [`${phases(dropped.length)} left out`] : []),
  ];
  return told.length === 0 ? 'the plan stays as it is' : told.join(', ');
}

function phases(count: number): string {
  return count === 1 ? '1 phase' : `${count} phases`;
}

/** One line for each thing that is more than was trusted, or less than was looked at; what an agent wrote stands in quotes. */
function differenceLines({ powers, lost }: PlanGrowth): string[] {
  return [...powers.map((power) => `+ ${inQuotes(power)}`), ...lost.map((guard) => `- ${inQuotes(guard)}`)];
}

/** The phases by their ids. */
function phaseLines({ added, changed, dropped }: PlanGrowth): string[] {
  const line = (what: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${what}: ${ids.map(inQuotes).join(', ')}`];
  return [...line('phases added', added), ...line('phases changed', changed), ...line('phases left out', dropped)];
}

function fitting(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let room = MOST_CHARACTERS;
  for (const line of lines.slice(0, MOST_LINES)) {
    room -= line.length;
    if (room < 0) break;
    shown.push(line);
  }
  return shown;
}

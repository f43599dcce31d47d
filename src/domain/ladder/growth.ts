import type { Size } from '../facts/change-size.ts';
import type { Option } from '../facts/consultation.ts';
import type { AttemptState, PhaseState, RunState } from '../facts/run-state.ts';
import { inQuotes } from '../in-quotes.ts';
import type { Phase } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';

type Unnamed = Omit<Option, 'id'>;
type Run = Pick<RunState, 'growth'>;

/** Tells whether a human has to say how to go on, because finished work is larger than one change should be, or its agent says so. */
export function hasGrown({ current, rulings: { room } }: PhaseState, { growth }: Run): boolean {
  if (growth === undefined || current?.stage !== 'finished' || current.manual === true) return false;
  if (current.split !== undefined) return true;
  const limit = room ?? growth;
  return current.size !== undefined && (current.size.files > limit.files || current.size.lines > limit.lines);
}

/** How large the work may become after a human let it be as large as it is: as much again as one change should be. */
export function roomBeyond({ files, lines }: Size, growth: Size): Size {
  return { files: files + growth.files, lines: lines + growth.lines };
}

/** No size is too large any more. */
export const ANY_SIZE: Size = { files: Number.MAX_SAFE_INTEGER, lines: Number.MAX_SAFE_INTEGER };

const EXCEEDED = /^scope exceeded\b/i;

/** What the judge of a change says that goes beyond what was asked; undefined where it says no such thing. */
export function scopeExceeded(verdicts: readonly Verdict[], { growth }: Run): string | undefined {
  if (growth === undefined) return undefined;
  const findings = verdicts.filter(({ gate }) => gate === 'approval').flatMap((verdict) => verdict.findings);
  return findings.find(
    ({ severity, check, message }) => severity === 'error' && check === 'task' && EXCEEDED.test(message),
  )?.message;
}

/** Why a human is asked, as a clause. */
export function growthWords({ current }: PhaseState, { growth }: Run): string {
  if (current?.split !== undefined)
    return `its agent says that the request is too large: ${oneLine(current.split.reason)}`;
  const limit = growth === undefined ? '' : `; you are asked above ${sizeWords(growth)}`;
  return `the change has grown to ${sizeWords(current?.size ?? ANY_SIZE)}${limit}`;
}

function sizeWords({ files, lines }: Size): string {
  return `${files} file${files === 1 ? '' : 's'} and ${lines} line${lines === 1 ? '' : 's'}`;
}

const STOP: Unnamed = {
  description: 'Stop: the run ends and nothing of this phase is accepted',
  effort: 'none',
  recommended: false,
  decision: { action: 'abort' },
};

const PLAN: Unnamed = {
  description:
    'Plan: this run ends and nothing of this phase is accepted; then helix do --plan --again holds a meeting that is told what was learned',
  effort: 'medium',
  recommended: false,
  decision: { action: 'abort' },
};

/** What a human can do with a change that is larger than one should be: go on, split, make a plan of it, or stop. */
export function growthOptions(phase: Phase, at: PhaseState, run: Run): Unnamed[] {
  const scope = at.current?.stage === 'judged' ? scopeExceeded(at.lastVerdicts, run) : undefined;
  if (scope !== undefined) return [...scopeOptions(scope), PLAN, STOP];
  const { split } = at.current ?? {};
  return [...(split === undefined ? sizeOptions(phase) : splitOptions(split)), PLAN, STOP];
}

const PROPOSE =
  'The change is too large for one. Propose how to split it: change nothing more, and write the file for that which this brief names.';

/** What people said, without HELIX's own call for a proposal, which the next answer about the size takes back. */
export function withoutProposal(guidance: readonly string[]): string[] {
  return guidance.map((words) => words.replace(PROPOSE, '').trim()).filter((words) => words !== '');
}

function sizeOptions({ id }: Phase): Unnamed[] {
  return [
    {
      description: 'Go on: it may be that large; you are asked again when it has grown by as much again',
      effort: 'none',
      recommended: true,
      decision: { action: 'proceed' },
    },
    {
      description: `Split: ${id} proposes parts, and you choose`,
      effort: 'low',
      recommended: false,
      decision: {
        action: 'retry',
        guidance: PROPOSE,
      },
    },
  ];
}

function splitOptions({ parts }: NonNullable<AttemptState['split']>): Unnamed[] {
  const [first = '', ...later] = parts.map(oneLine);
  return [
    {
      description: 'Go on: the whole of it in one change, however large',
      effort: 'high',
      recommended: false,
      decision: {
        action: 'proceed',
        guidance: 'The whole request is wanted in one change, however large it gets. Do not propose a split again.',
      },
    },
    {
      description: `Split as the agent proposes. Now: ${inQuotes(first)}. Later, each with helix do --again: ${later.map(inQuotes).join(', ')}`,
      effort: 'low',
      recommended: true,
      decision: {
        action: 'retry',
        guidance:
          'Only the part of the request that the specification names under scope is wanted now. Leave the other parts undone, and take back what your working directory holds of them already.',
        changes: {
          spec: {
            scope: [`${NOW}${first}`, ...later.map((part) => `${LATER}${part}`)],
          },
        },
      },
    },
  ];
}

const NOW = 'Only this part of the request is wanted now: ';
const LATER = 'Not now: ';

/** What a human decided about how much of the request is wanted, a sentence each. */
export function decidedScope({ specChanges }: Pick<RunState, 'specChanges'>): string[] {
  const scope = specChanges.filter(({ path, by }) => path === 'scope' && by === 'human');
  return scope.flatMap((change) => ('adds' in change ? change.adds : []));
}

/** The part of the request that a human wants now, where the others were put off. */
export function partForNow(state: Pick<RunState, 'specChanges'>): string | undefined {
  return decidedScope(state)
    .findLast((line) => line.startsWith(NOW))
    ?.slice(NOW.length);
}

/** The parts of the request that a human put off. */
export function partsForLater(state: Pick<RunState, 'specChanges'>): string[] {
  const lines = decidedScope(state);
  return lines.filter((line) => line.startsWith(LATER)).map((line) => line.slice(LATER.length));
}

function scopeOptions(told: string): Unnamed[] {
  const beyond = oneLine(told);
  return [
    {
      description: 'Go on: what goes beyond the request is wanted, too; the judge is told and asked anew',
      effort: 'none',
      recommended: false,
      decision: { action: 'proceed', changes: { spec: { scope: [`This is wanted, too: ${beyond}`] } } },
    },
    {
      description: 'Split: the agent takes back what goes beyond the request; ask for it later with helix do --again',
      effort: 'low',
      recommended: true,
      decision: { action: 'retry', guidance: `Take back what goes beyond the request: ${beyond}` },
    },
  ];
}

const LONGEST = 500;

/** What others wrote, in a line of bounded length. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}

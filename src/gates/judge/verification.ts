import { z } from 'zod';
import type { Settled } from '../../approval/question.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { TreeFile } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { approvalAnswer, NOBODY_TO_ASK, rejectAbsent } from '../gate/approval-answer.ts';
import { defineGate } from '../gate/define-gate.ts';
import type { GateAnswer, ToAsk } from '../gate/gate-context.ts';
import { wantedFiles } from '../gate/wanted-files.ts';

/** What of a gate's settings says how it fails, not what it wants. */
const SILENT = new Set(['type', 'on_failure', 'max_retries', 'timeout', 'model']);

/** What asks judges itself; a verifier comes before it. */
const JUDGED = new Set(['verification', 'approval']);

/** The gates that look at the syntax of all that a phase has made, unless they name files. */
const PARSING = new Set(['syntax_check', 'files_exist_and_syntax']);

/** Passes when an independent agent confirms what the phase had to come to; asked for by `verify_agent`, never named in a plan. */
export const verification = defineGate({
  type: 'verification',
  settings: z.strictObject({}),
  asks: async (_settings, context) => requestOf(wantedFiles(undefined, context).found, context.phase),
  judge: async (_settings, context) => {
    const { approver, phase } = context;
    if (approver === undefined) return NOBODY_TO_ASK;
    const { found, absent } = wantedFiles(undefined, context);
    if (absent.length > 0) return mild(rejectAbsent(absent));
    const answer = await approver.ask({ ...requestOf(found, phase), found: [] });
    if (answer.kind === 'interrupted') return answer;
    return mild(approvalAnswer(answer.result, { found: [] }));
  },
});

/** Whatever a verifier misses is worth another attempt. */
function mild(answer: GateAnswer): GateAnswer {
  return answer.kind === 'judged' && answer.outcome === 'reject' ? { ...answer, outcome: 'revise' } : answer;
}

function requestOf(found: readonly TreeFile[], phase: Phase): ToAsk {
  const files = found.map(({ path }) => path);
  return { type: 'verification', role: 'verifier', files, criteria: criteriaOf(phase), settled: settledIn(phase) };
}

/** What a verifier is asked to confirm beside what was asked: that what was delivered serves its purpose. */
function criteriaOf({ output }: Phase): string[] {
  return output.files.length > 0
    ? [`these files have content that serves their purpose: ${listed(output.files)}`]
    : [`the new or changed files below ${oneLine(output.directory, 200)} have content that serves their purpose`];
}

/** What needs no verifier: that the files are there, and whatever the gates before it have found out. */
export function settledIn({ gates }: Pick<Phase, 'gates'>): Settled[] {
  const passed = gates.filter(({ type }) => !JUDGED.has(type));
  const parsed = passed.some(({ type, settings }) => PARSING.has(type) && settings.files === undefined);
  return [
    { check: 'expected-files', words: 'all files that were to be delivered are there' },
    ...(parsed
      ? [{ check: 'syntax', words: 'all of them that are in a language HELIX can read follow its syntax' }]
      : []),
    ...passed.map((gate) => ({ words: gateLine(gate) })),
  ];
}

function gateLine({ type, settings }: Gate): string {
  const told = Object.entries(settings)
    .filter(([name, value]) => !SILENT.has(name) && value !== undefined)
    .map(
      ([name, value]) =>
        `${name} ${Array.isArray(value) ? listed(value, name === 'command' ? ' ' : ', ') : oneLine(JSON.stringify(value), 200)}`,
    );
  const wanting = told.length === 0 ? '' : `, with ${told.join('; ')}`;
  return `the gate ${oneLine(type, 60)} has passed${wanting}`;
}

function listed(values: readonly unknown[], between = ', '): string {
  const shown = values.slice(0, 50).map((value) => oneLine(String(value), 200));
  return shown.join(between) + (values.length > 50 ? ` and ${values.length - 50} more` : '');
}

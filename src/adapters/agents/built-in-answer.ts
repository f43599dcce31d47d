import type { ConsultantAnswer } from '../../domain/facts/consultation.ts';
import type { CriteriaAnswer, ExpertWords, Preparation } from '../../domain/facts/meeting.ts';
import type { Evidence, JudgeAnswer } from '../../domain/judge/approval.ts';
import type { JudgeTask } from '../../ports/agent.ts';
import { tellingWords } from '../../text/telling-words.ts';

const CONFIDENCE = 0.95;
const MAX_QUOTE = 2000;

type Read = (dir: string, path: string) => string | undefined;

/** What a simulated consultant says: it has nothing to decide by, so a human decides. */
const NO_ADVICE: ConsultantAnswer = {
  analysis: { failure_summary: 'simulated: nothing was analysed', root_cause: 'simulated: nothing was analysed' },
  decision: { action: 'ask_human' },
};

const PARTS = ['expert', 'questions', 'criteria'] as const;

/** The part of a meeting that a consultant is asked for; undefined where a phase has failed. */
export function meetingPart({ role, subject }: JudgeTask): (typeof PARTS)[number] | undefined {
  return role === 'consultant' ? PARTS.find((part) => part === subject.type) : undefined;
}

/** What is said in a simulated meeting: nothing was looked at, so there is nothing to ask. */
const IN_MEETING: Readonly<Record<(typeof PARTS)[number], ExpertWords | Preparation | CriteriaAnswer>> = {
  expert: { matters: ['simulated: nothing was analysed'], risks: [], disagreements: [], questions: [] },
  questions: { coverage: [], questions: [] },
  criteria: {
    criteria: [{ id: 'C1', text: 'simulated: the files of the plan are there', check: 'the gate files_exist passes' }],
  },
};

/**
 * What the scripted agent answers without a script: as a judge that every check passes, as the first line it can read shows, as a
 * consultant that a human should decide, and in a meeting that nothing is to be asked.
 */
export function builtInAnswer(task: JudgeTask, read: Read): unknown {
  const { role, subject, readable } = task;
  const part = meetingPart(task);
  if (part !== undefined) return IN_MEETING[part];
  if (role === 'consultant') return NO_ADVICE;
  const [dir] = readable;
  const evidence = dir === undefined ? [] : firstLine(subject.inputs, (path) => read(dir, path));
  const answer: JudgeAnswer = {
    checks: subject.checks.map((id) => ({ id, outcome: 'pass', evidence })),
    findings: [],
    recommendations: [],
    result: 'approved',
    confidence: CONFIDENCE,
  };
  return answer;
}

/** The first line that tells something of the first file that has one. */
function firstLine(paths: readonly string[], read: (path: string) => string | undefined): Evidence[] {
  for (const file of paths) {
    const lines = read(file)?.split(/\r?\n/) ?? [];
    const at = lines.findIndex((line) => tellingWords(line.slice(0, MAX_QUOTE)).size > 0);
    if (at !== -1) return [{ file, line: at + 1, quote: lines[at]?.slice(0, MAX_QUOTE) ?? '' }];
  }
  return [];
}

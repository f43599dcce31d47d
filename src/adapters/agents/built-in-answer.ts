import type { ConsultantAnswer } from '../../domain/facts/consultation.ts';
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

/**
 * What the scripted agent answers without a script: as a judge that every check passes, as the first line it can read shows, as a
 * consultant that a human should decide.
 */
export function builtInAnswer({ role, subject, readable }: JudgeTask, read: Read): JudgeAnswer | ConsultantAnswer {
  if (role === 'consultant') return NO_ADVICE;
  const [dir] = readable;
  const evidence = dir === undefined ? [] : firstLine(subject.inputs, (path) => read(dir, path));
  return {
    checks: subject.checks.map((id) => ({ id, outcome: 'pass', evidence })),
    findings: [],
    recommendations: [],
    result: 'approved',
    confidence: CONFIDENCE,
  };
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

import type { Evidence, JudgeAnswer } from '../../domain/approval.ts';
import type { JudgeTask } from '../../ports.ts';

const CONFIDENCE = 0.95;
const MAX_QUOTE = 2000;

type Read = (dir: string, path: string) => string | undefined;

/** What the scripted agent answers as a judge without a script: every check passes, as the first line it can read shows. */
export function builtInAnswer({ role, subject, readable }: JudgeTask, read: Read): JudgeAnswer | undefined {
  if (role === 'consultant') return undefined;
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

/** The first line with something in it of the first file that has one. */
function firstLine(paths: readonly string[], read: (path: string) => string | undefined): Evidence[] {
  for (const file of paths) {
    const lines = read(file)?.split(/\r?\n/) ?? [];
    const at = lines.findIndex((line) => line.trim() !== '');
    if (at !== -1) return [{ file, line: at + 1, quote: lines[at]?.slice(0, MAX_QUOTE) ?? '' }];
  }
  return [];
}

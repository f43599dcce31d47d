import type { AgentTask, JudgeTask } from '../../ports/agent.ts';
import { excerpt, sanitise } from '../../text/sanitise.ts';

const SHOWN = 2000;

type Spoken = { readonly line: string; readonly stream: 'stdout' | 'stderr'; readonly truncated: boolean };

/** Hands on a line that is no event of the agent's own: kept as it is, a giant one only in part. */
export function handOnRaw({ onLine }: Pick<AgentTask, 'onLine'>, { line, stream, truncated }: Spoken): void {
  const text = sanitise(truncated ? line.slice(0, SHOWN) : line);
  onLine(JSON.stringify({ type: 'text', stream, text, ...(truncated && { truncated }) }), text);
}

/** A judge's answer if it is what was asked for, else why it is not. */
export function checkAnswer(
  { answer: schema }: Pick<JudgeTask, 'answer'>,
  answer: unknown,
): { readonly answer: unknown } | { readonly why: string } {
  const checked = schema.safeParse(answer);
  if (checked.success) return { answer: checked.data };
  const [issue] = checked.error.issues;
  const why = answer === undefined ? 'there is none' : `${issue?.path.join('.') || 'it'}: ${issue?.message}`;
  return { why: excerpt(why, 500) };
}

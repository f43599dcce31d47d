import type { JudgeTask } from '../../ports/agent.ts';
import { excerpt } from '../../text/sanitise.ts';

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

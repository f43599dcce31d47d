import { posix } from 'node:path';
import { fieldsOf, listOf, textOf } from '../../../text/agent-words/fields.ts';
import { oneLine } from '../../../text/sanitise.ts';

/** What an agent is answered when it asks whether it may do something, and what it was refused. */
export type Permission = { readonly answer: object; readonly denied?: string };

/** Lets an agent do what it does in its directory, once each time; what lies elsewhere and changes of its own rules it may not touch. */
export function answerPermission(params: unknown, dir: string): Permission {
  const { toolCall, options } = fieldsOf(params);
  const call = fieldsOf(toolCall);
  const allowed = isAllowed(call, dir);
  const wanted = allowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const offered = listOf(options).map(fieldsOf);
  const chosen = wanted.map((kind) => offered.find((option) => option.kind === kind)).find(Boolean);
  const outcome = chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId };
  if (allowed) return { answer: { outcome } };
  return { answer: { outcome }, denied: oneLine(textOf(call.title) ?? textOf(call.kind) ?? 'a tool', 300) };
}

/** Commands run behind the walls of the whole agent, if there are any; what they touch cannot be told from what they are called. */
function isAllowed({ kind, locations }: Record<string, unknown>, dir: string): boolean {
  if (kind === 'switch_mode') return false;
  if (kind === 'read' || kind === 'search') return true;
  return listOf(locations).every((location) => {
    const path = textOf(fieldsOf(location).path);
    return path === undefined || isInside(posix.resolve(dir, path), dir);
  });
}

function isInside(path: string, dir: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}

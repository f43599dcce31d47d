import { oneLine, sanitise } from '../sanitise.ts';
import { fieldsOf, textOf } from './fields.ts';

/** What a message of the Agent Client Protocol says to people; most say nothing. */
export function acpWords(message: unknown): string | undefined {
  const { method, params, result, error } = fieldsOf(message);
  if (method === 'session/update') return updateWords(fieldsOf(fieldsOf(params).update));
  if (method !== undefined) return undefined;
  const failed = textOf(fieldsOf(error).message);
  if (failed !== undefined) return oneLine(failed, 500);
  const stopped = textOf(fieldsOf(result).stopReason);
  return stopped === undefined || stopped === 'end_turn' ? undefined : oneLine(`stopped: ${stopped}`, 100);
}

function updateWords(update: Record<string, unknown>): string | undefined {
  const title = textOf(update.title);
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return sanitise(textOf(fieldsOf(update.content).text) ?? '');
    case 'tool_call':
    case 'tool_call_update':
      return title === undefined ? undefined : oneLine(`→ ${title}`, 300);
    default:
      return undefined;
  }
}

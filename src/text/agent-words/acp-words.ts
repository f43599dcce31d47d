import { oneLine, sanitise } from '../sanitise.ts';
import { fieldsOf, listOf, textOf } from './fields.ts';
import { subjectOf } from './subject.ts';

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
      return title === undefined ? undefined : oneLine(`→ ${title}${missingIn(title, update)}`, 300);
    default:
      return undefined;
  }
}

/** What a tool is called with, where its title does not say it. */
function missingIn(title: string, { rawInput, locations }: Record<string, unknown>): string {
  const subject = subjectOf(rawInput) ?? textOf(fieldsOf(listOf(locations)[0]).path);
  const words = subject?.replaceAll('"', '') ?? '';
  return words === '' || title.replaceAll('"', '').includes(words) ? '' : ` ${subject}`;
}

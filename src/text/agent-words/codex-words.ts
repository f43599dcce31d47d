import { oneLine, sanitise } from '../sanitise.ts';
import { countOf, fieldsOf, listOf, textOf } from './fields.ts';
import { subjectOf } from './subject.ts';

/** What an event of Codex's stream says to people; most say nothing. */
export function codexWords(event: unknown): string | undefined {
  const fields = fieldsOf(event);
  switch (fields.type) {
    case 'item.started':
      return startedWords(fieldsOf(fields.item));
    case 'item.completed':
      return completedWords(fieldsOf(fields.item));
    case 'error':
      return oneLine(textOf(fields.message) ?? '', 500) || undefined;
    case 'turn.completed':
      return usageWords(fieldsOf(fields.usage));
    default:
      return undefined;
  }
}

function startedWords(item: Record<string, unknown>): string | undefined {
  if (item.type === 'command_execution') return oneLine(`→ shell ${commandOf(textOf(item.command) ?? '')}`, 300);
  if (item.type !== 'mcp_tool_call') return undefined;
  const subject = subjectOf(item.arguments);
  return oneLine(`→ ${textOf(item.server)} ${textOf(item.tool)}${subject === undefined ? '' : ` ${subject}`}`, 300);
}

/** Codex wraps every command in a shell of its own. */
function commandOf(command: string): string {
  const [, quoted, plain] = /^\S*sh -l?c (?:'([\s\S]*)'|"?([\s\S]*?)"?)$/.exec(command) ?? [];
  return quoted?.replaceAll(`'\\''`, "'") ?? plain ?? command;
}

function completedWords(item: Record<string, unknown>): string | undefined {
  if (item.type === 'agent_message') return sanitise(textOf(item.text) ?? '').trim() || undefined;
  if (item.type === 'error') return oneLine(textOf(item.message) ?? '', 500) || undefined;
  if (item.type === 'web_search') return oneLine(`→ web search "${textOf(item.query) ?? ''}"`, 300);
  if (item.type !== 'file_change') return undefined;
  const paths = listOf(item.changes).map((change) => textOf(fieldsOf(change).path) ?? '');
  return oneLine(`→ edit ${paths.join(', ')}`, 300);
}

function usageWords(usage: Record<string, unknown>): string {
  return `done, ${countOf(usage.input_tokens)} tokens read and ${countOf(usage.output_tokens)} written`;
}

import { oneLine, sanitise } from '../sanitise.ts';
import { countOf, fieldsOf, listOf, textOf } from './fields.ts';
import { subjectOf } from './subject.ts';

/** What an event of Claude Code's stream says to people; most say nothing. */
export function claudeWords(event: unknown): string | undefined {
  const fields = fieldsOf(event);
  switch (fields.type) {
    case 'assistant':
      return contentWords(fieldsOf(fields.message).content);
    case 'result':
      return resultWords(fields);
    case 'system':
      return systemWords(fields);
    default:
      return undefined;
  }
}

function contentWords(content: unknown): string | undefined {
  const words = listOf(content).flatMap((each) => {
    const block = fieldsOf(each);
    if (block.type === 'text') return sanitise(textOf(block.text) ?? '').trim() || [];
    return block.type === 'tool_use' ? toolWords(block) : [];
  });
  return words.length === 0 ? undefined : words.join('\n');
}

function toolWords({ name, input }: Record<string, unknown>): string {
  const subject = subjectOf(input);
  return oneLine(`→ ${textOf(name) ?? 'a tool'}${subject === undefined ? '' : ` ${subject}`}`, 300);
}

function systemWords(fields: Record<string, unknown>): string | undefined {
  if (fields.subtype === 'api_retry') {
    const seconds = Math.round(Number(fields.retry_delay_ms) / 100) / 10;
    const why = textOf(fields.error) ?? 'unknown';
    const status = typeof fields.error_status === 'number' ? ` ${fields.error_status}` : '';
    return oneLine(
      `no answer (${why}${status}), again in ${seconds} s (${fields.attempt} of ${fields.max_retries})`,
      200,
    );
  }
  if (fields.subtype !== 'permission_denied') return undefined;
  return oneLine(`not allowed: ${textOf(fields.tool_name) ?? 'a tool'}`, 200);
}

function resultWords(fields: Record<string, unknown>): string | undefined {
  const { is_error: failed, result, errors, num_turns: turns, total_cost_usd: usd } = fields;
  if (failed !== true) return `done after ${countOf(turns)} turns, ${countOf(usd).toFixed(4)} USD`;
  return oneLine(textOf(result) ?? listOf(errors).map(String).join('; '), 500) || undefined;
}

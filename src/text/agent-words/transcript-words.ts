import { sanitise } from '../sanitise.ts';
import { acpWords } from './acp-words.ts';
import { claudeWords } from './claude-words.ts';
import { codexWords } from './codex-words.ts';
import { fieldsOf, textOf } from './fields.ts';

/** What a line of a transcript says to people, whichever agent wrote it; undefined for what only machines need. */
export function transcriptWords(line: string): string | undefined {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return sanitise(line);
  }
  const text = textOf(fieldsOf(event).text);
  return text === undefined ? (claudeWords(event) ?? codexWords(event) ?? acpWords(event)) : sanitise(text);
}

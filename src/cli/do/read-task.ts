import { HelixError } from '../../domain/helix-error.ts';
import { requireShort } from '../../domain/request-limit.ts';
import { isTask } from '../../engine/start/require-task.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Call } from '../call/command.ts';
import { readWords } from '../project/read-request.ts';

/** The task a call names, as text, as a file or from stdin, cleaned of control characters; throws HelixError `usage` where there is none. */
export async function readTask(call: Call): Promise<string> {
  const [given = '', ...more] = call.positionals;
  if (more.length > 0) {
    throw new HelixError('usage', `the task has to be one argument, and there are ${more.length + 1}`, {
      hint: `Put it in quotes: helix do "${[given, ...more].join(' ')}"`,
    });
  }
  const text = sanitise(await readWords(given, call, 'task')).trim();
  // What cannot be seen is longer once it is spelt out.
  if (isTask(text)) return requireShort(`${text}\n`, 'task');
  throw new HelixError('usage', 'there is no task: nothing in it says what is wanted', {
    hint: 'Say it in a sentence: helix do "the CSV export loses umlauts; add a test for it"',
  });
}

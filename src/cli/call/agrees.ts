import { sanitise } from '../../text/sanitise.ts';
import type { Call } from './command.ts';
import { openKeyboard } from './keyboard.ts';

/** More than fills a large screen is not read before a key is pressed. */
const MOST_SHOWN = 4000;
/** How the end of a script that is too long for a line is written. */
const CUT = /… \(sha256 [0-9a-f]{64}\)/;

/** Shows lines on the terminal and tells whether whoever sits there agrees to them by a `y`, or did by `--yes`; false where nobody does or could. */
export async function agrees(
  { terminal, flag }: Call,
  asked: { readonly about: string; readonly lines: readonly string[]; readonly question: string },
): Promise<boolean> {
  const agreed = flag('yes');
  if (!agreed && (!terminal.attended || flag('json'))) return false;
  const { about, lines, question } = asked;
  if (!isShownInFull(lines)) {
    terminal.err('A y is not enough here: what it wants is too long for a screen or has characters nobody sees.\n');
    return false;
  }
  terminal.err(`${about}\n`);
  for (const line of lines) terminal.err(`  ${line}\n`);
  if (agreed) return true;
  const keyboard = await openKeyboard(new AbortController().signal);
  try {
    terminal.err(`${question} [y/N] `);
    return /^(y|yes)$/i.test((await keyboard.line())?.trim() ?? '');
  } finally {
    keyboard.close();
  }
}

/** Nobody can agree to what they do not see. */
function isShownInFull(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return text.length <= MOST_SHOWN && sanitise(text) === text && !CUT.test(text);
}

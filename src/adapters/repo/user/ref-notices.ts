import type { Finding } from '../../../domain/finding.ts';
import { oneLine } from '../../../text/sanitise.ts';

/** What became of a ref while an agent worked; `ref: ` and a name stands for a ref that points to another. */
type Move = { readonly ref: string; readonly before: string; readonly after: string | undefined };

const HINT = 'Work in your own directory; the repository it came from is not yours to change.';

/** A deletion leaves no trace of who did it, so nobody is blamed. */
export function wasPutBack(move: Move): Finding {
  return {
    severity: move.after === undefined ? 'warning' : 'error',
    check: 'refs',
    message: `your ${move.ref} ${what(move)} while the agent worked; it is back at ${short(move.before)}`,
    hint: HINT,
  };
}

export function cannotPutBack(move: Move, why: string): Finding {
  const message = `your ${move.ref} ${what(move)} while the agent worked and could not be put back: ${why}`;
  return { severity: 'error', check: 'refs', message, hint: command(move) };
}

/** It may well have been the user. */
export function doubtful(move: Move): Finding {
  const message = `your ${move.ref} ${what(move)} while the agent worked, and nothing tells who did it`;
  return { severity: 'warning', check: 'refs', message, hint: `If it was not you: ${command(move)}` };
}

export function movedBy(move: Move, author: string): Finding {
  const message = `your ${move.ref} ${what(move)} while the agent worked; its log names ${oneLine(author, 200)}`;
  return { severity: 'info', check: 'refs', message, hint: `If it was not you: ${command(move)}` };
}

export function switched(move: Move): Finding {
  const message = `the agent switched your checkout to ${short(move.after ?? '')}; HEAD is back at ${short(move.before)}, but files and index may be as the agent left them`;
  return { severity: 'error', check: 'refs', message, hint: HINT };
}

export function made(ref: string, object: string): Finding {
  const message = `the agent made ${ref} (${short(object)}) in your repository; delete it if you do not want it`;
  return { severity: 'error', check: 'refs', message, hint: HINT };
}

function what({ after }: Move): string {
  return after === undefined ? 'was deleted' : `was moved to ${short(after)}`;
}

function short(value: string): string {
  return value.startsWith('ref: ') ? value.slice('ref: '.length) : value.slice(0, 12);
}

function command({ ref, before }: Move): string {
  if (before.startsWith('ref: ')) return `git symbolic-ref ${ref} ${short(before)}`;
  return ref === 'refs/stash' ? `git stash store -m back ${before}` : `git update-ref --no-deref ${ref} ${before}`;
}

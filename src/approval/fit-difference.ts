import type { Finding } from '../domain/finding.ts';
import { oneLine } from '../text/sanitise.ts';
import { type DifferencePart, differenceParts } from './difference-parts.ts';

const MAX_DIFFERENCE = 256 * 1024;
const MAX_LIST = 128 * 1024;
/** Of lines that were added in a row, as many stay where there is no room for all: the judge can read the others in the file. */
const KEPT = 3;
const LONG_LINE = 500;
const MAX_NAMED = 20;

/** A difference as far as a judge is shown it. */
export type FittedDifference = {
  /** Every file that changed, with what became of it; deleted ones come first. */
  readonly list: readonly string[];
  readonly patch: string;
  /** The files of which lines were left out that the judge can read in the copy. */
  readonly shortened: readonly string[];
  /** The files of which something was removed or changed that the judge sees nowhere. */
  readonly unseen: readonly string[];
};

type Fitted = { readonly part: DifferencePart; readonly lean: string; shown: string; isSeen: boolean };

/**
 * Shares the room between the files of a patch: what was removed, which stands nowhere else, goes before what was added, and a long
 * file takes nothing from a short one.
 */
export function fitDifference(patch: string): FittedDifference {
  const parts = differenceParts(visibleNul(patch));
  const fitted = parts.map((part): Fitted => ({ part, lean: leanText(part), shown: '', isSeen: true }));
  let room = MAX_DIFFERENCE;
  for (const [index, each] of byLength(fitted, ({ lean }) => lean).entries()) {
    const share = Math.floor(room / (fitted.length - index));
    Object.assign(each, cutAt(each.lean, share));
    room -= each.shown.length;
  }
  for (const each of byLength(fitted, ({ part }) => part.text)) {
    const more = each.part.text.length - each.shown.length;
    if (more <= 0 || more > room) continue;
    Object.assign(each, { shown: each.part.text, isSeen: true });
    room -= more;
  }
  const { list, left } = listOf(parts);
  return {
    list,
    patch: fitted.map(({ shown }) => shown).join(''),
    shortened: fitted.filter(({ part, shown }) => shown !== part.text).map(({ part }) => part.name),
    unseen: [...new Set([...fitted.filter(isUnseen).map(({ part }) => part.name), ...left])],
  };
}

/** What HELIX says of a difference that its judge could not see whole. */
export function differenceFindings(patch: string | undefined): Finding[] {
  const { unseen } = fitDifference(patch ?? '');
  if (unseen.length === 0) return [];
  const names = unseen.slice(0, MAX_NAMED).map((name) => JSON.stringify(oneLine(name, 200)));
  const more = unseen.length > MAX_NAMED ? ` and ${unseen.length - MAX_NAMED} more` : '';
  return [
    {
      severity: 'warning',
      check: 'difference-cut',
      message: `the judge was not shown all that was removed or changed in ${names.join(', ')}${more}`,
      hint: 'Look at these files yourself, or let a smaller change be judged.',
    },
  ];
}

/** A text with such a character is a text all the same. */
function visibleNul(patch: string): string {
  return patch.replaceAll('\0', '␀');
}

function byLength(fitted: readonly Fitted[], text: (each: Fitted) => string): Fitted[] {
  return fitted.toSorted((a, b) => text(a).length - text(b).length);
}

/** The patch of a file with only the first of the lines that were added in a row. */
function leanText({ text }: DifferencePart): string {
  const lines: string[] = [];
  let run = 0;
  let inHunk = false;
  const told = () => {
    if (run > KEPT) lines.push(`[${run - KEPT} more lines added: read the file]`);
    run = 0;
  };
  for (const line of text.split('\n')) {
    inHunk ||= line.startsWith('@@');
    if (inHunk && line.startsWith('+')) {
      run += 1;
      if (run <= KEPT) lines.push(shortLine(line));
      continue;
    }
    told();
    lines.push(inHunk && line.startsWith(' ') ? shortLine(line) : line);
  }
  told();
  const lean = lines.join('\n');
  return lean.length < text.length ? lean : text;
}

/** A line that can be read in the file. */
function shortLine(line: string): string {
  return line.length <= LONG_LINE ? line : `${line.slice(0, LONG_LINE)} [the line goes on: read the file]`;
}

/** Room for the note that something is left out. */
const NOTE = 60;

/** As much as there is room for, in whole lines; tells whether all that was removed is in it. */
function cutAt(text: string, share: number): Pick<Fitted, 'shown' | 'isSeen'> {
  if (text.length <= share) return { shown: text, isSeen: true };
  const end = text.lastIndexOf('\n', Math.max(0, share - NOTE)) + 1;
  const rest = text.slice(end);
  return { shown: `${text.slice(0, end)}[${rest.length} characters left out]\n`, isSeen: !/^-/m.test(rest) };
}

/** What is new can be read in the copy; what is only named and was there before cannot be compared with anything. */
function isUnseen({ part: { onlyNamed, status }, isSeen }: Fitted): boolean {
  return !isSeen || (onlyNamed && status !== 'added');
}

function listOf(parts: readonly DifferencePart[]): { list: string[]; left: string[] } {
  const rank = { deleted: 0, changed: 1, added: 2 };
  const list: string[] = [];
  const left: string[] = [];
  let room = MAX_LIST;
  for (const { name, status, onlyNamed, note } of parts.toSorted((a, b) => rank[a.status] - rank[b.status])) {
    const about = [
      ...(note === undefined ? [] : [note]),
      ...(onlyNamed ? ['only named: its content is not shown'] : []),
    ];
    const line = `${status}: ${name}${about.length === 0 ? '' : ` (${about.join('; ')})`}`;
    room -= line.length + 1;
    if (room >= 0) list.push(line);
    else if (status !== 'added') left.push(name);
  }
  return { list: left.length === 0 ? list : [...list, `and ${left.length} more`], left };
}

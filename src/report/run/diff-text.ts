import { oneLine, sanitise } from '../../text/sanitise.ts';
import { columns, cut, fold, pad } from '../words/columns.ts';
import { count } from '../words/count.ts';
import type { Canvas, Paint, Style } from '../words/paint.ts';

/** A file that differs, in numbers. */
export type FileStat = {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'changed';
  readonly added: number;
  readonly removed: number;
  readonly only?: 'binary' | 'large' | 'link' | undefined;
  /** Where a link leads and led. */
  readonly note?: string | undefined;
};

const WHY: Readonly<Record<NonNullable<FileStat['only']>, string>> = {
  binary: 'binary',
  large: 'too large to show',
  link: 'a link or a submodule',
};

const MAX_PATH = 4096;
const MAX_NOTE = 1200;

/** What is shown of a file: its patch, or why it is only named, and where a link leads, as lines that `git apply` passes over. */
export function renderFile({ path, status, only = 'large', note }: FileStat, patch: Buffer | undefined): Buffer {
  const leads = note === undefined ? [] : [oneLine(note, MAX_NOTE)];
  const why = [...(patch || (note && only === 'link') ? [] : [WHY[only]]), ...leads].join(', ');
  const line = Buffer.from(`${patch ? 'Replaced' : 'Only named'}: ${oneLine(path, MAX_PATH)} (${status}; ${why})\n`);
  if (patch === undefined) return line;
  return note === undefined ? patch : Buffer.concat([line, patch]);
}

/** A patch for a terminal: nothing in it can move the cursor, and what is added and removed is seen at a glance. */
export function renderPatchLines(patch: string, paint: Paint): string {
  return sanitise(patch)
    .split('\n')
    .map((line) => (styleOf(line) === undefined ? line : paint(styleOf(line) ?? 'dim', line)))
    .join('\n');
}

/** The same inside of other text: lines that are too long go on in the next one, which is painted alike. */
export function foldPatchLines(patch: string, { width, paint }: Canvas): string[] {
  return sanitise(patch)
    .split('\n')
    .flatMap((line) => {
      const style = styleOf(line);
      return fold(line, width).map((part) => (style === undefined ? part : paint(style, part)));
    });
}

function styleOf(line: string): Style | undefined {
  if (/^(diff --git|--- |\+\+\+ )/.test(line)) return 'strong';
  if (/^(old mode|new mode|new file|deleted file)/.test(line)) return 'dim';
  if (line.startsWith('@@')) return 'info';
  if (line.startsWith('+')) return 'good';
  return line.startsWith('-') ? 'bad' : undefined;
}

/** What differs, a line for each file with what is known of it, and the sum. */
export function renderStat(
  files: readonly FileStat[],
  { width, paint }: Canvas,
  notes: ReadonlyMap<string, string> = new Map(),
): string {
  const names = files.map(({ path }) => oneLine(path, MAX_PATH));
  const room = Math.max(10, Math.min(Math.max(0, ...names.map(columns)), width - 30));
  const lines = files.map(
    (file, index) => ` ${pad(cut(names[index] ?? '', room), room)} | ${numbersOf(file, paint)}${noteOf(file, notes)}`,
  );
  const sum = (side: 'added' | 'removed') => files.reduce((total, file) => total + file[side], 0);
  const total = `${count(files.length, 'file')}, ${count(sum('added'), 'line')} added, ${sum('removed')} removed`;
  return [...lines, ` ${total}`, ''].join('\n');
}

function noteOf({ path }: FileStat, notes: ReadonlyMap<string, string>): string {
  const note = notes.get(path);
  return note === undefined ? '' : `   ${note}`;
}

function numbersOf({ status, added, removed, only, note }: FileStat, paint: Paint): string {
  const lines = only === undefined ? `${paint('good', `+${added}`)} ${paint('bad', `-${removed}`)}` : WHY[only];
  const leads = note === undefined ? undefined : oneLine(note, MAX_NOTE);
  const what = leads === undefined ? lines : only === 'link' ? leads : `${lines}, ${leads}`;
  return status === 'changed' ? what : `${what} (${status})`;
}

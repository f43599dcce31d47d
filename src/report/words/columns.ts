/** Made when first needed: it takes longer to make than most commands take. */
let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): Iterable<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** East Asian wide and full-width blocks; emoji are told by their own property. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Characters of one column that never combine: told at once, without the segmenter. */
const PLAIN =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ff\u0400-\u0482\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;

/** How many columns of a terminal a sanitised text on one line takes. */
export function columns(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemesOf(text)) total += columnsOf(segment);
  return total;
}

/** The text cut to at most `width` columns, the cut shown as an ellipsis. */
export function cut(text: string, width: number): string {
  return columns(text) <= width ? text : `${take(text, width - 1)}…`;
}

/** As much of the beginning as `width` columns hold; characters are never split. */
export function take(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, Math.max(0, width));
  let end = 0;
  let used = 0;
  for (const { segment, index } of graphemesOf(text)) {
    used += columnsOf(segment);
    if (used > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** The text cut or filled up to exactly `width` columns. */
export function pad(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + ' '.repeat(Math.max(0, width - columns(shown)));
}

/** The text broken at spaces into lines of at most `width` columns; a longer word goes on in the next line, for what is cut away is not seen. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columns(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = broken(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return line === '' ? lines : [...lines, line];
}

const TAB = '    ';

/** A line of others as it stands, in as many lines of at most `width` columns as it needs, broken at a space where there is one; tabs take the same room everywhere. */
export function fold(line: string, width: number): string[] {
  return broken(line.replaceAll('\t', TAB).replaceAll('\n', ' '), width);
}

function broken(text: string, width: number): string[] {
  const room = Math.max(1, width);
  if (columns(text) <= room) return [text];
  const lines: string[] = [];
  let start = 0;
  let used = 0;
  /** Behind the last space of the line that ends a word of it. */
  let word = 0;
  for (const { segment, index } of graphemesOf(text)) {
    const wide = columnsOf(segment);
    const isSpace = segment === ' ';
    if (used + wide > room && index > start) {
      const end = isSpace || word <= start ? index : word - 1;
      lines.push(text.slice(start, end));
      start = end + (isSpace || end < index ? 1 : 0);
      used = start > index ? 0 : columns(text.slice(start, index));
      if (isSpace) continue;
    }
    if (isSpace && text.slice(start, index).trim() !== '') word = index + 1;
    used += wide;
  }
  return [...lines, text.slice(start)];
}

function columnsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return /^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme) ? 0 : 1;
}

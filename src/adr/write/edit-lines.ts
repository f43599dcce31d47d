/** A text as lines that keep their own line ends, so that what is not edited stays byte for byte. */
export type EditableText = {
  readonly lines: { text: string; end: string }[];
  /** The line end that new lines get. */
  readonly end: string;
};

/** Splits a text where parseAdr does; a byte order mark stays with the first line. */
export function editable(text: string): EditableText {
  const lines: { text: string; end: string }[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(from, index), end });
    from = index + end.length;
  }
  lines.push({ text: text.slice(from), end: '' });
  return { lines, end: lines[0]?.end || '\n' };
}

/** The text of the line with this number, counted from 1. */
export function lineAt({ lines }: EditableText, number: number): string {
  return lines[number - 1]?.text ?? '';
}

/** Replaces the text of a line; its end stays. */
export function setLine({ lines }: EditableText, number: number, text: string): void {
  const line = lines[number - 1];
  if (line !== undefined) line.text = text;
}

/** Adds lines after the one with this number; a byte order mark stays at the beginning. */
export function insertAfter({ lines, end }: EditableText, number: number, texts: readonly string[]): void {
  const [first] = number === 0 ? lines : [];
  const mark = first?.text.startsWith('\ufeff') ? '\ufeff' : '';
  if (first !== undefined) first.text = first.text.slice(mark.length);
  const before = lines[number - 1];
  const last = number >= lines.length;
  const added = texts.map((text, index) => ({
    text: index === 0 ? mark + text : text,
    end: last && index === texts.length - 1 ? (before?.end ?? '') : end,
  }));
  if (last && before !== undefined) before.end = end;
  lines.splice(number, 0, ...added);
}

/** The text as a whole again. */
export function joined({ lines }: EditableText): string {
  return lines.map(({ text, end }) => text + end).join('');
}

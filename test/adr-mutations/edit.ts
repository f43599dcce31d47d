/** A heading of a document with the lines it governs; `end` is the line after its last one, all count from 0. */
export type Slice = {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
};

/** The `#` headings of a document, those in fences left out. */
export function slices(text: string): Slice[] {
  const lines = text.split('\n');
  const found: { level: number; title: string; start: number; end: number }[] = [];
  let fenced = false;
  for (const [start, line] of lines.entries()) {
    if (/^(?:```|~~~)/.test(line)) fenced = !fenced;
    const [, hashes, title] = fenced ? [] : (/^(#{1,6}) (.+)$/.exec(line) ?? []);
    if (hashes === undefined || title === undefined) continue;
    for (const each of found) if (each.end === lines.length && each.level >= hashes.length) each.end = start;
    found.push({ level: hashes.length, title, start, end: lines.length });
  }
  return found;
}

/** The section of this title; the documents are our own, so that a missing one is a mistake of the suite. */
export function slice(text: string, title: string): Slice {
  const found = slices(text).find((each) => each.title === title);
  if (found === undefined) throw new Error(`no section "${title}"`);
  return found;
}

/** Replaces a whole section, heading and subsections included. */
export function replaceSection(text: string, title: string, replacement: string): string {
  const { start, end } = slice(text, title);
  const lines = text.split('\n');
  return [...lines.slice(0, start), ...(replacement === '' ? [] : [replacement, '']), ...lines.slice(end)].join('\n');
}

/** Replaces what stands under a heading, subsections included. */
export function replaceBody(text: string, title: string, body: string | ((old: string) => string)): string {
  const { level } = slice(text, title);
  const old = bodyOf(text, title);
  const written = typeof body === 'string' ? body : body(old);
  return replaceSection(text, title, `${'#'.repeat(level)} ${title}\n\n${written}`);
}

/** What stands under a heading. */
export function bodyOf(text: string, title: string): string {
  const { start, end } = slice(text, title);
  return text
    .split('\n')
    .slice(start + 1, end)
    .join('\n')
    .trim();
}

/** A section as written, with its heading. */
export function sectionText(text: string, title: string): string {
  const { start, end } = slice(text, title);
  return text.split('\n').slice(start, end).join('\n').trim();
}

/** Writes a heading another way; what it governs stays. */
export function replaceHeading(text: string, title: string, heading: string): string {
  const lines = text.split('\n');
  lines[slice(text, title).start] = heading;
  return lines.join('\n');
}

/** Writes every heading below the title another way. */
export function eachHeading(text: string, write: (heading: Slice, number: number) => string): string {
  const lines = text.split('\n');
  let number = 0;
  for (const heading of slices(text)) {
    if (heading.level === 1) continue;
    if (heading.level === 2) number += 1;
    lines[heading.start] = write(heading, number);
  }
  return lines.join('\n');
}

/** Adds text at the end of a section. */
export function appendTo(text: string, title: string, addition: string): string {
  return replaceBody(text, title, (old) => `${old}\n\n${addition}`);
}

/** Adds text right before a section. */
export function insertBefore(text: string, title: string, addition: string): string {
  return replaceSection(text, title, `${addition}\n\n${sectionText(text, title)}`);
}

/** The front matter with its fences and what follows it; the first is empty where there is none. */
export function halves(text: string): readonly [header: string, body: string] {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n') + 5 : 0;
  return [text.slice(0, end), text.slice(end)];
}

/** Replaces a field of the front matter, with all lines that belong to it, by these lines; `''` removes it. */
export function replaceField(text: string, name: string, written: string): string {
  const [header, body] = halves(text);
  const field = new RegExp(`^${name}:.*\\n(?:[ \\t]+.*\\n)*`, 'm');
  if (!field.test(header)) throw new Error(`no field "${name}"`);
  return header.replace(field, written === '' ? '' : `${written}\n`) + body;
}

/** Adds lines at the end of the front matter, or a front matter where there is none. */
export function addField(text: string, written: string): string {
  const [header, body] = halves(text);
  return header === '' ? `---\n${written}\n---\n\n${body}` : `${header.slice(0, -4)}${written}\n---\n${body}`;
}

/** Replaces a text that must be there. */
export function swap(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`no text "${from}"`);
  return text.replace(from, () => to);
}

const DATE_NAME = /^\d{4}-?\d{2}-?\d{2}(?!\d)/;

/** The number in the name of a file, as written: `0004-use-x.md` and `ADR-0004-use-x.md` tell "0004". */
export function fileNumber(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const named = /(?:^|[^\p{L}])adr[-_ ]?(\d{1,6}(?:\.\d+)*)(?!\d)/iu.exec(name)?.[1];
  if (named !== undefined) return named;
  if (DATE_NAME.test(name)) return undefined;
  return /^(\d{1,6}(?:\.\d+)*)(?=[-_. ])/.exec(name)?.[1];
}

/** The number in a title, and the title without it: "ADR-004: Use X", "4. Use X". */
export function headingNumber(title: string): { id: string | undefined; title: string } {
  const [, prefixed, rest = ''] =
    /^(?:adr|architecture decision record)[\s#:_-]*(\d[\d.]*\d|\d)\s*[\s:.)–—|-]*(.*)$/i.exec(title) ?? [];
  if (prefixed !== undefined) return { id: prefixed, title: rest.trim() };
  const [, bare, after = ''] = /^#?(\d{1,6}(?:\.\d+)*)(?:[.):]|\s*[–—-])\s+(.*)$/.exec(title) ?? [];
  if (bare !== undefined && !DATE_NAME.test(title)) return { id: bare, title: after.trim() };
  return { id: undefined, title };
}

/** The ADRs that a text names: links to documents, ids with a prefix, and, where nothing else is left, bare numbers. */
export function namesIn(text: string): { name: string; at: number; target?: string }[] {
  const found: { name: string; at: number; target?: string }[] = [];
  const taken = (match: string) => ' '.repeat(match.length);
  const rest = text
    .replace(/\[((?:\\.|[^\]\\])*)\]\(([^)\s]+)[^)]*\)/g, (match, label: string, target: string, at: number) => {
      const id = adrIdIn(label) ?? fileNumber(target.replace(/[#?].*$/, ''));
      if (id !== undefined || /\.(?:md|markdown)\b/.test(target)) found.push({ name: id ?? label, at, target });
      return taken(match);
    })
    .replace(/\badr[-_ ]?(\d+(?:\.\d+)*)\b/gi, (match, id: string, at: number) => {
      found.push({ name: id, at });
      return taken(match);
    });
  if (found.length === 0)
    for (const { 0: name, index: at } of rest.matchAll(/(?<![\d-])\d{1,5}(?:\.\d+)*(?![\d-])/g))
      found.push({ name, at });
  return found;
}

/** An id as it is compared: no prefix, lower case; `adr-007` and `007` are the same, `7` is told by `sameNumber`. */
export function adrIdIn(text: string): string | undefined {
  return /\badr[-_ ]?(\d+(?:\.\d+)*)/i.exec(text)?.[1] ?? /^\s*#?(\d{1,6}(?:\.\d+)*)(?=$|[\s.:)-])/.exec(text)?.[1];
}

/** A number without its padding: "007" and "7" are one, "032.1" is "32.1". */
export function unpadded(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

/** A tag of XML; `text` gives what follows it, up to the next tag. */
export type Tag = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly closes: boolean;
  readonly empty: boolean;
  readonly text: () => string;
};

const MAX_TEXT = 20_000;
const MAX_GAP = 200;
const NAME = /[A-Za-z][\w:.-]{0,60}/y;
const ATTRIBUTE = /\s{1,1000}([A-Za-z_][\w:.-]{0,60})\s{0,100}=\s{0,100}(["'])/y;

/**
 * The tags of a text, whatever else stands in it. Not an XML parser: entities are the five of XML and numbers, nothing is
 * fetched or expanded, and a tag that never ends ends the scan, so that the time is linear.
 */
export function* scanTags(text: string): Generator<Tag> {
  let at = text.indexOf('<');
  while (at !== -1) {
    const skipped = skipMarkup(text, at);
    if (skipped === -1) return;
    if (skipped > at) {
      at = text.indexOf('<', skipped);
      continue;
    }
    const tag = tagAt(text, at);
    if (tag === 'unfinished') return;
    if (tag !== undefined) yield { ...tag, text: () => textAfter(text, tag.end) };
    at = text.indexOf('<', tag?.end ?? at + 1);
  }
}

/** Steps over comments, CDATA and declarations; the place itself where there is none, -1 where it never ends. */
function skipMarkup(text: string, at: number): number {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end === -1 ? -1 : end + close.length;
  }
  return at;
}

function tagAt(text: string, at: number): (Omit<Tag, 'text'> & { end: number }) | undefined | 'unfinished' {
  const closes = text.charAt(at + 1) === '/';
  NAME.lastIndex = at + (closes ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let position = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = position;
    const [, key = '', quote = ''] = ATTRIBUTE.exec(text) ?? [];
    if (quote === '') break;
    const begin = ATTRIBUTE.lastIndex;
    const end = text.indexOf(quote, begin);
    if (end === -1) return 'unfinished';
    if (attributes.size < 50) attributes.set(key, decodeEntities(text.slice(begin, Math.min(end, begin + MAX_TEXT))));
    position = end + 1;
  }
  const rest = text.slice(position, position + MAX_GAP).indexOf('>');
  if (rest === -1) return undefined;
  const end = position + rest;
  return { name, attributes, closes, empty: text.charAt(end - 1) === '/', end: end + 1 };
}

function textAfter(text: string, start: number): string {
  const bounded = text.slice(start, start + MAX_TEXT);
  const data = /^\s{0,1000}<!\[CDATA\[/.exec(bounded);
  if (data) return bounded.slice(data[0].length).split(']]>', 1)[0] ?? '';
  const end = bounded.indexOf('<');
  return decodeEntities(end === -1 ? bounded : bounded.slice(0, end));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

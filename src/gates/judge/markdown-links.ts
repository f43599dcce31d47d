// The bundled build: a quarter of the loading time of the package's many modules.
import MarkdownIt from 'markdown-it/dist/markdown-it.min.js';

/** A link or image of a document, where it stands; lines and columns count from 1. */
export type Link = { readonly target: string; readonly line: number; readonly column: number };

/** The links of a Markdown document, and what links can lead to in it; `names` has the anchors as they are compared. */
export type LinkedDocument = {
  readonly links: readonly Link[];
  readonly anchors: readonly string[];
  readonly names: ReadonlySet<string>;
};

type Token = ReturnType<MarkdownIt['parse']>[number];

const parser = new MarkdownIt({ html: true });
// As written: what cannot be an address is to be found, not mended.
parser.normalizeLink = (url) => url;
parser.validateLink = () => true;

/** Reads the links, images and anchors of Markdown; what stands in code or comments is none. */
export function markdownLinks(text: string): LinkedDocument {
  const plain = withoutFrontMatter(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
  const reading = new Reading(plain.split('\n'));
  const tokens = parser.parse(plain, {});
  for (const [index, token] of tokens.entries()) {
    reading.enter(token);
    if (token.type === 'html_block') reading.html(token.content);
    if (token.type !== 'inline') continue;
    reading.inline(token.children ?? []);
    if (tokens[index - 1]?.type === 'heading_open') reading.heading(token);
  }
  const { links, anchors } = reading;
  return { links, anchors, names: new Set(anchors.map(anchorName)) };
}

/** Lines stay where they are. */
function withoutFrontMatter(text: string): string {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1;
  return end === -1 ? text : text.slice(0, end + 4).replace(/[^\n]/g, '') + text.slice(end + 4);
}

/** Names in links are compared like this, because every program that shows Markdown makes its own of a heading. */
export function anchorName(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A paragraph is looked through so far, and that so often: links by reference stand elsewhere. */
const MAX_LINES = 200;
const MAX_MISSED = 100;

const ATTRIBUTE = /\b(href|src|id|name)\s*=\s*(?:"([^"]{0,1000})"|'([^']{0,1000})')/gi;

class Reading {
  readonly links: Link[] = [];
  readonly anchors: string[] = [];
  readonly #lines: readonly string[];
  readonly #times = new Map<string, number>();
  #line = 0;
  #column = 0;
  #missed = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  enter({ map }: Token): void {
    if (map === null || map[0] === this.#line) return;
    [this.#line, this.#column] = [map[0], 0];
  }

  inline(children: readonly Token[]): void {
    for (const token of children) {
      if (token.type === 'link_open') this.#link(token.attrGet('href') ?? '');
      else if (token.type === 'image') {
        this.#link(token.attrGet('src') ?? '');
        this.inline(token.children ?? []);
      } else if (token.type === 'html_inline') this.html(token.content);
    }
  }

  html(content: string): void {
    for (const [, attribute = '', double, single] of content.replace(/<!--.*?(?:-->|$)/gs, '').matchAll(ATTRIBUTE)) {
      const value = double ?? single ?? '';
      if (/^(?:href|src)$/i.test(attribute)) this.#link(value);
      else this.anchors.push(value);
    }
  }

  /** The second heading of a name gets a number, and one may bring its own: `## Name {#own}`. */
  heading({ children, content }: Token): void {
    const [, own] = /\{#([^\s{}]+)\}\s*$/.exec(content) ?? [];
    if (own !== undefined) this.anchors.push(own);
    const text = (children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline');
    const name = text
      .map((token) => token.content)
      .join('')
      .replace(/\{#[^\s{}]+\}\s*$/, '')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = this.#times.get(name) ?? 0;
    this.#times.set(name, times + 1);
    this.anchors.push(times === 0 ? name : `${name}-${times}`);
  }

  /** The parser does not tell where in its block a link stands, so it is looked for, the next one behind the one before. */
  #link(target: string): void {
    const place = this.#missed < MAX_MISSED ? this.#find(target) : undefined;
    if (place === undefined) {
      this.#missed += 1;
      this.links.push({ target, line: this.#line + 1, column: 1 });
    } else {
      [this.#line, this.#column] = [place.line, place.at + target.length];
      this.links.push({ target, line: place.line + 1, column: place.at + 1 });
    }
  }

  #find(target: string): { line: number; at: number } | undefined {
    for (let line = this.#line; line < Math.min(this.#lines.length, this.#line + MAX_LINES); line += 1) {
      const text = this.#lines[line] ?? '';
      if (line > this.#line && text.trim() === '') return undefined;
      const at = text.indexOf(target, line === this.#line ? this.#column : 0);
      if (at !== -1) return { line, at };
    }
    return undefined;
  }
}

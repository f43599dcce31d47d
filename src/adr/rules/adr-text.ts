import type { Adr, Section } from '../document/adr.ts';
import type { SectionKind } from '../document/section-names.ts';

/** A text as written and, letter by letter, in lower case. */
export type CasedText = { readonly raw: string; readonly lower: string };

/** Stands after a heading, so that nobody reads on over its end. */
const HEADING_END = '\ue000';

/** The texts that rules look into, each made when it is first asked for. */
export class AdrText {
  readonly #adr: Adr;
  #whole: string | undefined;
  #lines: readonly string[] | undefined;
  #linesWithCode: readonly string[] | undefined;
  #body: CasedText | undefined;
  #bodyWithCode: CasedText | undefined;
  #claims: CasedText | undefined;

  constructor(adr: Adr) {
    this.#adr = adr;
  }

  /** False when what is sought stands nowhere in the document, not even in code: then no closer look is needed. */
  mayHave(sought: RegExp): boolean {
    this.#whole ??= this.#adr.lines.join('\n');
    return sought.test(this.#whole);
  }

  /** Headings and prose of the whole document; line by line what the file has, so that places can be told. */
  get body(): CasedText {
    this.#body ??= cased(this.#prose.join('\n'));
    return this.#body;
  }

  /** The body without what the author only weighs: options, risks, questions, what is no goal. */
  get claims(): CasedText {
    this.#claims ??= this.#adr.sections.some(isWeighed)
      ? cased(withoutWeighed(this.#adr, this.#prose).join('\n'))
      : this.body;
    return this.#claims;
  }

  /** Headings, prose and code below the front matter. */
  get bodyWithCode(): CasedText {
    this.#bodyWithCode ??= cased(this.#proseAndCode.join('\n'));
    return this.#bodyWithCode;
  }

  get frontMatter(): CasedText {
    const { frontMatter, lines } = this.#adr;
    return cased(frontMatter === undefined ? '' : lines.slice(frontMatter.first, frontMatter.last - 1).join('\n'));
  }

  /** The lines with links, their targets included, and the definitions of others. */
  get links(): CasedText {
    const { lines, prose } = this.#adr;
    const linking = lines.filter((line, index) => {
      const seen = prose[index] ?? '';
      return seen.includes('](') || seen.includes('://') || (seen === '' && /^\s{0,3}\[[^\]]{1,999}\]:/.test(line));
    });
    return cased(linking.join('\n'));
  }

  /** What stands above the first section: the title and the legacy header. */
  get top(): CasedText {
    const next = this.#adr.sections.find(({ level }) => level > 1)?.line ?? 1;
    return cased(this.#prose.slice(0, next - 1).join('\n'));
  }

  /** What stands below a heading, subsections included. */
  of({ first, last }: Pick<Section, 'first' | 'last'>, withCode: boolean): CasedText {
    return cased((withCode ? this.#proseAndCode : this.#prose).slice(first - 1, last).join('\n'));
  }

  get #prose(): readonly string[] {
    this.#lines ??= withHeadings(this.#adr);
    return this.#lines;
  }

  get #proseAndCode(): readonly string[] {
    this.#linesWithCode ??= withCode(this.#adr, this.#prose);
    return this.#linesWithCode;
  }
}

const WEIGHED: readonly SectionKind[] = ['options', 'risks', 'questions', 'references', 'meta'];
const WEIGHED_NAME =
  /^(?:(?:rejected )?(?:alternative|option|variante)s?\b|non-?goals?\b|nicht-?ziele|out of scope|außerhalb|verworfen|rejected|abgelehnt)/;

function isWeighed({ name, kinds }: Section): boolean {
  return kinds.some((kind) => WEIGHED.includes(kind)) || WEIGHED_NAME.test(name);
}

function withoutWeighed({ sections }: Adr, prose: readonly string[]): string[] {
  const lines = [...prose];
  for (const section of sections) if (isWeighed(section)) lines.fill('', section.line - 1, section.last);
  return lines;
}

function withHeadings({ prose, sections }: Adr): string[] {
  const lines = prose.map(withoutTargets);
  for (const { line, title } of sections) lines[line - 1] = `# ${title}${HEADING_END}`;
  return lines;
}

function withCode({ code, lines }: Adr, prose: readonly string[]): string[] {
  const all = [...prose];
  for (const { first, last } of code)
    for (let line = first; line <= last; line += 1) all[line - 1] = lines[line - 1] ?? '';
  return all;
}

/** A text for searching. */
export function cased(raw: string): CasedText {
  const lower = raw.toLowerCase();
  return { raw, lower: lower.length === raw.length ? lower : raw.replace(/./gsu, sameLengthLower) };
}

function sameLengthLower(char: string): string {
  const lower = char.toLowerCase();
  return lower.length === char.length ? lower : char;
}

/** The target of a link with its title, an address in angle brackets, and one that stands bare; none of them is in `code`. */
const TARGET =
  /`[^`]*`|(?<=\])\([^()\n]{0,2000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?\)|<?https?:\/\/[^\s<>)\]|]{1,2000}>?/gi;

/** A text without the addresses in it: a word that only an address has is not said. What stays keeps its place. */
export function withoutTargets(text: string): string {
  if (!text.includes('](') && !text.includes('://')) return text;
  return text.replace(TARGET, (found) => (found.startsWith('`') ? found : ' '.repeat(found.length)));
}

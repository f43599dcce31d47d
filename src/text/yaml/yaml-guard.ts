import { yamlLibrary } from './yaml-library.ts';

/** What a YAML file may be at most, so that a hostile one cannot cost time or memory. */
export const YAML_LIMITS = { bytes: 256 * 1024, depth: 64, keys: 1000 } as const;

/** Why a text is not handed to the YAML parser, and where. */
export type Refusal = {
  readonly offset: number;
  readonly check: 'yaml-limit' | 'yaml-alias' | 'yaml-directive' | 'yaml-syntax';
  readonly message: string;
  readonly hint: string;
};

/** Far above YAML_LIMITS.depth, which is checked exactly later, and far below what overflows the recursive parser. */
const PARSER_DEPTH = 200;

/** What the lexer says between pieces of the source: a document starts, a flow ends too early, a scalar follows. */
const WITHOUT_SOURCE = new Set(['\x02', '\x18', '\x1f']);

/** Says why the text must not reach the parser; one linear pass over its tokens, so quotes and block scalars hide nothing. */
export function refuseYaml(text: string): Refusal | undefined {
  const size = Buffer.byteLength(text);
  if (size > YAML_LIMITS.bytes) {
    return {
      offset: 0,
      check: 'yaml-limit',
      message: `the file has ${Math.ceil(size / 1024)} KB, more than the ${YAML_LIMITS.bytes / 1024} KB allowed`,
      hint: 'split it, or move long texts into files of their own',
    };
  }
  if (isHarmless(text)) return undefined;
  const shape = new Shape();
  let offset = 0;
  let deep: number | undefined;
  for (const token of new (yamlLibrary().Lexer)().lex(text)) {
    const refusal = refuseToken(token);
    if (refusal !== undefined) return { offset, ...refusal };
    shape.add(token, offset);
    deep = shape.depth > YAML_LIMITS.depth ? (deep ?? offset) : undefined;
    if (shape.depth > PARSER_DEPTH) return { offset: deep ?? offset, ...TOO_DEEP };
    if (shape.keys > YAML_LIMITS.keys) return { offset, ...TOO_MANY_KEYS };
    if (!WITHOUT_SOURCE.has(token)) offset += token.length;
  }
  return undefined;
}

const SMALL = 4 * 1024;

/** A small text that has none of the signs of what is refused need not be read twice. */
function isHarmless(text: string): boolean {
  if (text.length > SMALL || /[&*%\\]|(?:[-?] ){3}|^ {40}/m.test(text)) return false;
  return text.split(/[[{]/).length < YAML_LIMITS.depth / 2;
}

/** Nesting beyond the limit, wherever it is noticed. */
export const TOO_DEEP = {
  check: 'yaml-limit',
  message: `nested deeper than ${YAML_LIMITS.depth} levels`,
  hint: 'a plan needs no more than a few levels; look for a bracket that is never closed',
} as const;

/** A map beyond the limit, wherever it is noticed. */
export const TOO_MANY_KEYS = {
  check: 'yaml-limit',
  message: `more than ${YAML_LIMITS.keys} keys in one map`,
  hint: 'split the map',
} as const;

function refuseToken(token: string): Omit<Refusal, 'offset'> | undefined {
  if (token.startsWith('&') || token.startsWith('*')) {
    return {
      check: 'yaml-alias',
      message: `anchors and aliases (${token.slice(0, 40)}) are not allowed`,
      hint: 'write the value out, or put quotes around text that starts with & or *',
    };
  }
  if (token.startsWith('%') && !/^%YAML\s+1\.2$/.test(token)) {
    return {
      check: 'yaml-directive',
      message: `the directive ${token.slice(0, 40)} is not allowed`,
      hint: 'remove the line; files are read as YAML 1.2',
    };
  }
  return token.startsWith('"') && hasBadEscape(token) ? BAD_ESCAPE : undefined;
}

const BAD_ESCAPE = {
  check: 'yaml-syntax',
  message: 'this text in double quotes has an invalid escape sequence',
  hint: 'write a backslash as \\\\, or use single quotes',
} as const;

/** The parser would report each one, at a price that adds up. */
function hasBadEscape(quoted: string): boolean {
  for (const [, sequence = ''] of quoted.matchAll(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/g)) {
    if (sequence.length === 1 && !'0abtnevfr "/\\N_LP\n\r\t'.includes(sequence)) return true;
  }
  return false;
}

/** Follows the tokens to know, without building anything, how deep and how wide the document gets. */
class Shape {
  /** The open block collections: where their lines start and how many keys stood there so far. */
  #blocks: { readonly column: number; keys: number }[] = [];
  /** The open brackets, each with the commas between keys of a map. */
  #brackets: { readonly map: boolean; keys: number }[] = [];
  #indicators = 0;
  #lineOffset = 0;
  #atLineStart = true;

  /** An upper bound: indentation, indicators on one line, and brackets. */
  get depth(): number {
    return this.#blocks.length + this.#indicators + this.#brackets.length;
  }

  /** A lower bound of the keys in the innermost map. */
  get keys(): number {
    return (this.#brackets.at(-1) ?? this.#blocks.at(-1))?.keys ?? 0;
  }

  add(token: string, offset: number): void {
    if (isStructure(token)) {
      if (this.#brackets.length === 0) this.#addBlock(token, offset - this.#lineOffset);
      this.#addFlow(token);
    }
    if (token.endsWith('\n')) this.#startLine(offset + token.length);
  }

  #startLine(offset: number): void {
    this.#lineOffset = offset;
    this.#atLineStart = true;
    this.#indicators = 0;
  }

  #addBlock(token: string, column: number): void {
    if (this.#atLineStart) {
      while ((this.#blocks.at(-1)?.column ?? -1) > column) this.#blocks.pop();
      if (this.#blocks.at(-1)?.column !== column) this.#blocks.push({ column, keys: 0 });
      this.#atLineStart = false;
    }
    const block = this.#blocks.at(-1);
    if (token === ':' && this.#indicators === 0 && block !== undefined) block.keys += 1;
    if (token === '-' || token === '?' || token === ':') this.#indicators += 1;
  }

  #addFlow(token: string): void {
    const bracket = this.#brackets.at(-1);
    if (token === '[' || token === '{') this.#brackets.push({ map: token === '{', keys: 0 });
    else if (token === ']' || token === '}') this.#brackets.pop();
    else if (token === ',' && bracket?.map) bracket.keys += 1;
  }
}

function isStructure(token: string): boolean {
  return !WITHOUT_SOURCE.has(token) && !/^(?:[ \t\r\n#\ufeff]|$)/.test(token);
}

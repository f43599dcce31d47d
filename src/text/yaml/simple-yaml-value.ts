/** A value of simple YAML, and where it and its key stand; offsets into the text. */
export type SimpleNode = {
  readonly value: unknown;
  readonly at: number;
  readonly key: number;
  readonly below: ReadonlyMap<PropertyKey, SimpleNode>;
};

/** Where the rest of a line stands, and how it is read. */
export type Place = {
  readonly at: number;
  readonly key: number;
  readonly asText: boolean;
  readonly textKeys: ReadonlySet<string>;
};

type Scalar = { readonly value: unknown };

const NOTHING_BELOW: ReadonlyMap<PropertyKey, SimpleNode> = new Map();

/** Reads the rest of a line: a scalar, or a list or map of them on that line; undefined when it is not plainly that. */
export function readRest(text: string, place: Place): SimpleNode | undefined {
  if (text.startsWith('[') || text.startsWith('{')) return new Flow(text, place).read();
  const scalar = quoted(text) ?? plain(text, place.asText);
  return scalar && { value: scalar.value, at: place.at, key: place.key, below: NOTHING_BELOW };
}

const COMMENT = /^(?:\s+#.*)?$/;

/** Quoted text; of escapes only those of the quote and the backslash. */
function quoted(text: string): Scalar | undefined {
  const [whole, double, single] = /^(?:"((?:[^"\\]|\\["\\])*)"|'([^']*)')/.exec(text) ?? [];
  if (whole === undefined || !COMMENT.test(text.slice(whole.length))) return undefined;
  return { value: double?.replace(/\\(.)/g, '$1') ?? single };
}

const WORD = /^[\p{L}\p{N}_./(][^\n]*$/u;
const RESERVED = /^(?:null|true|false|yes|no|on|off|\.nan|\.inf|y|n)$/i;

function plain(text: string, asText: boolean): Scalar | undefined {
  const bare = text.replace(/\s+#.*$/, '');
  if (!WORD.test(bare) || /:(?:\s|$)|\s#/.test(bare)) return undefined;
  return typed(bare, asText);
}

/** Numbers other than whole ones and plain decimals are left to the library. */
function typed(bare: string, asText: boolean): Scalar | undefined {
  if (RESERVED.test(bare)) return bare === 'true' || bare === 'false' ? flag(bare, asText) : undefined;
  if (!/^[.\d]/.test(bare)) return { value: bare };
  if (/^\d{1,15}$/.test(bare)) return { value: asText ? bare : Number(bare) };
  if (!asText && /^(?:0|[1-9]\d{0,8})\.\d{1,6}$/.test(bare)) return { value: Number(bare) };
  const number = /^[\d.+eExXoOa-fA-F_-]+$/.test(bare) && !/\d-\d/.test(bare);
  if (!number) return { value: bare };
  return asText && /^\d+(?:\.\d+)?$/.test(bare) ? { value: bare } : undefined;
}

function flag(bare: string, asText: boolean): Scalar {
  return { value: asText ? bare : bare === 'true' };
}

const FLOW_KEY = /(?!null:)([A-Za-z_][\w.-]{0,99}): +/iy;
const FLOW_SCALAR = /"([^"\\]*)"|'([^']*)'|([\p{L}\p{N}_./](?:[^,[\]{}"'#:]*[^,[\]{}"'#:\s])?)/uy;
const DEEPEST_FLOW = 4;
const MOST_KEYS = 1000;

/** `[a, "b"]` and `{ a: 1, b: [c] }` */
class Flow {
  readonly #text: string;
  readonly #place: Place;
  #next = 0;

  constructor(text: string, place: Place) {
    this.#text = text;
    this.#place = place;
  }

  read(): SimpleNode | undefined {
    const node = this.#value(this.#place.key, this.#place.asText, 1);
    return COMMENT.test(this.#text.slice(this.#next)) ? node : undefined;
  }

  #value(key: number, asText: boolean, depth: number): SimpleNode | undefined {
    if (depth > DEEPEST_FLOW) return undefined;
    const at = this.#place.at + this.#next;
    if (this.#skip('[')) return this.#list({ key, at, asText, depth });
    if (this.#skip('{')) return this.#map({ key, at, asText, depth });
    const [whole, double, single, word] = this.#match(FLOW_SCALAR) ?? [];
    if (whole === undefined) return undefined;
    const scalar = word === undefined ? { value: double ?? single } : typed(word, asText);
    return scalar && { value: scalar.value, at, key, below: NOTHING_BELOW };
  }

  #list({ key, at, asText, depth }: Opened): SimpleNode | undefined {
    const below = new Map<PropertyKey, SimpleNode>();
    for (let ended = this.#skip(']'); !ended; ended = this.#skip(']')) {
      if (below.size > 0 && !this.#skip(',')) return undefined;
      const item = this.#value(this.#place.at + this.#next, asText, depth + 1);
      if (item === undefined) return undefined;
      below.set(below.size, item);
      this.#blanks();
    }
    return { value: [...below.values()].map(({ value }) => value), at, key, below };
  }

  #map({ key, at, asText, depth }: Opened): SimpleNode | undefined {
    const below = new Map<PropertyKey, SimpleNode>();
    for (let ended = this.#skip('}'); !ended; ended = this.#skip('}')) {
      if (below.size === MOST_KEYS || (below.size > 0 && !this.#skip(','))) return undefined;
      const keyAt = this.#place.at + this.#next;
      const [, name = '__proto__'] = this.#match(FLOW_KEY) ?? [];
      if (name === '__proto__' || below.has(name)) return undefined;
      const item = this.#value(keyAt, asText || this.#place.textKeys.has(name), depth + 1);
      if (item === undefined) return undefined;
      below.set(name, item);
      this.#blanks();
    }
    return { value: Object.fromEntries([...below].map(([name, { value }]) => [name, value])), at, key, below };
  }

  /** Goes past a sign and, unless it ends something, the blanks behind it, if it is there. */
  #skip(sign: string): boolean {
    if (this.#text[this.#next] !== sign) return false;
    this.#next += 1;
    if (sign !== ']' && sign !== '}') this.#blanks();
    return true;
  }

  #blanks(): void {
    while (this.#text[this.#next] === ' ') this.#next += 1;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#next;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#next = pattern.lastIndex;
    return found;
  }
}

type Opened = { readonly key: number; readonly at: number; readonly asText: boolean; readonly depth: number };

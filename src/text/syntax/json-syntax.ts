import { present } from '../../domain/present.ts';
import { oneLine } from '../sanitise.ts';
import { type JsonToken, nextToken } from './json-tokens.ts';
import { type Problem, type Problems, placesIn } from './problem.ts';

type Trouble = Pick<Problem, 'message' | 'hint'> & { readonly offset: number };
type Awaited = 'a value' | 'a name in double quotes' | '":"' | '","' | 'the end';

const COMMENTS = 'only .jsonc files and the settings of some tools may have comments and trailing commas';

/** Checks the syntax of JSON or, if `lenient`, of JSON with comments and trailing commas. */
export function checkJson(text: string, lenient: boolean): Problems {
  if (!lenient && isJson(text)) return { problems: [], more: false };
  const trouble = new JsonReader(text, lenient).firstTrouble();
  if (trouble === undefined) return { problems: [], more: false };
  const { offset, ...problem } = trouble;
  return { problems: [{ ...placesIn(text)(offset), ...problem }], more: false };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads without recursion, so that nesting costs nothing but memory. */
class JsonReader {
  readonly #text: string;
  readonly #lenient: boolean;
  readonly #open: JsonToken[] = [];
  #awaited: Awaited = 'a value';
  /** The bracket may close here, because nothing stands in it yet or a comma may be the last thing in it. */
  #mayClose = false;

  constructor(text: string, lenient: boolean) {
    this.#text = text;
    this.#lenient = lenient;
  }

  firstTrouble(): Trouble | undefined {
    for (let token = nextToken(this.#text, 0); ; token = nextToken(this.#text, token.end)) {
      if (token.bad !== undefined) return { offset: token.offset, message: token.bad };
      if (token.kind === 'comment' && !this.#lenient)
        return { offset: token.offset, message: 'comments are not allowed here', hint: COMMENTS };
      if (token.kind === 'comment') continue;
      if (!this.#take(token)) return this.#unexpected(token);
      if (token.kind === 'end') return undefined;
    }
  }

  #take(token: JsonToken): boolean {
    const { kind } = token;
    if (kind === '}' || kind === ']') return this.#close(kind);
    if (kind === 'end') return this.#awaited === 'the end';
    if (this.#awaited === '":"') return this.#move(kind === ':', 'a value');
    if (this.#awaited === '","') return this.#comma(kind);
    if (this.#awaited === 'a name in double quotes') return this.#move(kind === 'text', '":"');
    if (this.#awaited === 'the end') return false;
    if (kind === 'text' || kind === 'value') return this.#move(true, this.#afterValue());
    if (kind !== '{' && kind !== '[') return false;
    this.#open.push(token);
    return this.#move(true, kind === '{' ? 'a name in double quotes' : 'a value', true);
  }

  #move(allowed: boolean, awaited: Awaited, mayClose = false): boolean {
    if (!allowed) return false;
    this.#awaited = awaited;
    this.#mayClose = mayClose;
    return true;
  }

  #comma(kind: JsonToken['kind']): boolean {
    const inMap = this.#open.at(-1)?.kind === '{';
    return this.#move(kind === ',', inMap ? 'a name in double quotes' : 'a value', this.#lenient);
  }

  #close(kind: '}' | ']'): boolean {
    const opened = this.#open.at(-1)?.kind;
    const fits = opened === (kind === '}' ? '{' : '[') && (this.#awaited === '","' || this.#mayClose);
    if (fits) this.#open.pop();
    return this.#move(fits, this.#afterValue());
  }

  #afterValue(): Awaited {
    return this.#open.length > 0 ? '","' : 'the end';
  }

  #unexpected(token: JsonToken): Trouble {
    const { kind, offset } = token;
    const hint = this.#hint(token);
    return {
      offset: kind === 'end' ? this.#text.trimEnd().length : offset,
      message: `unexpected ${this.#shown(token)}; expected ${this.#awaited}${this.#awaited === '","' ? ` or ${this.#closing()}` : ''}`,
      ...present({ hint }),
    };
  }

  #shown({ kind, offset, end }: JsonToken): string {
    if (kind === 'end') return 'end of the file';
    const word = oneLine(this.#text.slice(offset, Math.min(end, offset + 100)), 40);
    return kind === 'text' ? word : `"${word}"`;
  }

  #closing(): string {
    return this.#open.at(-1)?.kind === '{' ? '"}"' : '"]"';
  }

  #hint({ kind, offset }: JsonToken): string | undefined {
    const open = this.#open.at(-1);
    if (kind === 'end' && open !== undefined) {
      return `the ${open.kind} of line ${placesIn(this.#text)(open.offset).line} is still open here`;
    }
    const closes = kind === '}' || kind === ']';
    return closes && this.#text.slice(0, offset).trimEnd().endsWith(',') ? COMMENTS : undefined;
  }
}

/** A scalar, or a list of scalars on one line with the offset of each. */
export type Scalar = {
  readonly value: unknown;
  readonly items?: readonly { readonly value: unknown; readonly at: number }[];
};

type Read = (text: string, asText: boolean) => Scalar | undefined;

const COMMENT = /^(?:\s+#.*)?$/;

/** The ways a scalar can be written; each reads the rest of a line, or nothing. */
export const SCALARS: readonly Read[] = [quoted, flowList, plain];

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

/** Numbers other than whole ones are left to the library. */
function typed(bare: string, asText: boolean): Scalar | undefined {
  if (RESERVED.test(bare)) return bare === 'true' || bare === 'false' ? flag(bare, asText) : undefined;
  if (!/^[.\d]/.test(bare)) return { value: bare };
  if (/^\d{1,15}$/.test(bare)) return { value: asText ? bare : Number(bare) };
  const number = /^[\d.+eExXoOa-fA-F_-]+$/.test(bare) && !/\d-\d/.test(bare);
  if (!number) return { value: bare };
  return asText && /^\d+(?:\.\d+)?$/.test(bare) ? { value: bare } : undefined;
}

function flag(bare: string, asText: boolean): Scalar {
  return { value: asText ? bare : bare === 'true' };
}

const ITEM = /\s*(?:"([^"\\]*)"|'([^']*)'|([\p{L}\p{N}_./][^,[\]{}"'#:]*?))\s*(,|\])/uy;

/** `[a, "b"]` */
function flowList(text: string, asText: boolean): Scalar | undefined {
  if (!text.startsWith('[')) return undefined;
  const empty = /^\[\s*\]/.exec(text)?.[0];
  if (empty !== undefined) return COMMENT.test(text.slice(empty.length)) ? { value: [], items: [] } : undefined;
  const items: { value: unknown; at: number }[] = [];
  ITEM.lastIndex = 1;
  for (let from = 1, match = ITEM.exec(text); match !== null; match = ITEM.exec(text)) {
    const [whole, double, single, word, end] = match;
    const scalar = word === undefined ? { value: double ?? single } : typed(word, asText);
    if (scalar === undefined) return undefined;
    items.push({ value: scalar.value, at: from + whole.length - whole.trimStart().length });
    from = ITEM.lastIndex;
    if (end === ']')
      return COMMENT.test(text.slice(from)) ? { value: items.map(({ value }) => value), items } : undefined;
  }
  return undefined;
}

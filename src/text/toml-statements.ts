/** One statement of a TOML text: a table's head, a value, or what stands between them (then without a path). */
export type TomlStatement = {
  readonly kind: 'table' | 'value' | 'rest';
  /** The keys it is about, from the top of the document on. */
  readonly path: readonly string[];
  readonly text: string;
};

const TOKEN =
  /"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}|'''(?:[^']|'{1,2}(?!'))*'{3,5}|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+/y;
const KEY = /[ \t]*(?:([A-Za-z0-9_-]+)|"([^"\\\n]*)"|'([^'\n]*)')[ \t]*/y;

/** Takes a TOML text apart; undefined where that cannot be done surely, which includes keys written with escapes. */
export function tomlStatements(text: string): TomlStatement[] | undefined {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (const line of logicalLines(text) ?? [undefined]) {
    const statement = line === undefined ? undefined : readStatement(line, table);
    if (statement === undefined) return undefined;
    if (statement.kind === 'table') table = statement.path;
    statements.push(statement);
  }
  return statements;
}

/** Lines, where one that ends within a string, an array or an inline table goes on; undefined where one never ends. */
function logicalLines(text: string): string[] | undefined {
  const lines: string[] = [];
  let [from, depth] = [0, 0];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (token !== '\n' || depth > 0) continue;
    lines.push(text.slice(from, TOKEN.lastIndex - 1));
    from = TOKEN.lastIndex;
  }
  return depth === 0 ? [...lines, text.slice(from)] : undefined;
}

function readStatement(text: string, table: readonly string[]): TomlStatement | undefined {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return { kind: 'rest', path: [], text };
  const open = /^\[{0,2}/.exec(line)?.[0].length ?? 0;
  const { keys, end } = readKeys(line, open);
  const after = line.slice(end);
  if (keys.length === 0) return undefined;
  if (open === 0) return after.startsWith('=') ? { kind: 'value', path: [...table, ...keys], text } : undefined;
  const closed = after.startsWith(']'.repeat(open)) && /^[ \t]*(?:#.*)?$/.test(after.slice(open));
  return closed ? { kind: 'table', path: keys, text } : undefined;
}

function readKeys(line: string, start: number): { readonly keys: readonly string[]; readonly end: number } {
  const keys: string[] = [];
  let end = start;
  do {
    KEY.lastIndex = keys.length === 0 ? end : end + 1;
    const found = KEY.exec(line);
    if (found === null) return { keys: [], end };
    keys.push(found[1] ?? found[2] ?? found[3] ?? '');
    end = KEY.lastIndex;
  } while (line[end] === '.');
  return { keys, end };
}

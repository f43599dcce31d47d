import { fileURLToPath } from 'node:url';
import { fieldsOf, listOf } from '../../../text/agent-words/fields.ts';

/** What a tool is given to write, run or say: no path, whatever it looks like. */
const TEXTS = new Set([
  ...['content', 'text', 'description', 'explanation', 'prompt', 'title', 'command', 'cmd', 'args'],
  ...['old_string', 'new_string', 'oldString', 'newString', 'old_str', 'new_str', 'oldText', 'newText'],
  ...['file_text', 'insert_text', 'new_source'],
]);
const DEPTH = 50;
const OF_PATHS = /path|file|folder|director|\bdir\b|cwd|uri/i;

/** The files a tool call names, as paths; undefined stands for one that cannot be understood. */
export function namedPaths({ locations, content, rawInput }: Record<string, unknown>): (string | undefined)[] {
  const changes = listOf(content)
    .map(fieldsOf)
    .filter((each) => each.type === 'diff' || each.path !== undefined);
  return [
    ...listOf(locations ?? []).map((location) => pathOf(fieldsOf(location).path)),
    ...(Array.isArray(locations ?? []) ? [] : [undefined]),
    ...changes.map(({ path }) => pathOf(path)),
    ...inputPaths(rawInput),
  ];
}

/** Tools call their arguments what they like: what is called a path is one, and so is what looks like one. */
function inputPaths(value: unknown, name = '', depth = 0): (string | undefined)[] {
  if (TEXTS.has(name)) return [];
  if (depth > DEPTH) return [undefined];
  if (typeof value === 'string') return OF_PATHS.test(name) || looksLikePath(value) ? [pathOf(value)] : [];
  if (Array.isArray(value)) return value.flatMap((each) => inputPaths(each, name, depth + 1));
  return Object.entries(fieldsOf(value)).flatMap(([key, part]) => [
    ...(looksLikePath(key) ? [pathOf(key)] : []),
    ...inputPaths(part, key, depth + 1),
  ]);
}

function looksLikePath(text: string): boolean {
  if (/\n|^https?:/i.test(text)) return false;
  return /^[/~]|(^|\/)\.\.(\/|$)|^[a-z][\w+.-]*:\/|^file:/i.test(text);
}

/** A home directory is whoever's the agent takes it for, and only one kind of address is a file's. */
function pathOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || /^~|\0/.test(value)) return undefined;
  if (!/^[a-z][\w+.-]*:\/|^file:/i.test(value)) return value;
  try {
    return fileURLToPath(value);
  } catch {
    return undefined;
  }
}

import { fieldsOf, textOf } from './fields.ts';

const SOUGHT = ['pattern', 'query', 'regex'];
const DONE = ['command', 'cmd', 'file_path', 'notebook_path', 'path', 'url', 'skill', 'description', 'prompt'];
const WHERE = ['path', 'glob', 'include'];

/** What a tool is called with, in the words a person needs: what is sought and where, what is run, or the file. */
export function subjectOf(input: unknown): string | undefined {
  const fields = fieldsOf(input);
  const first = (names: readonly string[]) => names.map((name) => wordOf(fields[name])).find((word) => word !== '');
  const sought = first(SOUGHT);
  if (sought === undefined) return first(DONE);
  const where = WHERE.map((name) => wordOf(fields[name])).filter((word) => word !== '');
  return `"${sought}"${where.length === 0 ? '' : ` in ${where.join(' ')}`}`;
}

/** Some tools take a command word by word. */
function wordOf(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map((part) => textOf(part) ?? '')
      .join(' ')
      .trim();
  return textOf(value)?.trim() ?? '';
}

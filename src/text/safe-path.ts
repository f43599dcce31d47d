import { posix } from 'node:path';

const MAX_LENGTH = 1024;
const MAX_NAME = 255;

/** Says why a path of a plan cannot be used below a base directory; a lexical check, so links are the reader's concern. */
export function unsafePath(path: string): string | undefined {
  if (path.trim() === '') return 'is empty';
  if (path.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/\p{Cc}/u.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; separate folders with /';
  if (path.startsWith('/')) return 'is absolute; write it relative';
  if (/^[a-zA-Z]:/.test(path)) return 'starts with a drive letter; write it relative';
  if (path.startsWith('~')) return 'starts with ~; write it relative';
  if (leaves(path)) return 'leaves its directory';
  if (path.split('/').some((name) => name.length > MAX_NAME)) return `has a name longer than ${MAX_NAME} characters`;
  return undefined;
}

/** The one spelling of a safe path: no `./`, no `//`, no inner `..`; a folder written with a final slash means all in it. */
export function normalisePath(path: string): string {
  const normal = posix.normalize(path);
  if (!normal.endsWith('/')) return normal;
  return normal === './' ? '.' : `${normal}**`;
}

/** The one spelling of a safe path to a folder. */
export function normaliseDirectory(path: string): string {
  return posix.normalize(`${path}/`).slice(0, -1);
}

/** Joins a directory and a path below it, both safe. */
export function joinPath(directory: string, path: string): string {
  return normalisePath(`${directory}/${path}`);
}

/** Alternatives such as `{..,a}` could climb one by one, so a climbing alternative is never safe. */
function leaves(path: string): boolean {
  if (path.split(/[{},]/).length > 1 && /(?:^|[{},/])\.\.(?:$|[{},/])/.test(path)) return true;
  const normal = posix.normalize(path);
  return normal === '..' || normal.startsWith('../');
}

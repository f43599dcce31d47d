import { relative, resolve, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { oneLine } from '../../text/sanitise.ts';

/** The paths in the project of files that are named as seen from `from`; throws HelixError `usage` for one that is named twice. */
export function judgedInputs(named: readonly string[], project: string, from: string): string[] {
  const paths = named.map((name) => pathIn(project, name, from));
  const twice = paths.findIndex((path, index) => paths.indexOf(path) !== index);
  if (twice === -1) return paths;
  throw new HelixError('usage', `the input ${oneLine(named[twice] ?? '', 200)} is named twice`, {
    hint: 'Name each file once.',
  });
}

/** The path in the project of what is named as seen from a directory; an empty name stays one. */
export function pathIn(project: string, name: string, from: string): string {
  if (name.trim() === '') return name;
  return relative(project, resolve(from, name)).split(sep).join('/') || '.';
}

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APPROVAL_TYPE } from '../../domain/judge/approval-type.ts';

/** A file of the folder `config` that HELIX ships: where it is, and its text. */
export function readShippedConfig(name: string): { readonly path: string; readonly text: string } {
  const path = fileURLToPath(new URL(`../../../config/${name}`, import.meta.url));
  return { path, text: readFileSync(path, 'utf8') };
}

/** The files of an approval type that HELIX ships, by their path below its folder; undefined where it ships none. */
export function readShippedApproval(type: string): ReadonlyMap<string, string> | undefined {
  if (!APPROVAL_TYPE.test(type)) return undefined;
  const dir = fileURLToPath(new URL(`../../../approvals/${type}`, import.meta.url));
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const paths = filesBelow(dir, '').sort();
  return new Map(paths.map((path) => [path, readFileSync(join(dir, path), 'utf8')]));
}

function filesBelow(dir: string, below: string): string[] {
  return readdirSync(join(dir, below), { withFileTypes: true }).flatMap((item) => {
    const path = posix.join(below, item.name);
    if (item.isDirectory()) return filesBelow(dir, path);
    return item.isFile() ? [path] : [];
  });
}

/** The version of this HELIX. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { APPROVAL_TYPE } from '../../domain/judge/approval-type.ts';
import { INSTALLATION } from './installation.ts';

/** A file of the folder `config` that HELIX ships: where it is, and its text. */
export function readShippedConfig(name: string): { readonly path: string; readonly text: string } {
  const path = join(INSTALLATION, 'config', name);
  return { path, text: readFileSync(path, 'utf8') };
}

/** The files of an approval type that HELIX ships, by their path below its folder; undefined where it ships none. */
export function readShippedApproval(type: string): ReadonlyMap<string, string> | undefined {
  if (!APPROVAL_TYPE.test(type)) return undefined;
  const dir = join(INSTALLATION, 'approvals', type);
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const paths = filesBelow(dir, '').sort();
  return new Map(paths.map((path) => [path, readFileSync(join(dir, path), 'utf8')]));
}

/** The paths of the texts for agents that HELIX ships, below its folder `templates`. */
export function readShippedTemplates(): string[] {
  return filesBelow(join(INSTALLATION, 'templates'), '').filter((path) => path.endsWith('.md'));
}

let skills: ReadonlyMap<string, string> | undefined;

/** The texts of the skills that HELIX ships, by their names; read once. */
export function readShippedSkills(): ReadonlyMap<string, string> {
  const dir = join(INSTALLATION, 'skills');
  skills ??= new Map(
    readdirSync(dir)
      .sort()
      .map((name) => [name, readFileSync(join(dir, name, 'SKILL.md'), 'utf8')]),
  );
  return skills;
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
  const text = readFileSync(join(INSTALLATION, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

import { posix } from 'node:path';
import { tomlStatements } from '../../text/toml-statements.ts';

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'setup.cfg': ['tool:pytest'],
  'tox.ini': ['pytest', 'testenv', 'tox'],
};
const TABLES = [
  ['tool', 'pytest'],
  ['tool', 'tox'],
];
/** Where Python ends a line, and others do not. */
const ODD_ENDS = /\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029]/u;

type Parts = { readonly settings: string[]; readonly rest: string[] };

/** What two versions of a file say about how pytest runs; where that cannot be told surely, all they say. */
export function pytestSettings(path: string, [old, now]: readonly [string, string]): [string, string] {
  const [before, after] = isMixed(path) ? [split(path, old), split(path, now)] : [];
  if (before === undefined || after === undefined) return [old.trim(), now.trim()];
  return [bare(before), bare(after)];
}

/** Tells whether only some sections of a file are about tests. */
export function isMixed(path: string): boolean {
  return isToml(path) || Object.hasOwn(SECTIONS, posix.basename(path));
}

/** A file with what another version of it says about tests: that version itself, where it cannot be told what is about them. */
export function withSettingsOf(path: string, old: string, now: string): string {
  const [before, after] = pytestSettings(path, [old, now]);
  if (before === after) return now;
  const [former, current] = [split(path, old), split(path, now)];
  if (former === undefined || current === undefined) return old;
  const parts = [current.rest.join('\n').trimEnd(), former.settings.join('\n').trim()];
  return parts.map((part) => (part === '' ? '' : `${part}\n`)).join(parts.includes('') ? '' : '\n');
}

function isToml(path: string): boolean {
  return posix.basename(path) === 'pyproject.toml';
}

function bare({ settings }: Parts): string {
  return settings
    .filter((line) => line.trim() !== '')
    .map((line) => line.trimEnd())
    .join('\n');
}

function split(path: string, text: string): Parts | undefined {
  return isToml(path) ? splitToml(text) : splitIni(text, SECTIONS[posix.basename(path)] ?? []);
}

/** Settings that stand anywhere but below a head of their own are not taken out of a file. */
function splitToml(text: string): Parts | undefined {
  const statements = tomlStatements(text);
  if (statements === undefined) return undefined;
  const parts: Parts = { settings: [], rest: [] };
  let inside = false;
  for (const { kind, path, text: line } of statements) {
    if (kind === 'table') inside = TABLES.some((table) => startsWith(path, table));
    const touches = kind === 'value' && TABLES.some((table) => startsWith(path, table) || startsWith(table, path));
    if (touches && !inside) return undefined;
    parts[inside ? 'settings' : 'rest'].push(line);
  }
  return parts;
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, n) => path[n] === key);
}

function splitIni(text: string, wanted: readonly string[]): Parts | undefined {
  if (ODD_ENDS.test(text)) return undefined;
  const parts: Parts = { settings: [], rest: [] };
  let inside = false;
  for (const line of text.split('\n')) {
    if (/^\s*\[/.test(line)) {
      const section = /^\[([^[\]#;]+)\]\s*(?:[#;].*)?$/.exec(line)?.[1];
      if (section === undefined) return undefined;
      inside = wanted.some((one) => section.trim() === one || section.trim().startsWith(`${one}:`));
    }
    parts[inside ? 'settings' : 'rest'].push(line);
  }
  return parts;
}

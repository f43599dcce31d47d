import { posix } from 'node:path';

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'pyproject.toml': ['tool.pytest.ini_options', 'tool.pytest', 'tool.tox'],
  'setup.cfg': ['tool:pytest'],
  'tox.ini': ['pytest', 'testenv', 'tox'],
};

/** What a file says about how pytest runs; a file that is there for nothing else is taken whole. */
export function pytestSettings(path: string, text: string): string {
  if (!isMixed(path)) return text.trim();
  return split(path, text)
    .settings.filter((line) => line.trim() !== '')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Tells whether only some sections of a file are about tests. */
export function isMixed(path: string): boolean {
  return Object.hasOwn(SECTIONS, posix.basename(path));
}

/** A file with what another version of it says about tests. */
export function withSettingsOf(path: string, old: string, now: string): string {
  if (pytestSettings(path, old) === pytestSettings(path, now)) return now;
  const rest = split(path, now).rest.join('\n').trimEnd();
  return `${rest}\n\n${split(path, old).settings.join('\n').trim()}\n`;
}

function split(path: string, text: string): { settings: string[]; rest: string[] } {
  const wanted = SECTIONS[posix.basename(path)] ?? [];
  const parts = { settings: [] as string[], rest: [] as string[] };
  let inside = false;
  for (const line of text.split('\n')) {
    const section = line.startsWith('[') ? /^\[\[?([^\]]{1,100})\]/.exec(line)?.[1]?.trim() : undefined;
    if (section !== undefined)
      inside = wanted.some((one) => section === one || section.startsWith(`${one}:`) || section.startsWith(`${one}.`));
    parts[inside ? 'settings' : 'rest'].push(line);
  }
  return parts;
}

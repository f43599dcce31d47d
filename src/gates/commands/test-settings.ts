import { posix } from 'node:path';

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'pyproject.toml': ['tool.pytest.ini_options', 'tool.pytest', 'tool.tox'],
  'setup.cfg': ['tool:pytest'],
  'tox.ini': ['pytest', 'testenv', 'tox'],
};

/** What a file says about how pytest runs; a file that is there for nothing else is taken whole. */
export function pytestSettings(path: string, text: string): string {
  const wanted = SECTIONS[posix.basename(path)];
  if (wanted === undefined) return text.trim();
  const kept: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const section = line.startsWith('[') ? /^\[\[?([^\]]{1,100})\]/.exec(line)?.[1]?.trim() : undefined;
    if (section !== undefined)
      inside = wanted.some((one) => section === one || section.startsWith(`${one}:`) || section.startsWith(`${one}.`));
    if (inside && line.trim() !== '') kept.push(line.trimEnd());
  }
  return kept.join('\n');
}

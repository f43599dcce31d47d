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

/** The rule of a target in a Makefile: its line and its recipe; undefined where there is none. */
export function makeRecipe(text: string, target: string): string | undefined {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !line.startsWith('\t') && namesTarget(line, target));
  if (start === -1) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith('\t') && !line.startsWith('#'));
  return [lines[start], ...(end === -1 ? rest : rest.slice(0, end))]
    .map((line) => line?.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function namesTarget(line: string, target: string): boolean {
  const colon = line.indexOf(':');
  if (colon === -1 || line.startsWith('.') || line.charAt(colon + 1) === '=') return false;
  return line.slice(0, colon).trim().split(/\s+/).includes(target);
}

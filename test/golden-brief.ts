import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const FOLDER = new URL('./briefs/', import.meta.url);

/** Compares a brief with the recorded one; HELIX_RECORD=1 records it anew, to be read before it is committed. */
export function expectGolden(name: string, brief: string): void {
  const path = fileURLToPath(new URL(`${name}.md`, FOLDER));
  const text = withoutChance(brief);
  mkdirSync(FOLDER, { recursive: true });
  if (process.env.HELIX_RECORD === '1' || !existsSync(path)) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

/** Without what differs from run to run: commits, directories of a machine, and how long something took. */
function withoutChance(brief: string): string {
  return brief
    .replaceAll(/git diff [0-9a-f]{12} HEAD/g, 'git diff BASE HEAD')
    .replaceAll(/`\/[^`\n]*\/helix[^`\n]*`/g, '`/a/read-only/copy`')
    .replaceAll(/\d+\.\d minutes/g, '30.0 minutes');
}

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = [
  'src',
  'test',
  'skills',
  'templates',
  'approvals',
  'config',
  'bin',
  'docs',
  'examples',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
];

/** What is put in the place of something in a file. */
export type Planted = { readonly file: string; readonly find: string; readonly plant: string };

/** A mistake somebody could make, and who must notice it. */
export type Bug = Planted & {
  readonly what: string;
  /** What has to be planted with it for anybody to notice. */
  readonly others?: readonly Planted[];
  /** The test that must notice it. */
  readonly by: readonly [file: string, name: string];
};

/** The text with the bug in it; the place is found whatever white space a formatter has put there, and must be the only one. */
export function plantIn(text: string, { file, find, plant }: Planted): string {
  const shown = [...text.matchAll(/\S/g)].map(({ index }) => index);
  const [packed, wanted] = [packedText(text), packedText(find)];
  const at = packed.indexOf(wanted);
  if (at < 0 || at !== packed.lastIndexOf(wanted))
    throw new Error(`${file} must hold the place to plant a bug exactly once: ${find}`);
  const end = (shown[at + wanted.length - 1] ?? 0) + 1;
  return text.slice(0, shown[at]) + plant + text.slice(end);
}

function packedText(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Runs the test that should notice in a copy of the checkout with the bug in it; gives vitest's exit code and words. */
export function runWith(bug: Bug, sound: boolean): { status: number | null; output: string } {
  const dir = mkdtempSync(join(tmpdir(), 'helix-bug-'));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    for (const each of [bug, ...(bug.others ?? [])]) {
      const file = join(dir, each.file);
      const planted = plantIn(readFileSync(file, 'utf8'), each);
      if (!sound) writeFileSync(file, planted);
    }
    const [test, name] = bug.by;
    const { status, stdout, stderr } = spawnSync(
      join(ROOT, 'node_modules', '.bin', 'node'),
      [
        join(ROOT, 'node_modules', '.bin', 'vitest'),
        'run',
        '--project=pure',
        '--project=world',
        test,
        '-t',
        name,
        '--bail',
        '1',
      ],
      { cwd: dir, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', HELIX_WARM: 'none' } },
    );
    return { status, output: stdout + stderr };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Plants a bug and expects the test that is named for it to fail. */
export function expectNoticed(bug: Bug): void {
  const { status, output } = runWith(bug, false);
  expect(output).toMatch(/Tests {2}\d+ failed/);
  expect(status).not.toBe(0);
}

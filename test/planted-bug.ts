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
  'templates',
  'approvals',
  'config',
  'bin',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
];

/** A mistake somebody could make, and who must notice it. */
export type Bug = {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly plant: string;
  /** The test that must notice it. */
  readonly by: readonly [file: string, name: string];
};

/** Runs the test that should notice in a copy of the checkout with the bug in it; gives vitest's exit code and words. */
export function runWith({ file, find, plant, by }: Bug, sound: boolean): { status: number | null; output: string } {
  const dir = mkdtempSync(join(tmpdir(), 'helix-bug-'));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    const text = readFileSync(join(dir, file), 'utf8');
    expect(text.split(find), `${file} holds the place to plant the bug exactly once`).toHaveLength(2);
    if (!sound)
      writeFileSync(
        join(dir, file),
        text.replace(find, () => plant),
      );
    const [test, name] = by;
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
      { cwd: dir, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
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

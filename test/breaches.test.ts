import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BREACHES: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['domain/breach.ts', `import '../text/digest.ts';`, 'domain-imports'],
  ['domain/breach.ts', `import 'node:path';`, 'domain-needs-no-node'],
  ['domain/breach.ts', `import 'yaml';`, 'domain-needs-nothing-but-zod'],
  ['domain/breach.ts', `import type { World } from '../ports.ts'; export type B = World;`, 'domain-imports'],
  ['text/breach.ts', `import '../ports.ts';`, 'text-imports'],
  ['plan/breach.ts', `import '../engine/run.ts';`, 'plan-imports'],
  ['plan/breach.ts', `import 'node:fs';`, 'effects-at-the-edges'],
  ['report/breach.ts', `import '../adapters/clock.ts';`, 'report-imports'],
  ['gates/breach.ts', `import '../engine/run.ts';`, 'gates-imports'],
  ['gates/breach.ts', `import 'node:child_process';`, 'effects-at-the-edges'],
  ['engine/breach.ts', `import '../adapters/world.ts';`, 'engine-imports'],
  ['engine/breach.ts', `import '../cli/main.ts';`, 'engine-imports'],
  ['brief/breach.ts', `import '../plan/load-plan.ts';`, 'brief-imports'],
  ['adapters/breach.ts', `import '../engine/run.ts';`, 'adapters-imports'],
  ['cli/breach.ts', `import '../index.ts';`, 'cli-imports'],
  ['cli/breach.ts', `import 'vitest';`, 'no-undeclared-packages'],
  ['helpers/breach.ts', `import '../domain/plan.ts';`, 'no-other-folder'],
  ['domain/breach.ts', 'export const lonely = 1;', 'no-orphans'],
  ['text/breach.ts', `import './back.ts';`, 'no-cycles'],
];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'helix-breach-'));
  for (const name of ['src', 'test', 'package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) {
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function cruise(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    join(ROOT, 'node_modules', '.bin', 'node'),
    [
      join(ROOT, 'node_modules', '.bin', 'depcruise'),
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err',
      'src',
    ],
    { cwd: dir, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

it('the import table holds, and every planted breach of it is caught by its rule', () => {
  expect(cruise()).toMatchObject({ status: 0, output: expect.stringContaining('no dependency violations') });
  const files = new Map<string, string>();
  const expected = BREACHES.map(([file, text, rule], index) => {
    const path = file.replace('breach.ts', `breach-${index}.ts`);
    files.set(path, text);
    return { path, rule };
  });
  files.set('text/back.ts', `import './breach-${BREACHES.length - 1}.ts';`);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(dir, 'src', path)), { recursive: true });
    writeFileSync(join(dir, 'src', path), `${text}\n`);
  }
  const { status, output } = cruise();
  expect(status).not.toBe(0);
  const lines = output.split('\n');
  const missed = expected.filter(({ path, rule }) => !lines.some((line) => line.includes(`${rule}: src/${path}`)));
  expect(missed.filter(({ rule }) => rule !== 'no-cycles')).toEqual([]);
  expect(output).toMatch(/no-cycles: src\/text\/(back|breach-\d+)\.ts/);
});

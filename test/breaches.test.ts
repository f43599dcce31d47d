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
  ['domain/breach.ts', `import type { World } from '../ports/world.ts'; export type B = World;`, 'domain-imports'],
  ['text/breach.ts', `import '../ports/world.ts';`, 'text-imports'],
  ['plan/breach.ts', `import '../engine/run.ts';`, 'plan-imports'],
  ['plan/breach.ts', `import 'node:fs';`, 'effects-at-the-edges'],
  ['report/breach.ts', `import '../adapters/clock.ts';`, 'report-imports'],
  ['gates/breach.ts', `import '../engine/run.ts';`, 'gates-imports'],
  ['gates/breach.ts', `import 'node:child_process';`, 'effects-at-the-edges'],
  ['engine/step/breach.ts', `import 'node:tty';`, 'effects-at-the-edges'],
  ['brief/breach.ts', `import 'node:inspector';`, 'effects-at-the-edges'],
  ['text/breach.ts', `import 'node:sqlite';`, 'effects-at-the-edges'],
  ['engine/breach.ts', `import '../adapters/world.ts';`, 'engine-imports'],
  ['engine/breach.ts', `import '../cli/main.ts';`, 'engine-imports'],
  ['brief/breach.ts', `import '../plan/load-plan.ts';`, 'brief-imports'],
  ['adapters/breach.ts', `import '../engine/run.ts';`, 'adapters-imports'],
  ['cli/breach.ts', `import '../index.ts';`, 'cli-imports'],
  ['cli/breach.ts', `import 'vitest';`, 'no-undeclared-packages'],
  ['text/breach.ts', `import './reaching.fixture.ts';`, 'no-tests-in-the-product'],
  ['domain/run/breach.ts', `import '../plan/catalogue.test.ts';`, 'no-tests-in-the-product'],
  ['adapters/disk/breach.ts', `import '../journal/journal.contract.ts';`, 'no-tests-in-the-product'],
  ['domain/run/breach.ts', `import '../../../test/scratch.ts';`, 'no-tests-in-the-product'],
  ['cli/call/breach.ts', `import '../../../scripts/build.mjs';`, 'no-tests-in-the-product'],
  ['helpers/breach.ts', `import '../domain/plan/plan.ts';`, 'no-other-folder'],
  ['domain/facts/breach.ts', `import '../run/evolve.ts';`, 'domain-room-facts'],
  ['domain/breach.ts', `import './plan/plan.ts';`, 'domain-room-door'],
  ['text/yaml/breach.ts', `import '../secrets/redact.ts';`, 'text-room-yaml'],
  ['plan/read/breach.ts', `import '../check/check-plan.ts';`, 'plan-room-read'],
  ['adr/document/breach.ts', `import '../rules/check-rules.ts';`, 'adr-room-document'],
  ['adr/concept/read/breach.ts', `import '../drift/drift.ts';`, 'adr-room-concept/read'],
  ['approval/breach.ts', `import './calibration/exact-interval.ts';`, 'approval-room-door'],
  ['gates/gate/breach.ts', `import '../files/files-exist.ts';`, 'gates-room-gate'],
  ['report/words/breach.ts', `import '../run/summary.ts';`, 'report-room-words'],
  ['report/breach.ts', `import './words/count.ts';`, 'report-rooms'],
  ['engine/step/breach.ts', `import '../ladder/attend.ts';`, 'engine-room-step'],
  ['engine/ladder/breach.ts', `import '../run-loop.ts';`, 'engine-room-ladder'],
  ['adapters/disk/breach.ts', `import '../journal/sqlite-journal.ts';`, 'adapters-room-disk'],
  ['cli/call/breach.ts', `import '../run/run.ts';`, 'cli-room-call'],
  ['gates/corner/breach.ts', `import '../gate/define-gate.ts';`, 'gates-rooms'],
  ['domain/breach.ts', 'export const lonely = 1;', 'no-orphans'],
  ['text/breach.ts', `import './back.ts';`, 'no-cycles'],
];

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'helix-breach-'));
  for (const name of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) {
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

it('every planted breach of the import table is caught by its rule', () => {
  const files = new Map<string, string>();
  const expected = BREACHES.map(([file, text, rule], index) => {
    const path = file.replace('breach.ts', `breach-${index}.ts`);
    files.set(path, text);
    return { path, rule };
  });
  files.set('text/reaching.fixture.ts', `import 'node:fs'; import '../adapters/clock.ts';`);
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

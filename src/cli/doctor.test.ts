import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DoctorDocument } from '../domain/documents.ts';
import { DRIVERS } from '../domain/driver.ts';
import { makePlace, type Place } from './helix.fixture.ts';

function program(place: Place, name: string, script: string): void {
  place.write(name, `#!/bin/sh\n${script}\n`);
  chmodSync(join(place.dir, name), 0o755);
}

function withPath(place: Place): Record<string, string> {
  return { PATH: `${place.dir}:${process.env.PATH}` };
}

test('doctor names Node, git, the sandbox and every driver', () => {
  const { code, out, err } = makePlace().helix(['doctor']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const word of ['node', 'git', 'sandbox', ...DRIVERS]) expect(out).toMatch(new RegExp(`^. ${word} `, 'm'));
});

test('doctor --json is a document of its format, with the versions found', () => {
  const place = makePlace();
  program(place, 'claude', 'echo "2.0.14 (Claude Code)"');
  program(place, 'codex', 'echo broken >&2; exit 1');
  const { code, out } = place.helix(['doctor', '--json'], { env: withPath(place) });
  const { agents, node, sandbox } = DoctorDocument.parse(JSON.parse(out));
  expect(code).toBe(0);
  expect(node).toMatch(/^\d+\./);
  expect(sandbox).toMatchObject({ level: expect.stringMatching(/^(strict|basic)$/), why: expect.stringMatching(/./) });
  expect(agents.map(({ driver }) => driver)).toEqual([...DRIVERS]);
  expect(agents).toContainEqual({ driver: 'claude-code', found: true, version: '2.0.14' });
  expect(agents).toContainEqual({ driver: 'codex', found: true });
  expect(agents).toContainEqual({ driver: 'scripted', found: true });
});

test('without git and agents HELIX still can work', () => {
  const place = makePlace();
  const { code, out } = place.helix(['doctor', '--json'], { env: { PATH: place.dir } });
  expect(code).toBe(0);
  const { git, agents } = DoctorDocument.parse(JSON.parse(out));
  expect(git).toBeNull();
  expect(agents).toContainEqual({ driver: 'claude-code', found: false });
});

test('a program that never answers is given up', () => {
  const place = makePlace();
  program(place, 'claude', 'sleep 60');
  const { code, out } = place.helix(['doctor'], { env: withPath(place) });
  expect(code).toBe(0);
  expect(out).toContain('claude of unknown version');
}, 20_000);

test('what is not built is not offered', () => {
  const { code, err } = makePlace().helix(['doctor', '--live']);
  expect(code).toBe(2);
  expect(err).toContain('--live');
});

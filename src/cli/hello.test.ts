import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RunDocument } from '../domain/documents/documents.ts';
import { makePlace } from './helix.fixture.ts';

const HELLO = fileURLToPath(new URL('../../examples/hello', import.meta.url));
const FILES = ['phases.yaml', 'helix.yaml', 'scripted.yaml', 'README.md'];

test('the example hello passes: its second phase fails once and is mended', async () => {
  const place = makePlace();
  for (const file of FILES) cpSync(join(HELLO, file), join(place.dir, 'examples/hello', file));
  expect(await place.helix(['plan', 'examples/hello'])).toMatchObject({ code: 0, err: '' });
  const { code, out } = await place.helix(['run', 'examples/hello', '--json']);
  const { status, simulated, phases } = RunDocument.parse(JSON.parse(out));
  expect({ code, status, simulated }).toEqual({ code: 0, status: 'passed', simulated: true });
  expect(phases.map(({ id, attempts }) => [id, attempts])).toEqual([
    ['01-plan', 1],
    ['02-write', 2],
    ['03-review', 1],
  ]);
  expect(place.read('examples/hello/phases/02-write/output/translations.md')).toContain('Hallo!');
});

test('every command its README shows can be called', async () => {
  const place = makePlace();
  for (const file of FILES) cpSync(join(HELLO, file), join(place.dir, 'examples/hello', file));
  const readme = place.read('examples/hello/README.md');
  const shown = [...readme.matchAll(/(?:^ {4}|`)helix ([^#`\n]+)/gm)].map(([, line = '']) => line.trim().split(' '));
  expect(shown.length).toBeGreaterThan(3);
  for (const args of shown) expect(await place.helix(args), args.join(' ')).toMatchObject({ code: 0 });
});

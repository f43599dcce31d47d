import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace } from '../helix.fixture.ts';

const GATED =
  'project: { name: mine }\nworkspace: phase-dirs\nphases: [{ id: one, type: test, quality_gate: { type: custom, command: "true" } }]\n';

describe('a run in which nothing was asked', () => {
  test('is refused before trust is asked for, and nothing is begun', async () => {
    const place = makePlace();
    place.write('phases.yaml', GATED);
    const { code, err } = await place.helix(['run']);
    expect(code).toBe(2);
    expect(err).toContain('nobody has said what is wanted');
    expect(err).toContain('request.md');
    expect(err).not.toMatch(/trusted/);
    expect(existsSync(join(place.dir, '.helix'))).toBe(false);
    place.write('request.md', 'Mend it.\n');
    expect((await place.helix(['run'])).err).toContain('you have not trusted this project yet');
  });

  test('without a plan is told that there is none', async () => {
    const place = makePlace();
    const { code, err } = await place.helix(['run']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('there is no phases.yaml here') });
    expect(existsSync(join(place.dir, '.helix'))).toBe(false);
  });

  test('without a plan a scripted trial leaves nothing behind that stands in the way of the next run', async () => {
    const place = makePlace();
    for (const words of [['run', '--agent', 'scripted'], ['plan'], ['run', '--agent', 'scripted']])
      expect(await place.helix(words), words.join(' ')).toMatchObject({ code: 0 });
    expect((await place.helix(['run'])).err).toContain('nothing was asked for');
  });

  test('a scripted trial goes on and says that nothing was asked', async () => {
    const place = makePlace();
    place.write('phases.yaml', GATED);
    const { code, err } = await place.helix(['run', '--agent', 'scripted', '--trust']);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('the simulated run goes on') });
  });
});

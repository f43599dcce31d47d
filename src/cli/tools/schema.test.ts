import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { makePlace } from '../helix.fixture.ts';
import { FORMATS, jsonSchema } from './schemas.ts';

function example(name: string): unknown {
  return parseYaml(readFileSync(new URL(`../../../examples/hello/${name}.yaml`, import.meta.url), 'utf8'), name).value;
}

function accepts(name: string, value: unknown): boolean {
  const format = FORMATS[name];
  if (format === undefined) throw new Error(`no format ${name}`);
  return z.fromJSONSchema(jsonSchema(format) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;
}

test.each(Object.entries(FORMATS))('%s has a JSON Schema with a title, and JSON can carry it', (_name, format) => {
  const made = jsonSchema(format);
  expect(made).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', title: format.about });
  expect(JSON.parse(JSON.stringify(made))).toEqual(made);
});

test('the command prints nothing but the schema', async () => {
  const { code, out, err } = await makePlace().helix(['schema', 'events']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toMatchObject({ title: FORMATS.events?.about });
});

test.each([
  'phases',
  'helix',
  'scripted',
])('the schema of %s accepts the example hello and refuses a misspelt key', (name) => {
  const value = example(name);
  expect(accepts(name, value)).toBe(true);
  expect(accepts(name, { ...(value as object), nonsense: 1 })).toBe(false);
});

test("keys that start with x- are the user's own", () => {
  const plan = { 'x-owner': 'me', phases: [{ id: 'a', type: 'test', 'x-note': 1 }] };
  expect(accepts('phases', plan)).toBe(true);
});

test.each([
  [{ type: 'custom', command: ['make', 'check'] }, true],
  [{ type: 'custom' }, false],
  [{ type: 'tests_pass', timeout: 60 }, true],
  [{ type: 'tests_pass', tmeout: 60 }, false],
  [{ files: ['a.md'] }, true],
  [[{ type: 'files_exist' }, { type: 'adr_valid', file: 'a.md' }], true],
  [{ type: 'no_such_gate' }, false],
])('the gate %j is described by the schema of phases: %s', (gate, right) => {
  expect(accepts('phases', { phases: [{ id: 'a', type: 'test', quality_gate: gate }] })).toBe(right);
});

test('without a name the formats are listed', async () => {
  const { code, out } = await makePlace().helix(['schema']);
  expect(code).toBe(0);
  for (const name of Object.keys(FORMATS)) expect(out).toMatch(new RegExp(`^${name} `, 'm'));
});

test('an unknown format is refused with a guess', async () => {
  const { code, out, err } = await makePlace().helix(['schema', 'phase']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('did you mean "phases"?');
});

test('help shows examples', async () => {
  expect((await makePlace().helix(['schema', '--help'])).out).toContain('helix schema phases');
});

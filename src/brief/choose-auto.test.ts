import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { samplePhase } from '../../test/sample-start.ts';
import { readShippedSkills, readShippedTemplates } from '../adapters/disk/shipped-config.ts';
import { expertsIn } from '../domain/kinds/experts-file.ts';
import { type Choice, chooseAuto, type Known, templateCandidates, withChoices } from './choose-auto.ts';

const EXPERTS = expertsIn(
  parse(readFileSync(new URL('../../config/domain-experts.yaml', import.meta.url), 'utf8')) as never,
);
const SHIPPED = new Set(readShippedTemplates().map((path) => path.replace(/\.md$/, '')));

function known(more: Partial<Known> = {}): Known {
  return {
    ...{ request: '', projectType: 'feature', detected: [], experts: EXPERTS, templates: SHIPPED },
    ...{ skills: [...readShippedSkills().keys()], ...more },
  };
}

type Fields = Parameters<typeof samplePhase>[1];
const template = (fields: Fields, more: Partial<Known> = {}) => {
  const phase = samplePhase('a', { output: { directory: '.', files: [] }, ...fields });
  const asking = { ...phase, config: { ...phase.config, template: 'auto' } };
  return chooseAuto(asking, known(more)).map(({ name, reason }) => `${name}: ${reason}`);
};
const shown = (choices: readonly Choice[]) => choices.map(({ name = 'none', reason }) => `${name}: ${reason}`);

describe('template: auto', () => {
  it.each([
    ['Python 3.12', 'developer/python: spec.yaml says language: python'],
    ['TS', 'developer/typescript: spec.yaml says language: typescript'],
    ['Rust', 'development/default: spec.yaml says language: rust, but there is no developer/rust'],
  ])('goes by the language of the specification: %s', (language, expected) => {
    expect(template({}, { language, detected: ['typescript'] })).toEqual([expected]);
  });

  it('goes by what was found in the project where the specification says nothing', () => {
    expect(template({}, { detected: ['go', 'python'] })).toEqual(['developer/python: the project has python']);
    expect(template({ type: 'test' }, { detected: ['python'] })).toEqual([
      'developer/python-tests: the project has python',
    ]);
    expect(template({})).toEqual([
      'development/default: neither spec.yaml nor the files of the project name a language',
    ]);
  });

  it("goes by the project's own template for a language HELIX has none for", () => {
    const templates = new Set([...SHIPPED, 'developer/rust']);
    expect(template({}, { detected: ['rust'], templates })).toEqual(['developer/rust: the project has rust']);
  });

  it('goes by what the phase is there for', () => {
    const output = { directory: '.', files: ['a.md', 'docs/b.md'] };
    expect(template({ output }, { language: 'python' })).toEqual(['developer/markdown: all it delivers is Markdown']);
    expect(template({}, { projectType: 'bugfix', language: 'python' })).toEqual([
      'developer/bugfix: the project is a bugfix',
    ]);
    expect(template({ type: 'review', config: { review_scope: 'security' } })).toEqual([
      'reviewer/security: by its review_scope',
    ]);
    expect(template({ type: 'review' })).toEqual(['reviewer/code: a review is of code if it does not say what else']);
    expect(template({ type: 'research' })).toEqual(['researcher/analysis: it is research']);
    expect(template({ type: 'documentation', config: { doc_types: ['user'] } })).toEqual([
      'documentation/user: its doc_types are for users only',
    ]);
    expect(template({ type: 'documentation' }, { projectType: 'research' })).toEqual([
      'documentation/research-summary: the project is research',
    ]);
    expect(template({ type: 'deploy' })).toEqual(['deploy/default: by its type']);
  });

  it('names only what can be a template, whatever an agent wrote as the language', () => {
    for (const language of ['../../etc/passwd', '`rm`', '__proto__', 'constructor', ' ']) {
      const names = templateCandidates(samplePhase('a'), { projectType: 'feature', language, detected: [] });
      expect(names.at(-1)?.name).toBe('development/default');
      expect(template({}, { language })[0]).toMatch(/^development\/default: /);
    }
  });
});

describe('skills: auto', () => {
  const skills = (more: Partial<Known>, type = 'development' as const) =>
    shown(chooseAuto(samplePhase('a', { type, config: { skills: ['auto'] } }), known(more)));

  it('goes by language, domain and request, and says which', () => {
    expect(skills({ language: 'python', domain: 'data platform', request: 'Add a login' })).toEqual([
      'data: spec.yaml says so as its domain',
      'python: spec.yaml says language: python',
      'security: the request says "login"',
    ]);
  });

  it("takes the project's own skills by their names", () => {
    expect(skills({ request: 'Export for excel', skills: ['excel', 'security'] })).toEqual([
      'excel: the request says its name',
    ]);
  });

  it('takes none where nothing fits, and few where all do', () => {
    expect(skills({ request: 'Rename it' })).toEqual(['none: none fits language, domain or request']);
    const request = 'security, data, api, frontend, testing, documentation, python';
    expect(skills({ request })).toHaveLength(4);
  });

  it('stays beside what is named', () => {
    const config = { skills: ['own', 'auto', 'python'], template: 'reviewer/code' };
    const phase = samplePhase('a', { config });
    const choices = chooseAuto(phase, known({ language: 'python', request: 'a login' }));
    expect(withChoices(config, choices)).toEqual({ skills: ['own', 'python', 'security'], template: 'reviewer/code' });
  });
});

it('experts: auto goes by request, domain and project', () => {
  const phase = samplePhase('a', { type: 'meeting', config: { experts: ['auto'] } });
  expect(
    shown(chooseAuto(phase, known({ request: 'Add a login', domain: 'Datenbank', detected: ['python'] }))),
  ).toEqual([
    'security: the request says "login"',
    'data: the request says "Datenbank"',
    'python: the project has python',
  ]);
  const [none] = chooseAuto(phase, known());
  expect(none).toEqual({ setting: 'experts', reason: 'neither the request nor the project calls for one' });
  expect(withChoices(phase.config, none === undefined ? [] : [none])).toEqual({ experts: [] });
});

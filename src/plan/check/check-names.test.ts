import { expect, it } from 'vitest';
import { PHASE_TYPES } from '../../domain/plan/plan.ts';
import { loadText, shown } from '../memory-project.fixture.ts';

const phase = (config: string) => `phases: [{ id: a, type: review, config: { ${config} } }]\n`;
const found = async (config: string, files: Record<string, string> = {}) =>
  shown((await loadText(phase(config), files)).findings);

it('a review scope that does not exist is an error with the one that was meant', async () => {
  expect(await found('review_scope: securty')).toEqual([
    '1:57 error: there is no review scope "securty" (did you mean "security"?)',
  ]);
  for (const scope of ['code', 'security', 'architecture', 'documentation'])
    expect(await found(`review_scope: ${scope}`)).toEqual([]);
});

it("a template that does not exist is an error with the one that was meant; the project's own and HELIX's are there", async () => {
  const files = { 'templates/developer/cobol.md': 'You write COBOL.\n', 'templates/deep/er/name.md': 'x' };
  expect(await found('template: developer/pyton', files)).toEqual([
    '1:53 error: there is no template "developer/pyton" (did you mean "developer/python"? Your own: templates/<name>.md)',
  ]);
  expect(await found('template: developer/coboll', files)).toEqual([
    '1:53 error: there is no template "developer/coboll" (did you mean "developer/cobol"? Your own: templates/<name>.md)',
  ]);
  const names = ['developer/cobol', 'deep/er/name', 'developer/python.md', 'reviewer/code', 'review/default', 'auto'];
  for (const name of names) expect(await found(`template: ${name}`, files)).toEqual([]);
});

it.each([
  'brief/phase',
  'parts/kept-code',
  'adr/madr',
  'project-types/feature',
])('what lies in templates/ for something else is no template for a phase: %s', async (name) => {
  expect(await found(`template: ${name}`)).toEqual([expect.stringContaining(`there is no template "${name}"`)]);
});

it.each([
  ...['developer/python', 'developer/python-tests', 'developer/typescript', 'developer/markdown', 'developer/bugfix'],
  ...['reviewer/code', 'reviewer/security', 'reviewer/architecture', 'reviewer/documentation', 'researcher/analysis'],
  ...['documentation/technical', 'documentation/user', 'documentation/research-summary', 'documentation/bugfix-record'],
  ...PHASE_TYPES.map((type) => `${type}/default`),
])('HELIX has the template %s', async (name) => {
  expect(await found(`template: ${name}`)).toEqual([]);
});

it('a skill that nobody wrote is a warning', async () => {
  const files = { 'skills/csv/SKILL.md': 'x', '.claude/skills/excel/SKILL.md': 'y' };
  expect(await found('skills: [csv, excel, auto, exel]', files)).toEqual([
    '1:70 warning: no skill is called "exel": agents are told its name and nothing else (did you mean "excel"? Else describe it in skills/<name>/SKILL.md)',
  ]);
  expect(await found('skills: yaml')).toEqual([
    '1:51 warning: no skill is called "yaml": agents are told its name and nothing else (describe it in skills/<name>/SKILL.md)',
  ]);
});

it('an expert that nobody describes is a warning', async () => {
  const files = { 'config/domain-experts.yaml': 'experts:\n  tax: { name: Tax law }\n', '.claude/agents/ann.md': 'x' };
  expect(await found('experts: [documentation, tax, ann, alchemy]', files)).toEqual([
    '1:78 warning: no expert is known as "alchemy": agents are told the name and nothing else (describe it under experts in config/domain-experts.yaml)',
  ]);
});

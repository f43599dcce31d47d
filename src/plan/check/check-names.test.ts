import { expect, it } from 'vitest';
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

it('a template that is nearly one of the project is an error; any other name says what kind of work it is', async () => {
  const files = { 'templates/developer/python.md': 'You write Python.\n' };
  expect(await found('template: developer/pyton', files)).toEqual([
    '1:53 error: there is no template "developer/pyton" (did you mean "developer/python"?)',
  ]);
  for (const name of ['developer/python', 'developer/python.md', 'reviewer/code', 'auto'])
    expect(await found(`template: ${name}`, files)).toEqual([]);
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

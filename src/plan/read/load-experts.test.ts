import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { chooseExperts } from '../../domain/kinds/choose-experts.ts';
import { DomainExpertsFile } from '../../domain/kinds/experts-file.ts';
import { memoryProject } from '../memory-project.fixture.ts';
import { EXPERTS_PATH, loadExperts } from './load-experts.ts';
import { ProjectFiles } from './project-files.ts';

const SHIPPED = readFileSync(new URL('../../../config/domain-experts.yaml', import.meta.url), 'utf8');
function load(own?: string, files: Readonly<Record<string, string>> = {}) {
  const project = memoryProject({ ...(own !== undefined && { [EXPERTS_PATH]: own }), ...files });
  return loadExperts(project, new ProjectFiles(project), SHIPPED);
}

it('the experts that HELIX ships are sound, and each is described and called for by something', async () => {
  expect(DomainExpertsFile.safeParse(parse(SHIPPED)).error).toBeUndefined();
  const { experts } = await load();
  expect(experts.map(({ id }) => id)).toEqual([
    ...['architecture', 'security', 'data', 'api', 'frontend', 'testing', 'documentation', 'python', 'typescript'],
  ]);
  for (const { id, description, triggers, skills } of experts) {
    expect(description.length, id).toBeGreaterThan(80);
    expect(triggers.length, id).toBeGreaterThan(5);
    expect(skills, id).toEqual([id]);
  }
});

it('a request calls for whom it concerns, in English and in German', async () => {
  const { experts } = await load();
  const called = (request: string, found: string[] = []) => chooseExperts(request, found, experts).map(({ id }) => id);
  expect(called('Add a login with password reset')).toEqual(['security']);
  expect(called('Die Anmeldung soll eine Tabelle exportieren', ['python'])).toEqual(['security', 'data', 'python']);
  expect(called('Rename the social media icon')).toEqual([]);
});

it("the project's own experts go first, and take the place of shipped ones of the same name", async () => {
  const { experts, own } = await load(
    'experts:\n  tax: { name: Tax law, triggers: [VAT] }\n  api: { triggers: [soap] }\n',
  );
  expect(own?.findings.sorted).toEqual([]);
  expect(experts.slice(0, 3).map(({ id }) => id)).toEqual(['tax', 'api', 'architecture']);
  expect(chooseExperts('Compute VAT over SOAP', [], experts).map(({ id }) => id)).toEqual(['tax', 'api']);
});

it('what is wrong with the own file is told with its place, and the rest is used', async () => {
  const { experts, own } = await load('experts:\n  tax: { name: Tax law, trigger: [VAT] }\n');
  expect(own?.findings.sorted).toMatchObject([
    { severity: 'error', location: { file: EXPERTS_PATH, line: 2 }, hint: 'did you mean "triggers"?' },
  ]);
  expect(experts.map(({ id }) => id)).toContain('security');
  expect((await load('experts:\n  "../x": { name: y }\n')).own?.findings.sorted).toHaveLength(1);
  expect((await load('experts: [oops')).own?.findings.sorted.length).toBeGreaterThan(0);
});

it('the roles of .claude/agents can be asked by their names, and only by such as a plan can hold', async () => {
  const { experts } = await load(undefined, {
    '.claude/agents/ann.md': '---\nname: ann\ndescription: "Knows the ledger"\n---\nYou are Ann.\n',
    '.claude/agents/in/api.md': 'mine',
    '.claude/agents/`x` rm.md': 'hostile',
  });
  expect(experts.slice(0, 3)).toMatchObject([
    { id: 'ann', description: 'Knows the ledger', triggers: [] },
    { id: 'api', description: '' },
    { id: 'architecture' },
  ]);
  expect(experts.filter(({ id }) => id === 'api')).toHaveLength(1);
});

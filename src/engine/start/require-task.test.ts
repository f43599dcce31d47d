import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { askedByPlan, isTask, requireTask } from './require-task.ts';

const project = (request?: string) => ({ read: async () => request });
const bare = { ...samplePlan([samplePhase('a')]), project: { name: 'p', type: 'feature' } };
const start = { plan: bare, simulated: false, source: { origin: 'project' } } as const;

it('a run in which nobody has said what is wanted does not start, and is told where to say it', async () => {
  for (const request of [undefined, '', ' \n', '---\n...', '<!-- say it here -->'])
    await expect(requireTask(project(request), start), JSON.stringify(request)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('nobody has said what is wanted'),
      hint: expect.stringContaining('request.md'),
    });
  const template = { ...start, source: { origin: 'template' } } as const;
  await expect(requireTask(project(), template)).rejects.toThrow('there is no phases.yaml here');
});

it('a request, a description of the project or one of a phase says it', async () => {
  expect(await requireTask(project('# Umlauts get lost'), start)).toBeUndefined();
  const described = { ...bare, project: { ...bare.project, description: 'Keep umlauts' } };
  expect(await requireTask(project(), { ...start, plan: described })).toBeUndefined();
  const phase = { ...bare, phases: [samplePhase('a', { description: 'Keep umlauts' })] };
  expect(await requireTask(project(), { ...start, plan: phase })).toBeUndefined();
  const inConfig = { ...bare, phases: [samplePhase('a', { config: { description: 'Keep umlauts' } })] };
  expect(await requireTask(project(), { ...start, plan: inConfig })).toBeUndefined();
});

it('a request that is still a placeholder is refused, also where phases are described: every agent would get it word for word', async () => {
  const described = { ...bare, phases: [samplePhase('a', { description: 'Keep umlauts' })] };
  for (const request of ['# TODO', '<what you want>', 'Beschreibe hier, was du willst.'])
    await expect(requireTask(project(request), { ...start, plan: described })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/^request\.md asks for nothing: it still says "/),
    });
  expect(await requireTask(project('TBD'), { ...start, plan: described, simulated: true })).toBe(
    'request.md asks for nothing: it still says "TBD"; the simulated run goes on',
  );
});

it('a simulated run goes on and says that nothing was asked', async () => {
  expect(await requireTask(project(), { ...start, simulated: true })).toContain('the simulated run goes on');
});

it.each([
  'TODO',
  'tbd',
  '…',
  '<!-- write here -->',
  '[your request]',
  'Describe what you want here.',
  'Your request',
  'Lorem ipsum dolor sit amet',
  '- {task}',
  'Beschreibe hier deine Aufgabe.',
  'Deine Anfrage',
  'Schreib bitte, was du möchtest',
])('%j is a placeholder', (text) => expect(isTask(text)).toBe(false));

it.each([
  'Fix TODO comments in src/',
  'describe the export in the README, what you want users to know and how they find it',
  '<b> is not escaped in names',
  'Umlaute gehen verloren',
  'Beschreibe in der Anleitung, wie man ein Projekt anlegt und was die Felder der Maske bedeuten',
  'CI',
])('%j is a task', (text) => expect(isTask(text)).toBe(true));

it("a plan asks in the user's name what its project says or, without that, what its phases say, where there is no request", async () => {
  const phases = [
    samplePhase('a', { description: 'Keep umlauts' }),
    samplePhase('b', { config: { description: 'Test it' } }),
  ];
  const plan = { ...bare, phases };
  const about = { ...plan, project: { ...bare.project, description: ' All about umlauts\n' } };
  expect(await askedByPlan(about, project('Mend it'))).toEqual([]);
  expect(await askedByPlan(about, project('TODO'))).toEqual(['All about umlauts']);
  expect(await askedByPlan(plan, project())).toEqual(['Keep umlauts', 'Test it']);
  const [one, other] = await Promise.all(
    ['x', 'y'].map((end) =>
      askedByPlan({ ...bare, project: { ...bare.project, description: 'long '.repeat(1000) + end } }, project()),
    ),
  );
  expect(one?.[0]?.length).toBeLessThan(2200);
  expect(one).not.toEqual(other);
});

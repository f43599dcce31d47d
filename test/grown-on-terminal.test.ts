import { afterAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { HELIX } from './helix-process.ts';
import { CONTROL, onTerminal } from './on-terminal.ts';
import { RobustProject } from './robust-project.ts';

const BUILD = { id: 'build', type: 'development', output: ['a.txt'] };
const PLAN = { id: 'plan', type: 'planning', output: ['output/phases.yaml'] };
const GROWN = stringify({ phases: [BUILD, { id: 'words', type: 'documentation', output: ['b.md'] }] });
const SCRIPT = {
  plan: [
    { writes: { 'output/phases.yaml': GROWN } },
    { writes: { 'output/phases.yaml': stringify({ phases: [BUILD] }) } },
  ],
  build: [{ writes: { 'a.txt': 'a' } }],
  words: [{ writes: { 'b.md': '# b\n' } }],
};
const CHOICE = 'A/B/C/D, empty leaves it open: ';

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

function made(): RobustProject {
  const project = new RobustProject({ phases: [PLAN, BUILD], script: SCRIPT });
  projects.push(project);
  return project;
}

const words = (shown: string) => shown.replaceAll(CONTROL, '').replaceAll(/(?:\s|>)+/g, ' ');

it('on a terminal a plan that grows is shown before it is worked on, with what phases like these took', async () => {
  const project = made();
  const first = onTerminal(project, `${HELIX} run`);
  await first.shows(CHOICE);
  expect(words(first.shown())).toContain('plan wrote a plan');
  expect(words(first.shown())).toMatch(/"build" \("development"\), gates: "files_exist" "words" \("documentation"\)/);
  expect(words(first.shown())).toMatch(/expect +no data: no phase like these has ended here/);
  expect((await project.journaled()).state.phases.get('build')?.current).toBeUndefined();
  first.type('a\n');
  await first.shows('comment (may be empty): ');
  first.type('\n');
  expect((await first.end).code).toBe(0);
  const second = onTerminal(project, `${HELIX} run`);
  await second.shows(CHOICE);
  expect(words(second.shown())).toMatch(/expect +0\.00 USD, .* \(from 1 run here\)/);
  second.type('c\n');
  await second.shows('guidance (may be empty): ');
  second.type('no words, please\n');
  const { code } = await second.end;
  expect(code).toBe(0);
  const { state } = await project.journaled();
  expect(state.phases.get('plan')?.history.guidance).toEqual(['no words, please']);
  expect([...state.phases.values()].map(({ id, status }) => `${id} ${status}`)).toEqual([
    'plan passed',
    'build passed',
  ]);
});

it('--yes skips that, and so does a run that nobody sits at', async () => {
  const project = made();
  const terminal = onTerminal(project, `${HELIX} run --yes`);
  const { code, shown } = await terminal.end;
  expect({ code, asks: shown.includes(CHOICE) }).toEqual({ code: 0, asks: false });
  const alone = await project.helix(['run', '--no-wait']);
  expect(alone.code).toBe(0);
  expect((await project.journaled()).state.phases.get('words')?.status).toBe('passed');
});

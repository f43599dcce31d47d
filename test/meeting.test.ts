import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { openRequests } from '../src/domain/facts/run-state.ts';
import type { Agent } from '../src/ports/agent.ts';
import { HELIX } from './helix-process.ts';
import { CONTROL, onTerminal } from './on-terminal.ts';
import { RobustProject } from './robust-project.ts';
import { Stage } from './run-scenario.ts';
import { ToldProject } from './words/told-project.ts';

const MEETING = {
  id: 'agree',
  type: 'meeting',
  description: 'Agree on the length of names',
  config: { experts: ['data', 'law'] },
  output: ['output/spec.yaml'],
};
const WRITES = { agree: [{ writes: { 'output/spec.yaml': 'goal: names\n' } }] };
const says = (...matters: string[]) => ({ answer: { matters, risks: [], disagreements: [], questions: [] } });
const question = (text: string) => ({
  ...{ topic: 'length', question: text },
  options: [{ answer: '20', recommended: true, reason: 'the column' }, { answer: '90' }],
});
const asks = (...questions: string[]) => ({
  answer: { coverage: [{ topic: 'length', state: 'missing' }], questions: questions.map(question) },
});
const typesOf = (events: readonly RunEvent[], type: RunEvent['type']) => events.filter((event) => event.type === type);

const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

type Perform = Agent['perform'];

/** Plays a meeting with these experts, whose agents are in other hands. */
async function playedWith(
  experts: string[],
  perform: (...args: [...Parameters<Perform>, real: Perform]) => ReturnType<Perform>,
) {
  const stage = new Stage('meeting');
  const phases = [{ ...MEETING, config: { experts } }];
  writeFileSync(
    `${stage.dir}/phases.yaml`,
    JSON.stringify({ project: { name: 'played' }, workspace: 'phase-dirs', phases }),
  );
  writeFileSync(`${stage.dir}/scripted.yaml`, JSON.stringify({ phases: WRITES, roles: { expert: [says('x')] } }));
  const world = stage.world();
  const agent = async (...settings: Parameters<typeof world.agent>): Promise<Agent> => {
    const real = await world.agent(...settings);
    const own: Perform = (task) => perform(task, (same) => real.perform(same));
    return new Proxy(real, { get: (target, key) => (key === 'perform' ? own : Reflect.get(target, key, target)) });
  };
  const state = await stage.start({ ...world, agent });
  world.close();
  stage.dispose();
  return state;
}

describe('experts', () => {
  it('are heard side by side: the first is answered only when the last is asked', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'];
    let waiting = 0;
    let open: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const state = await playedWith(many, async (task, real) => {
      if (task.role === 'consultant' && task.subject.type === 'expert') {
        waiting += 1;
        if (waiting === many.length) open();
        await all;
      }
      return real(task);
    });
    expect(state.ended?.status).toBe('passed');
    expect(state.phases.get('agree')?.history.meeting?.heard).toHaveLength(many.length);
  });

  it('who answer with a megabyte are refused, and nothing of it is kept but how long it was', async () => {
    const matters = Array.from({ length: 600 }, () => 'x'.repeat(2000));
    const answer = { matters, risks: [], disagreements: [], questions: [] };
    const state = await playedWith(['a'], async (task, real) => {
      if (task.role !== 'consultant' || task.subject.type !== 'expert') return real(task);
      return { kind: 'done', answer, cost: { usd: 0, basis: 'simulated' } };
    });
    expect(state.ended?.status).toBe('passed');
    const { missed, leftOut } = state.phases.get('agree')?.history.meeting ?? {};
    expect(missed?.a).toEqual({ times: 3, why: 'the answer is larger than 256 KB' });
    expect(leftOut).toHaveLength(1);
  });

  it('who contradict each other stand side by side in the brief, and their agent decides', async () => {
    const roles = { expert: [says('20 at most'), says('90 at least')] };
    const project = new ToldProject({ phases: [MEETING], script: WRITES, roles });
    expect((await project.start()).ended?.status).toBe('passed');
    expect(project.brief('agree', 1)).toMatch(/where they disagree, decide[\s\S]*20 at most[\s\S]*90 at least/);
  });

  it.each([
    ['more than anybody reads', says(...Array.from({ length: 50 }, () => 'x'.repeat(1000)))],
    ['prose', { answer: 'I think it is fine.' }],
    ['nothing', { answer: null }],
    ['a crash', { result: 'crash' }],
  ])('who answer with %s are asked again and then left out, and everybody is told so', async (_what, move) => {
    const roles = { expert: [move, says('law'), move, says('unused'), move] };
    const project = new ToldProject({ phases: [MEETING], script: WRITES, roles });
    const { ended, phases } = await project.start();
    expect(ended?.status).toBe('passed');
    const { heard = [], leftOut = [] } = phases.get('agree')?.history.meeting ?? {};
    expect([heard.map((each) => each.expert), leftOut.map((each) => each.expert)]).toEqual([['law'], ['data']]);
    expect(project.brief('agree', 1)).toContain('`Data` was to be heard, but could not be');
  });
});

describe('questions', () => {
  it('beyond the limit are refused twice, and then a human decides; nothing was asked of anybody', async () => {
    const many = asks('1?', '2?', '3?', '4?', '5?', '6?');
    const project = new ToldProject({
      phases: [MEETING],
      script: WRITES,
      roles: { expert: [says('x')], questions: [many] },
    });
    const state = await project.start();
    expect(openRequests(state)).toMatchObject([{ reason: 'blocked', phase: 'agree' }]);
    expect(openRequests(state)[0]?.question).toContain('there are 6 questions; at most 5 may be asked');
    expect(state.phases.get('agree')?.current).toBeUndefined();
  });

  it('in another language are asked as they stand', async () => {
    const roles = { expert: [says('x')], questions: [asks('Wie lang darf ein Name sein — 名前?')] };
    const project = new ToldProject({ phases: [MEETING], script: WRITES, roles });
    expect(openRequests(await project.start())[0]?.question).toBe('Wie lang darf ein Name sein — 名前?');
  });

  it.each([
    ['none at all', null],
    ['of a text without end', { coverage: [{ topic: 'x'.repeat(100_000), state: 'clear' }], questions: [] }],
    ['prose', 'What do you want?'],
  ])('that are %s cannot be used, and the refused answer is kept', async (_what, answer) => {
    const roles = { expert: [says('x')], questions: [{ answer }, asks()] };
    const project = new ToldProject({ phases: [MEETING], script: WRITES, roles });
    const state = await project.start();
    expect(state.ended?.status).toBe('passed');
    expect(project.sent.filter(({ about }) => about === 'questions').at(-1)?.brief).toContain('could not be used');
  });

  it('need words where an answer is to be in words of one’s own, and at most so many', async () => {
    const roles = { expert: [says('x')], questions: [asks('How long?')] };
    const project = new ToldProject({ phases: [MEETING], script: WRITES, roles });
    await project.start();
    await expect(project.decide({ option: 'C' })).rejects.toThrow('is an answer in your own words, and there are none');
    await expect(project.decide({ option: 'C', comment: 'x'.repeat(1 << 20) })).rejects.toThrow('longer than');
    const { ended, specChanges } = await project.decide({ option: 'c', comment: 'as long as\nthe label' });
    expect(ended?.status).toBe('passed');
    expect(specChanges).toEqual([{ path: 'answers', by: 'human', adds: ['How long? as long as the label'] }]);
  });

  it('nobody attends are assumed where the plan says so, marked, and not told as what a human decided', async () => {
    const roles = { expert: [says('x')], questions: [asks('How long?')] };
    const plan = { unattended: 'assume' };
    const project = new ToldProject({ phases: [MEETING], plan, script: WRITES, roles });
    const state = await project.start();
    expect(state.ended?.status).toBe('passed');
    expect(state.requests.size).toBe(0);
    expect(state.specChanges).toEqual([{ path: 'assumptions', by: 'helix', adds: ['[ASSUMED] How long? 20'] }]);
    const brief = project.brief('agree', 1);
    expect(brief).toMatch(/## What is assumed[\s\S]*No human decided it[\s\S]*How long\?\n {2}20/);
    expect(brief).not.toContain('## What a human decided');
  });

  it('are asked all the same where somebody attends', async () => {
    const stage = new Stage('meeting-unattended');
    const world = stage.world();
    const { run } = await stage.start(world, { attended: true });
    expect(openRequests(await stage.read(world, run))).toMatchObject([{ reason: 'question' }]);
    expect(typesOf(await stage.events(world, run), 'answer_assumed')).toEqual([]);
    world.close();
    stage.dispose();
  });
});

it('a meeting without experts and questions, and one of an agent that cannot answer in a form, is one attempt', async () => {
  const plain = { id: 'talk', type: 'meeting', output: ['output/spec.yaml'] };
  const writing = { driver: 'command', command: ['sh', '-c', 'mkdir -p output; echo "goal: x" > output/spec.yaml'] };
  const able = { ...MEETING, agent: 'writer' };
  const settings = { agents: { default: { driver: 'scripted' }, writer: writing } };
  const project = new ToldProject({ phases: [plain, able], script: {}, settings });
  const { ended } = await project.start();
  expect(ended?.status).toBe('passed');
  expect(project.sent.map(({ role, about }) => `${role} ${about}`)).toEqual(['creator talk', 'creator agree']);
});

it('on a terminal the questions are asked one after the other, and words of one’s own are an answer', async () => {
  const roles = { expert: [says('x')], questions: [asks('How long?', 'How short?')] };
  const script = JSON.stringify({ phases: WRITES, roles });
  const project = new RobustProject({ phases: [MEETING] });
  projects.push(project);
  project.write('scripted.yaml', script);
  const terminal = onTerminal(project, `${HELIX} run`);
  await terminal.shows('agree asks 1 of 2');
  await terminal.shows('A/B/C or your own words');
  terminal.type('a\n');
  await terminal.shows('agree asks 2 of 2');
  await terminal.shows('A/B/C or your own words');
  terminal.type('as short as you like\n');
  const { code, shown } = await terminal.end;
  expect(shown.replaceAll(CONTROL, '')).toContain('Not to be found there: length');
  expect(code).toBe(0);
  const { state } = await project.journaled();
  expect(state.phases.get('agree')?.history.meeting?.answers).toEqual([
    { question: 0, answer: '20', by: 'human' },
    { question: 1, words: 'as short as you like', by: 'human' },
  ]);
});

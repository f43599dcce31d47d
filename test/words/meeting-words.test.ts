import { beforeAll, describe, expect, it } from 'vitest';
import { BriefDocument } from '../../src/domain/documents/documents.ts';
import { helix } from '../helix-process.ts';
import type { Sent } from './listening.ts';
import { ToldProject } from './told-project.ts';

/** Every fact that a meeting is held with has a rare word. */
const PLAN = [
  { id: 'before', type: 'planning', name: 'Quokka before', output: ['spec.yaml', 'OCELOT-INPUT.txt'] },
  {
    id: 'agree',
    type: 'meeting',
    description: 'Agree on TAPIR-TASK',
    requires_approval: true,
    config: { experts: ['law', 'sea'], max_iterations: 2 },
    output: ['output/spec.yaml', 'output/notes.md'],
    quality_gate: { type: 'files_exist', files: ['output/HERON-RULE.md'] },
  },
  { id: 'build', type: 'development', name: 'Gecko after', output: ['x.txt'] },
];
const EXPERTS = {
  law: { name: 'Law of BISON', description: 'DINGO-DESCRIPTION', skills: ['contracts'] },
  sea: { name: 'Sea' },
};
const FILES = {
  'request.md': 'Make the ZEBRA-REQUEST\n',
  'config/domain-experts.yaml': JSON.stringify({ experts: EXPERTS }),
  'skills/contracts/SKILL.md': '---\nname: contracts\ndescription: how to\n---\n\nFollow IBEX-SKILL.\n',
  'AGENTS.md': 'Write LLAMA-CONVENTION.\n',
};
const SCRIPT = {
  before: [{ writes: { 'spec.yaml': 'goal: MOOSE-SPEC\n', 'OCELOT-INPUT.txt': 'x\n' } }],
  agree: [
    {
      writes: {
        'output/spec.yaml': 'goal: A newt for the NEWT-GOAL\nacceptance_criteria: [It is there]\n',
        'output/notes.md': 'I chose it because of VIPER-REASONING\n',
        'output/HERON-RULE.md': 'x\n',
      },
      prints: 'VIPER-SAID',
    },
  ],
};
const expert = (matters: string, disagreements: string) => ({
  answer: { matters: [matters], risks: [], disagreements: [disagreements], questions: [] },
});
const ROLES = {
  expert: [expert('FINCH-LAW', 'not as SEA says'), expert('RAVEN-SEA', 'not as LAW says')],
  questions: [
    {
      answer: {
        coverage: [{ topic: 'who', state: 'missing', found: 'looked at EGRET-PLACE' }],
        questions: [
          {
            topic: 'who',
            question: 'Who is the STORK-QUESTION for?',
            options: [{ answer: 'CRANE-ANSWER', recommended: true, reason: 'WREN-REASON' }, { answer: 'nobody' }],
          },
        ],
      },
    },
  ],
};

describe('in a meeting', () => {
  let asked: { law: Sent; sea: Sent; questions: Sent; criteria: Sent };
  let creator = '';
  let follower = '';
  beforeAll(async () => {
    const settings = { language: 'fr', budget: { usd: 7.77 } };
    const project = new ToldProject({ phases: PLAN, script: SCRIPT, roles: ROLES, files: FILES, settings });
    await project.start();
    await project.decide({ option: 'A', comment: 'mind the MACAW-WORDS' });
    const { ended } = await project.decide({ option: 'A', comment: 'for the EAGLE-WORDS' });
    expect(ended).toMatchObject({ status: 'passed' });
    const of = (about: string, index = 0): Sent => {
      const sent = project.sent.filter((each) => each.role === 'consultant' && each.about === about)[index];
      if (sent === undefined) throw new Error(`nobody was asked about ${about}`);
      return sent;
    };
    const [law, sea] = [of('expert'), of('expert', 1)].sort((a) => (a.brief.includes('BISON') ? -1 : 1));
    if (law === undefined || sea === undefined) throw new Error('there are not two experts');
    asked = { law, sea, questions: of('questions'), criteria: of('criteria') };
    creator = project.brief('agree', 1);
    follower = project.brief('build', 1);
  });

  const EVERYBODY = {
    request: 'ZEBRA-REQUEST',
    specification: /MOOSE-SPEC|NEWT-GOAL/,
    task: 'TAPIR-TASK',
    'what came before': 'Quokka before',
    'what comes after': 'Gecko after',
    inputs: 'OCELOT-INPUT',
    rules: 'HERON-RULE',
    'names of conventions': 'AGENTS.md',
    'human words': 'MACAW-WORDS',
    money: '7.77 USD',
    language: '`fr`',
  };

  it.each(Object.entries(EVERYBODY))('everybody who is heard is told: %s', (_fact, word) => {
    for (const [who, { brief }] of Object.entries(asked)) expect(`${who}: ${brief}`).toMatch(word);
  });

  it('an expert is told who it is, with its skills, and nothing of what another one thinks', () => {
    expect(asked.law.brief).toMatch(/Law of BISON[\s\S]*DINGO-DESCRIPTION[\s\S]*IBEX-SKILL/);
    expect(asked.sea.brief).not.toMatch(/DINGO|IBEX|FINCH|RAVEN/);
    expect(asked.law.brief).not.toMatch(/FINCH|RAVEN/);
  });

  it('the consultant has the words of all of them, as opinions, side by side', () => {
    expect(asked.questions.brief).toMatch(
      /opinions, not facts[\s\S]*Law of BISON[\s\S]*FINCH-LAW[\s\S]*not as SEA says[\s\S]*Sea[\s\S]*RAVEN-SEA[\s\S]*not as LAW says/,
    );
  });

  it('whoever says by what the work is judged knows request, answers and specification, and not a word of its author', () => {
    const { brief, files, instructions } = asked.criteria;
    expect(brief).toMatch(/NEWT-GOAL/);
    expect(brief).toMatch(/STORK-QUESTION for\? CRANE-ANSWER — for the EAGLE-WORDS/);
    // What scripted agents say lies in the project, as no agent's words do.
    const read = Object.entries(files).filter(([path]) => !path.endsWith('scripted.yaml'));
    const all = [brief, instructions, ...read.flat()].join('\n');
    expect(all).not.toMatch(/VIPER|FINCH|RAVEN|WREN/);
  });

  it('whoever writes it down has the opinions, what was found, and the answers as what a human decided', () => {
    const decided = creator.slice(
      creator.indexOf('## What a human decided'),
      creator.indexOf('## What the experts said'),
    );
    expect(decided).toContain('Asked: Who is the STORK-QUESTION for?\nAnswered: CRANE-ANSWER — for the EAGLE-WORDS');
    expect(creator).toMatch(/FINCH-LAW[\s\S]*RAVEN-SEA[\s\S]*EGRET-PLACE/);
    expect(creator.match(/STORK-QUESTION/g)).toHaveLength(1);
  });

  it('those who build on it have the answers in the specification, and no opinions', () => {
    expect(follower).toContain('STORK-QUESTION for? CRANE-ANSWER — for the EAGLE-WORDS');
    expect(follower).not.toMatch(/FINCH|RAVEN|VIPER/);
  });
});

const ALONE = {
  ...{ id: 'agree', type: 'meeting', description: 'Agree on TAPIR-TASK' },
  output: ['output/spec.yaml', 'output/notes.md'],
};
const WRITES = {
  'output/spec.yaml': 'goal: names\nacceptance_criteria: [It has 20 letters]\n',
  'output/notes.md': 'x\n',
};

describe('whoever is heard', () => {
  it('is sent what helix brief shows word for word, but for the place of the copy', async () => {
    const phases = [{ ...ALONE, config: { experts: ['law'] } }];
    const project = new ToldProject({ phases, script: { agree: [{ writes: WRITES }] }, files: FILES });
    const { stdout } = await helix(['brief', 'agree', '--role', 'expert', '--json'], { cwd: project.dir });
    const shown = BriefDocument.parse(JSON.parse(stdout)).briefs[0];
    await project.start();
    const sent = project.sent.find(({ about }) => about === 'expert');
    const dir = /below `([^`]+)`; read there/.exec(sent?.brief ?? '')?.[1] ?? '';
    expect(sent?.brief.replaceAll(dir, '<a read-only copy of the work>')).toBe(shown?.brief);
    expect(sent?.instructions).toBe(shown?.instructions);
    expect(shown?.parts).toContainEqual({ part: 'expert law', from: 'the plan names it' });
    expect(shown?.parts).toContainEqual({ part: 'request', from: 'request.md, as it was when the run began' });
  });

  it('is told what gates found wrong since, where it is asked again', async () => {
    const phases = [{ ...ALONE, config: { max_iterations: 1 } }];
    const script = { agree: [{ writes: { 'output/spec.yaml': 'goal: names\n' } }, { writes: WRITES }] };
    const project = new ToldProject({ phases, script });
    await project.start();
    const [first, second] = project.sent.filter(({ about }) => about === 'criteria');
    expect(first?.brief).not.toContain('output/notes.md is missing');
    expect(second?.brief).toContain('output/notes.md is missing');
  });

  it('is who the request and the project need: auto calls for those that the project needs, with the reason', async () => {
    const phases = [{ ...ALONE, config: { experts: ['auto'] } }];
    const files = { 'request.md': 'Names are too long\n', 'pyproject.toml': '[project]\nname = "x"\n' };
    const project = new ToldProject({ phases, script: { agree: [{ writes: WRITES }] }, files });
    const plan = await helix(['plan'], { cwd: project.dir });
    expect(plan.stdout).toContain('experts auto: python (the project has python)');
    const { phases: now } = await project.start();
    expect(now.get('agree')?.history.meeting?.experts).toMatchObject([
      { id: 'python', because: 'the project has python' },
    ]);
  });
});

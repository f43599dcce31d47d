import { describe, expect, it } from 'vitest';
import { section, ToldProject } from './told-project.ts';

const GATE = { type: 'files_exist', max_retries: 1, files: ['a.txt'] };
const BAD = { writes: { 'b.txt': 'b' } };
const GOOD = { writes: { 'a.txt': 'a' } };
const ALONE = { 'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n' };
const DECIDED = 'What a human decided';
const HINTS = 'Hints';
const BACK = 'Why the work came back';
const SPEC = 'specification';

const ANALYSIS = { failure_summary: 'it fails', root_cause: 'LYNX-CAUSE', attempts_analyzed: 1 };
const REVERT = {
  analysis: ANALYSIS,
  decision: {
    action: 'revert',
    plan_revert: { enabled: true, revert_to_task: 'one', reasoning: 'OKAPI-REASON' },
    additional_hints: ['IBEX-HINT'],
  },
};

type Parts = ConstructorParameters<typeof ToldProject>[0];

/** Three phases in a row; the last one fails its gate until its script says otherwise. */
function three(more: Partial<Parts> = {}, third: readonly unknown[] = [BAD, GOOD]): ToldProject {
  return new ToldProject({
    phases: [
      { id: 'one', type: 'planning', output: ['one.txt'] },
      { id: 'two', type: 'development', output: ['two.txt'] },
      { id: 'three', type: 'development', quality_gate: GATE },
    ],
    script: { one: [{ writes: { 'one.txt': '1' } }], two: [{ writes: { 'two.txt': '2' } }], three: third },
    ...more,
  });
}

const INSULT = { file: 'input/output/letter.md', line: 1, quote: 'you fool.' };
const REJECTS = {
  checks: [{ id: 'kind', outcome: 'fail', evidence: [INSULT] }],
  findings: [
    { severity: 'error', check: 'kind', message: 'QUOLL-FINDING in input/output/letter.md', evidence: INSULT },
  ],
  recommendations: [],
  result: 'rejected',
  confidence: 0.9,
};
const THANKS = { file: 'input/output/letter.md', line: 1, quote: 'thank you.' };
const APPROVES = {
  checks: [{ id: 'kind', outcome: 'pass', evidence: [THANKS] }],
  findings: [],
  recommendations: [],
  result: 'approved',
  confidence: 0.9,
};

/** A letter, its translation, and a judge who rejects it once. */
function letter(action: string): ToldProject {
  return new ToldProject({
    phases: [
      { id: 'write', type: 'documentation', output: ['output/letter.md'] },
      { id: 'translate', type: 'documentation', output: ['output/brief.md'] },
      {
        ...{ id: 'approve', type: 'approval', approval_type: 'tone', depends_on: ['write', 'translate'] },
        ...{ input: ['output/letter.md'], on_rejection: { action, target_phase: 'write' } },
      },
    ],
    script: {
      write: [{ writes: { 'output/letter.md': 'you fool.\n' } }, { writes: { 'output/letter.md': 'thank you.\n' } }],
      translate: [{ writes: { 'output/brief.md': 'b' } }],
    },
    approvals: { tone: [{ answer: REJECTS }, { answer: APPROVES }] },
    files: {
      'approvals/tone/CLAUDE.md': '# Tone\n\nIs it kind?\n',
      'approvals/tone/checks/kind.md': '# Kind\n\nNo insult.\n',
    },
  });
}

describe('why the work came back', () => {
  it('is told by a consultant to the phase it goes back to and to those redone after it, with the findings', async () => {
    const project = three({ roles: { consultant: [{ answer: REVERT }] } });
    expect((await project.start()).ended?.status).toBe('passed');
    for (const phase of ['one', 'two', 'three']) {
      const why = section(project.brief(phase, 2), BACK);
      for (const word of ['OKAPI-REASON', 'LYNX-CAUSE', 'a.txt is missing', 'consultant'])
        expect(why, phase).toContain(word);
      expect(section(project.brief(phase, 2), DECIDED), phase).toBe('');
    }
    expect(section(project.brief('three', 2), HINTS)).toContain('IBEX-HINT');
  });

  it('is told by a human who goes back: as a decision to the phase it is for, as the reason to the others', async () => {
    const project = three({ files: ALONE });
    await project.start();
    await project.decide({ option: await project.option('revert'), phase: 'one', comment: 'ZEBRA-BACK' });
    const target = project.brief('one', 2);
    expect(section(target, DECIDED)).toContain('ZEBRA-BACK');
    expect(target.split('ZEBRA-BACK')).toHaveLength(2);
    expect(section(target, BACK)).toContain('a.txt is missing');
    expect(section(target, HINTS)).toBe('');
    for (const phase of ['two', 'three']) {
      const brief = project.brief(phase, 2);
      expect(section(brief, BACK), phase).toContain('ZEBRA-BACK');
      expect(section(brief, BACK), phase).toContain('a.txt is missing');
      expect(section(brief, DECIDED) + section(brief, HINTS), phase).toBe('');
    }
  });

  it('reaches all that is redone after a rejected approval', async () => {
    const project = letter('retry_phase');
    expect((await project.start()).ended?.status).toBe('passed');
    const author = project.brief('write', 2);
    expect(section(author, 'What was wrong last time')).toContain('QUOLL-FINDING in output/letter.md');
    expect(section(author, BACK)).toContain('Judged by approve (approval).\nThe approval was not given');
    expect(section(author, BACK)).not.toContain('A human');
    // Once, and by the path that the author knows.
    expect(author.split('QUOLL-FINDING')).toHaveLength(2);
    expect(author).not.toContain('input/output');
    expect(section(project.brief('translate', 2), BACK)).toContain('QUOLL-FINDING');
  });
});

describe('a direction', () => {
  const ADVICE = {
    analysis: ANALYSIS,
    decision: { action: 'ask_human' },
    options: [{ description: 'Start again', effort: 'low', revert_to_task: 'one', guidance: 'TAPIR-GUIDANCE' }],
  };

  it('that an option carries goes to the phase it goes back to, and to no other', async () => {
    const project = three({ roles: { consultant: [{ answer: ADVICE }] } });
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-COMMENT' });
    for (const word of ['TAPIR-GUIDANCE', 'ZEBRA-COMMENT']) {
      expect(section(project.brief('one', 2), DECIDED)).toContain(word);
      for (const phase of ['two', 'three'])
        expect(section(project.brief(phase, 2), DECIDED), phase).not.toContain(word);
    }
  });

  it("that goes back on a consultant's advice brings along what the consultant takes for the cause", async () => {
    const project = three({ roles: { consultant: [{ answer: ADVICE }] } });
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-COMMENT' });
    for (const phase of ['one', 'two', 'three'])
      expect(section(project.brief(phase, 2), BACK), phase).toContain(ANALYSIS.root_cause);
  });

  it('on an approval goes to the phase whose work is sent back', async () => {
    const project = letter('escalate');
    await project.start();
    expect((await project.decide({ option: 'A', comment: 'ZEBRA-KIND' })).ended?.status).toBe('passed');
    expect(section(project.brief('write', 2), DECIDED)).toContain('ZEBRA-KIND');
    expect(section(project.brief('write', 2), BACK)).toContain(
      'A human was asked about that, and sends the work back.',
    );
    expect(section(project.brief('write', 2), 'What was wrong last time')).toContain('QUOLL-FINDING');
    expect(project.brief('translate', 2)).not.toContain('ZEBRA-KIND');
  });

  it('arrives whole, however long it is', async () => {
    const project = three({ files: ALONE });
    await project.start();
    await project.decide({ option: 'A', comment: `ZEBRA-FIRST ${'word '.repeat(3500)} ZEBRA-LAST` });
    for (const word of ['ZEBRA-FIRST', 'ZEBRA-LAST'])
      expect(section(project.brief('three', 2), DECIDED)).toContain(word);
  });

  it('before a phase starts goes to that phase', async () => {
    const project = new ToldProject({
      phases: [{ id: 'one', type: 'development', output: ['one.txt'], requires_approval: true }],
      script: { one: [{ writes: { 'one.txt': '1' } }] },
    });
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-START' });
    expect(section(project.brief('one', 1), DECIDED)).toContain('ZEBRA-START');
  });

  it('stays through further attempts, a resumed run, a revert and an edited plan', async () => {
    const project = three({ files: ALONE }, [BAD, BAD, BAD, BAD, GOOD]);
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-ONE' });
    expect(section(project.brief('three', 2), DECIDED)).toContain('ZEBRA-ONE');
    await project.decide({ option: 'A', comment: 'ZEBRA-TWO' });
    for (const word of ['ZEBRA-ONE', 'ZEBRA-TWO']) expect(section(project.brief('three', 3), DECIDED)).toContain(word);
    await project.decide({ option: await project.option('revert'), phase: 'two', comment: 'ZEBRA-THREE' });
    for (const word of ['ZEBRA-ONE', 'ZEBRA-TWO']) expect(section(project.brief('three', 4), DECIDED)).toContain(word);
    const plan = JSON.parse(project.own('phases.yaml'));
    plan.phases[2].description = 'Another description';
    project.write('phases.yaml', JSON.stringify(plan));
    expect((await project.replan()).ended?.status).toBe('passed');
    for (const word of ['ZEBRA-ONE', 'ZEBRA-TWO']) expect(section(project.brief('three', 1), DECIDED)).toContain(word);
  });

  it('stays after a merge with conflicts', async () => {
    const project = new ToldProject({
      plan: { workspace: 'repo' },
      phases: [
        {
          id: 'left',
          type: 'development',
          depends_on: [],
          quality_gate: { ...GATE, files: ['left.txt'], max_retries: 2 },
        },
        { id: 'right', type: 'development', depends_on: [] },
      ],
      script: {
        left: [
          ...[{ writes: { 'b.txt': 'b' } }, { writes: { 'b.txt': 'c' } }],
          { writes: { 'a.txt': 'left\n', 'left.txt': 'l' } },
          { writes: { 'a.txt': 'both\n' } },
        ],
        right: [{ writes: { 'a.txt': 'right\n' } }],
      },
      files: { ...ALONE, 'repository/a.txt': 'first\n' },
    });
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-MERGE' });
    expect(project.brief('left', 4)).toContain('conflict');
    expect(section(project.brief('left', 4), DECIDED)).toContain('ZEBRA-MERGE');
  });

  it('of nobody is none: after a deadline there is no decision of a human', async () => {
    const project = three({
      files: {
        'config/escalation.yaml': JSON.stringify({
          escalation: {
            levels: { stufe_1: { max_attempts: 0 }, stufe_2: { wait_timeout_hours: 0.00001, on_timeout: 'retry' } },
          },
        }),
      },
    });
    await project.start();
    for (let state = await project.state(); state.ended === undefined; state = await project.state())
      await project.resume();
    expect(section(project.brief('three', 2), DECIDED)).toBe('');
    const dir = 'phases/three/escalation/stufe-2';
    expect(project.has(`${dir}/user-decision.json`)).toBe(false);
    expect(JSON.parse(project.file(`${dir}/resolution.json`))).toMatchObject({
      actor: 'no_answer',
      decision: { action: 'retry' },
    });
  });
});

describe('the specification', () => {
  const UPDATES = {
    analysis: ANALYSIS,
    decision: {
      action: 'retry_with_changes',
      spec_updates: { 'implementation.acceptance_criteria': ['HERON-CRITERION'] },
    },
  };
  const AFTER = { id: 'four', type: 'documentation', output: ['four.txt'] };
  const phases = (more: readonly Record<string, unknown>[] = [AFTER]) => [
    { id: 'one', type: 'planning', output: ['spec.yaml'] },
    { id: 'two', type: 'development', quality_gate: GATE },
    ...more,
  ];
  const spec = 'acceptance_criteria:\n  - FINCH-OLD\npriority: P1\n';
  const script = { one: [{ writes: { 'spec.yaml': spec } }], two: [BAD, GOOD] };

  it('as a consultant completed it reaches every later phase', async () => {
    const project = new ToldProject({ phases: phases(), script, roles: { consultant: [{ answer: UPDATES }] } });
    expect((await project.start()).ended?.status).toBe('passed');
    for (const [phase, attempt] of [
      ['two', 2],
      ['four', 1],
    ] as const)
      expect(section(project.brief(phase, attempt), SPEC), phase).toContain('HERON-CRITERION');
  });

  it('as a human overrode it reaches every later phase, and the priority the phase it is for', async () => {
    const project = new ToldProject({ phases: phases(), script, files: ALONE });
    await project.start();
    await project.decide({ option: 'A', spec: { priority: 'EGRET-P2' }, priority: 'CRANE-LATER' });
    for (const [phase, attempt] of [
      ['two', 2],
      ['four', 1],
    ] as const)
      expect(section(project.brief(phase, attempt), SPEC), phase).toContain('EGRET-P2');
    expect(section(project.brief('two', 2), 'What a human decided')).toContain('CRANE-LATER');
    expect(project.brief('four', 1)).not.toContain('CRANE-LATER');
  });
});

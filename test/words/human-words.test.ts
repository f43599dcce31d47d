import { describe, expect, it } from 'vitest';
import { noticeOf } from '../../src/engine/ladder/notice.ts';
import { HELIX, startHelix } from '../helix-process.ts';
import { onTerminal } from '../on-terminal.ts';
import { RobustProject } from '../robust-project.ts';
import { section, ToldProject } from './told-project.ts';

const GATE = { type: 'files_exist', max_retries: 2, files: ['a.txt'] };
const CAUSE = { failure_summary: 'it fails', root_cause: 'LYNX-CAUSE', attempts_analyzed: 2 };
const ALONE = { 'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n' };

/** A specification, work that is stuck, and something that needs it. */
function stuck(files: Readonly<Record<string, string>> = {}): ToldProject {
  return new ToldProject({
    phases: [
      { id: 'spec', type: 'planning', output: ['spec.yaml'] },
      { id: 'build', type: 'development', description: 'PANDA-TASK', quality_gate: GATE },
      { id: 'ship', type: 'deploy', input: { from_phase: 'build', files: ['KIWI-NEEDED.txt'] }, output: ['s.txt'] },
    ],
    plan: { budget: { usd: 7.5, minutes: 30 } },
    script: {
      spec: [{ writes: { 'spec.yaml': 'acceptance_criteria: [FINCH-CRITERION]\n' } }],
      build: [{ prints: 'MAGPIE-CLAIM: all done', writes: { 'b.txt': 'b' } }],
    },
    files: { 'request.md': 'ZEBRA-REQUEST, please', ...files },
  });
}

describe('a human who is asked', () => {
  it('finds all that is known in hil-request.json, and the sentence why in trigger.json', async () => {
    const project = stuck(ALONE);
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-GUIDANCE', spec: { notes: 'EGRET-NOTE' } });
    const dir = 'phases/build/escalation/stufe-2';
    const { context, options } = JSON.parse(project.file(`${dir}/hil-request.json`));
    expect(context).toMatchObject({
      request: expect.stringContaining('ZEBRA-REQUEST'),
      task: 'PANDA-TASK',
      specification: expect.stringMatching(/FINCH-CRITERION[\s\S]*EGRET-NOTE/),
      spec_changes: [expect.stringContaining('EGRET-NOTE')],
      plan: [expect.any(String), expect.stringContaining('phase 2 of 3'), expect.stringContaining('KIWI-NEEDED.txt')],
      rules: [expect.stringContaining('a.txt')],
      findings: [expect.objectContaining({ message: expect.stringContaining('a.txt') })],
      humans_said: ['ZEBRA-GUIDANCE'],
      left: expect.stringContaining('7.50 USD'),
      claims: expect.stringContaining('MAGPIE-CLAIM'),
    });
    expect(context.attempts).toHaveLength(4);
    expect(options.map(({ effect }: { effect: string }) => effect).join('\n')).toMatch(
      /^build tries again[\s\S]*goes back to spec; build is done again/,
    );
    const { reason } = JSON.parse(project.file(`${dir}/trigger.json`));
    expect(reason).toBe('Phase build is stuck: its gate files_exist failed 4 times.');
    const earlier = [...(await project.state()).requests.keys()][0];
    expect(JSON.parse(project.file(`${dir}/earlier/${earlier}/hil-request.json`)).context.humans_said).toEqual([]);
  });

  it('is shown it by decide, the agent’s own words as claims', async () => {
    const project = stuck(ALONE);
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-GUIDANCE', spec: { notes: 'EGRET-NOTE' } });
    const { stdout } = await startHelix(['decide'], { cwd: project.dir }).end;
    const words = [
      'ZEBRA-REQUEST',
      'PANDA-TASK',
      'FINCH-CRITERION',
      'EGRET-NOTE',
      'ZEBRA-GUIDANCE',
      '7.50 USD',
      'a.txt is missing',
    ];
    for (const word of words) expect(stdout).toContain(word);
    expect(stdout).toMatch(/claims[^\n]*MAGPIE-CLAIM/);
    const asJson = await startHelix(['decide', '--json'], { cwd: project.dir }).end;
    expect(JSON.parse(asJson.stdout).context).toMatchObject({ humans_said: ['ZEBRA-GUIDANCE'] });
  });

  it('is told what an undescribed phase is for, and so is the consultant', async () => {
    const project = new ToldProject({
      phases: [{ id: 'build', type: 'development', output: ['LARK-OUTPUT.txt'], quality_gate: GATE }],
      script: { build: [{ writes: { 'LARK-OUTPUT.txt': 'b' } }] },
      roles: { consultant: [{ answer: { analysis: CAUSE, decision: { action: 'ask_human' } } }] },
      files: { 'request.md': 'ZEBRA-REQUEST, please' },
    });
    await project.start();
    const task = 'Build what the user asked for. Deliver it as `LARK-OUTPUT.txt`.';
    const { stdout } = await startHelix(['decide'], { cwd: project.dir }).end;
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`task ${task}`);
    const { context } = JSON.parse(project.file('phases/build/escalation/stufe-2/hil-request.json'));
    expect(context.task).toBe(task);
    expect((await project.consultantBriefs('build'))[0]).toContain(task);
  });

  it('is told what was asked where only the plan says so, and where all of a long request stands', async () => {
    const described = `Write about the ZEBRA-PROJECT. ${'More of it. '.repeat(30)}OKAPI-END.`;
    const project = new ToldProject({
      plan: { project: { name: 'told', description: described } },
      phases: [{ id: 'build', type: 'development', output: ['b.txt'], quality_gate: GATE }],
      script: { build: [{ writes: { 'b.txt': 'b' } }] },
      files: ALONE,
    });
    await project.start();
    const { stdout } = await startHelix(['decide'], { cwd: project.dir }).end;
    const card = stdout.replaceAll(/\s+/g, ' ');
    expect(card).toMatch(/asked Write about the ZEBRA-PROJECT.*… \(all of it: helix decide \S+ --json\) task Build/);
    const { context } = JSON.parse(project.file('phases/build/escalation/stufe-2/hil-request.json'));
    expect(context.request).toContain('OKAPI-END');
  });

  it('is shown the work that an approval rejects, how it changed, and goes back to it and to no judge', async () => {
    const quote = (line: string) => ({ file: 'a.txt', line: 1, quote: line });
    const rejects = (line: string) => ({
      answer: {
        checks: [{ id: 'kind', outcome: 'fail', evidence: [quote(line)] }],
        findings: [{ severity: 'error', check: 'kind', message: 'QUOLL', evidence: quote(line) }],
        ...{ recommendations: [], result: 'rejected', confidence: 0.9 },
      },
    });
    const project = new ToldProject({
      plan: { workspace: 'repo' },
      phases: [
        { id: 'build', type: 'development', output: ['a.txt'] },
        { id: 'look', type: 'review', quality_gate: { type: 'review_approved' } },
        {
          ...{ id: 'tone', type: 'approval', approval_type: 'tone', input: ['a.txt'] },
          on_rejection: { action: 'retry_phase', target_phase: 'build', max_retries: 1 },
        },
      ],
      script: {
        build: [{ writes: { 'a.txt': 'First text.\n' } }, { writes: { 'a.txt': 'Second text.\n' } }],
        look: [{ writes: { 'review.json': '{"approved":true}' } }],
      },
      approvals: { tone: [rejects('First text.'), rejects('Second text.')] },
      files: {
        'request.md': 'Write a text.\n',
        'repository/approvals/tone/CLAUDE.md': '# Tone\n\nIs it kind?\n',
        'repository/approvals/tone/checks/kind.md': '# Kind\n\nNo insult.\n',
      },
    });
    await project.start();
    const { stdout } = await startHelix(['decide'], { cwd: project.dir }).end;
    expect(stdout).toContain(`see what was judged: helix diff ${project.run} build`);
    expect(stdout).toMatch(/From attempt 1 to attempt 2 of build[\s\S]*-First text\.[\s\S]*\+Second text\./);
    await project.decide({ option: await project.option('revert'), comment: 'YAK-BACK' });
    expect(section(project.brief('build', 3), 'What a human decided')).toContain('YAK-BACK');
  });

  it('answers the only question by an option alone', async () => {
    const project = stuck(ALONE);
    await project.start();
    const unknown = await startHelix(['decide', 'Z'], { cwd: project.dir }).end;
    expect(unknown.stderr).toMatch(/neither a question nor an option "Z"[\s\S]*Options: A, B/);
    const stop = await project.option('abort');
    const { stderr } = await startHelix(['decide', stop.toLowerCase(), '--trust'], { cwd: project.dir }).end;
    expect((await project.state()).ended?.status, stderr).toBe('failed');
  });

  it('says what is more or less urgent, and the agent, the consultant and whoever is asked next are told', async () => {
    const ask = { answer: { analysis: CAUSE, decision: { action: 'ask_human' } } };
    const project = new ToldProject({
      phases: [{ id: 'build', type: 'development', output: ['b.txt'], quality_gate: GATE }],
      script: { build: [{ writes: { 'b.txt': '1' } }, { writes: { 'b.txt': '2' } }, { writes: { 'b.txt': '3' } }] },
      roles: { consultant: [ask] },
      files: { 'request.md': 'ZEBRA-REQUEST' },
    });
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-COMMENT', priority: 'YAK-PRIORITY' });
    const creator = project.sent.findLast(({ role }) => role === 'creator')?.brief ?? '';
    expect(section(creator, 'What a human decided')).toContain('YAK-PRIORITY');
    expect(creator.split('YAK-PRIORITY')).toHaveLength(2);
    expect(project.sent.findLast(({ role }) => role === 'consultant')?.brief).toContain('YAK-PRIORITY');
    expect((await startHelix(['decide'], { cwd: project.dir }).end).stdout).toContain('YAK-PRIORITY');
  });

  it('is told from afar what failed, where, what was tried and what each option will do', async () => {
    const project = stuck(ALONE);
    const state = await project.start();
    const [request] = state.requests.values();
    if (request === undefined) throw new Error('nothing is asked');
    const { document } = noticeOf(state, request, (text) => text);
    for (const word of [
      'ZEBRA-REQUEST',
      'PANDA-TASK',
      'a.txt is missing',
      'failed 2 times',
      'goes back to spec',
      '7.50 USD',
    ])
      expect(document.text).toContain(word);
    expect(document.options[0]).toMatchObject({ effect: 'build tries again' });
    expect(document.fails).toMatchObject({ check: 'files_exist', message: expect.stringContaining('a.txt') });
    expect(document.text).not.toContain('MAGPIE-CLAIM');
  });

  it('sees on the terminal of a run what failed, with keys for more, and answers there', async () => {
    const quality_gate = { type: 'custom', command: ['sh', 'check.sh'], max_retries: 2 };
    const project = new RobustProject({
      phases: [
        { id: 'one', type: 'planning', output: ['one.txt'] },
        { id: 'two', type: 'development', description: 'PANDA-TASK', quality_gate },
      ],
      script: {
        one: [{ writes: { 'one.txt': '1' } }],
        two: [
          { writes: { 'check.sh': 'echo GNU-OUTPUT; exit 1' } },
          { writes: { 'check.sh': 'echo YAK-OUTPUT; exit 1' } },
          { writes: { 'check.sh': 'exit 0' } },
        ],
      },
      files: ALONE,
    });
    try {
      const terminal = onTerminal(project, `${HELIX} run --trust`);
      await terminal.shows('two is stuck after 2 attempts');
      await terminal.shows('fails');
      await terminal.shows('YAK-OUTPUT');
      await terminal.shows('tried');
      await terminal.shows('two tries again');
      await terminal.shows('goes back to one');
      await terminal.shows('empty leaves it open: ');
      terminal.type('d\n');
      await terminal.shows('-echo GNU-OUTPUT');
      await terminal.shows('+echo YAK-OUTPUT');
      await terminal.shows('empty leaves it open: ');
      terminal.type('o\n');
      await terminal.shows('YAK-OUTPUT');
      await terminal.shows('empty leaves it open: ');
      terminal.type('A\n');
      await terminal.shows('guidance');
      terminal.type('\n');
      expect((await terminal.end).code).toBe(0);
    } finally {
      project.dispose();
    }
  });

  it('needs no name where there is one question', async () => {
    const project = new RobustProject({
      phases: [{ id: 'one', type: 'development', quality_gate: { ...GATE, max_retries: 1 } }],
      script: { one: [{ writes: { 'b.txt': 'b' } }] },
      files: ALONE,
    });
    try {
      expect(await project.helix(['decide'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('nothing waits for you'),
      });
      expect((await project.helix(['run', '--trust'])).code).toBe(3);
      const shown = await project.helix(['decide']);
      expect(shown).toMatchObject({ code: 3, stdout: expect.stringContaining('a.txt is missing') });
      expect((await project.helix(['run', '--trust'])).code).toBe(3);
      expect(await project.helix(['decide'])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/2 questions are open[\s\S]*-q1/),
      });
    } finally {
      project.dispose();
    }
  });
});

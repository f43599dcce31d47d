import { describe, expect, it } from 'vitest';
import { renderQuestion } from '../../src/cli/human/answer.ts';
import { renderCommands } from '../../src/cli/run/request-text.ts';
import { openRequests, type RunState } from '../../src/domain/facts/run-state.ts';
import { untoldLines } from '../../src/report/words/untold.ts';
import { section, ToldProject } from './told-project.ts';

const DECIDED = 'What a human decided';
const BACK = 'Why the work came back';

const QUOTED = (quote: string, file: string) => ({ file, line: 1, quote });
const opinion = (quote: string, file: string, message?: string) => ({
  answer: {
    checks: [{ id: 'kind', outcome: message === undefined ? 'pass' : 'fail', evidence: [QUOTED(quote, file)] }],
    findings:
      message === undefined ? [] : [{ severity: 'error', check: 'kind', message, evidence: QUOTED(quote, file) }],
    recommendations: [],
    result: message === undefined ? 'approved' : 'rejected',
    confidence: 0.9,
  },
});
const CRASHES = Array.from({ length: 5 }, () => ({ result: 'crash' }));

const definition = (type: string, top = '') => ({
  [`${top}approvals/${type}/CLAUDE.md`]: `# ${type}\n\nIs it kind?\n`,
  [`${top}approvals/${type}/checks/kind.md`]: '# Kind\n\nNo insult.\n',
});

type Parts = ConstructorParameters<typeof ToldProject>[0];

/** What a human reads before the answer: the options with their effects, and the commands. */
function card(state: RunState): { readonly options: string; readonly commands: string } {
  const [request] = openRequests(state);
  if (request === undefined) throw new Error('nothing is asked');
  const view = { width: 200, paint: (_: string, text: string) => text, now: state.updatedAt, at: '' };
  const subject = { request, state, events: [], differences: { changed: new Map(), of: request.phase } };
  return {
    options: renderQuestion(request, 400, state).join('\n'),
    commands: renderCommands(subject as never, view as never).join('\n'),
  };
}

describe('an approval whose judge broke', () => {
  const INPUT = 'input/output/letter.md';

  function letter(answers: readonly unknown[], rejection: object = { action: 'retry_phase', target_phase: 'write' }) {
    return new ToldProject({
      phases: [
        { id: 'write', type: 'documentation', output: ['output/letter.md'] },
        {
          ...{ id: 'approve', type: 'approval', approval_type: 'tone', input: ['output/letter.md'] },
          on_rejection: rejection,
        },
      ],
      script: { write: [{ writes: { 'output/letter.md': 'thank you.\n' } }] },
      approvals: { tone: answers },
      files: definition('tone'),
    });
  }

  it('is asked again about the same work, and the card says so and nothing else', async () => {
    const project = letter([...CRASHES, opinion('thank you.', INPUT)]);
    const asked = await project.start();
    expect(openRequests(asked)[0]?.reason).toBe('interrupted');
    const { options, commands } = card(asked);
    expect(options).toContain('→ a judge is asked again about the same work; no agent is told your comment');
    expect(options.split(' B ')[0]).not.toMatch(/goes back|tries again/);
    expect(commands).not.toContain('what the agent should know');
    const before = project.sent.length;
    const ended = await project.decide({ option: 'A', comment: 'ZEBRA-ASK' });
    expect(ended.ended?.status).toBe('passed');
    expect(project.sent.slice(before).map(({ about }) => about)).toEqual(['tone']);
    expect(project.sent.some(({ brief }) => brief.includes('ZEBRA-ASK'))).toBe(false);
    expect(ended.phases.get('write')?.history.guidance).toEqual([]);
    expect(untoldLines(ended)).toEqual([]);
    expect([...ended.requests.values()][0]?.answer?.comment).toBe('ZEBRA-ASK');
  });

  it('leaves a comment on the question out of what its author is told when it rejects later', async () => {
    const project = letter([...CRASHES, opinion('thank you.', INPUT, 'QUOLL-FINDING'), opinion('thank you.', INPUT)]);
    await project.start();
    await project.decide({ option: 'A', comment: 'ZEBRA-ASK' });
    expect(project.brief('write', 2)).toContain('QUOLL-FINDING');
    expect(project.brief('write', 2)).not.toContain('ZEBRA-ASK');
  });

  it('sends the work back once it has an opinion, and the comment with it', async () => {
    const project = letter([opinion('thank you.', INPUT, 'QUOLL-FINDING'), opinion('thank you.', INPUT)], {
      action: 'escalate',
      target_phase: 'write',
    });
    const { options, commands } = card(await project.start());
    expect(options).toContain('→ goes back to write');
    expect(commands).toContain('--comment "what the agent should know"');
    await project.decide({ option: 'A', comment: 'ZEBRA-BACK' });
    expect(section(project.brief('write', 2), DECIDED)).toContain('ZEBRA-BACK');
  });
});

describe('work whose judge broke five times', () => {
  function judged(answers: readonly unknown[]) {
    return new ToldProject({
      phases: [
        {
          ...{ id: 'write', type: 'documentation', output: ['output/letter.md'] },
          quality_gate: { type: 'approval', approval_type: 'tone' },
        },
      ],
      script: { write: ['one', 'two'].map((text) => ({ writes: { 'output/letter.md': `${text}.\n` } })) },
      approvals: { tone: answers },
      files: definition('tone'),
    });
  }
  const FILE = 'output/letter.md';

  it('is judged again as it is, also with a comment, and no agent starts', async () => {
    const project = judged([...CRASHES, opinion('one.', FILE)]);
    const { options, commands } = card(await project.start());
    expect(options).toContain('→ the same work is judged again; write is told your comment only if it comes back');
    expect(commands).not.toMatch(/ A --comment/);
    const ended = await project.decide({ option: 'A', comment: 'ZEBRA-AGAIN' });
    expect(ended.ended?.status).toBe('passed');
    expect(ended.phases.get('write')?.history.turns).toBe(1);
  });

  it('brings the comment along where it is rejected then', async () => {
    const project = judged([...CRASHES, opinion('one.', FILE, 'QUOLL-FINDING'), opinion('two.', FILE)]);
    await project.start();
    const ended = await project.decide({ option: 'A', comment: 'ZEBRA-AGAIN' });
    expect(ended.ended?.status).toBe('passed');
    expect(section(project.brief('write', 2), DECIDED)).toContain('ZEBRA-AGAIN');
    expect(project.brief('write', 2)).toContain('QUOLL-FINDING');
  });

  it('goes back to its agent where a human says that', async () => {
    const project = judged([...CRASHES, opinion('two.', FILE)]);
    const asked = await project.start();
    const [request] = openRequests(asked);
    const option = request?.options.find(({ decision }) => decision.rework === true)?.id ?? '';
    expect(card(asked).options).toContain('→ write tries again');
    const ended = await project.decide({ option, comment: 'ZEBRA-MEND' });
    expect(ended.ended?.status).toBe('passed');
    // Nothing was judged, so it is the same attempt once more.
    expect(section(project.brief('write', 1), DECIDED)).toContain('ZEBRA-MEND');
    expect(ended.phases.get('write')?.history.turns).toBe(2);
  });
});

describe('an approval that names no target', () => {
  const chain = (
    approve: Record<string, unknown>,
    more: Partial<Parts> = {},
    at = (name: string) => `output/${name}`,
  ) =>
    new ToldProject({
      phases: [
        { id: 'write', type: 'documentation', output: [at('letter.md')] },
        { id: 'translate', type: 'documentation', output: [at('brief.md')] },
        { id: 'approve', type: 'approval', approval_type: 'tone', on_rejection: { action: 'retry_phase' }, ...approve },
      ],
      script: {
        write: ['one.', 'two.'].map((text) => ({ writes: { [at('letter.md')]: `${text}\n` } })),
        translate: [{ writes: { [at('brief.md')]: 'b\n' } }],
      },
      approvals: {
        tone: [opinion('one.', 'input/output/letter.md', 'QUOLL-FINDING'), opinion('two.', 'input/output/letter.md')],
      },
      files: definition('tone'),
      ...more,
    });

  it.each<[string, Record<string, unknown>]>([
    ['the phase its input names', { from_phase: 'write', files: ['output/letter.md'] }],
    ['the phase that made the file', { files: ['output/letter.md'] }],
  ])('sends a rejection to %s, and not to the creator next to it', async (_, input) => {
    const project = chain({ input });
    expect((await project.start()).ended?.status).toBe('passed');
    expect(section(project.brief('write', 2), 'What was wrong last time')).toContain('QUOLL-FINDING');
  });

  const inRepository = (approve: Record<string, unknown>, made = 'letter.md') =>
    chain(
      approve,
      {
        plan: { workspace: 'repo' },
        script: {
          write: ['one.', 'two.'].map((text) => ({ writes: { 'letter.md': `${text}\n`, [made]: `${text}\n` } })),
          translate: [{ writes: { 'brief.md': 'b\n' } }],
        },
        approvals: { tone: [opinion('one.', made, 'QUOLL-FINDING'), opinion('two.', made)] },
        files: { ...definition('tone', 'repository/'), [`repository/${made}`]: 'there\n' },
      },
      (name) => name,
    );

  it('does so in a repository', async () => {
    const project = inRepository({ input: { from_phase: 'write', files: ['letter.md'] } });
    expect((await project.start()).ended?.status).toBe('passed');
    expect(section(project.brief('write', 2), 'What was wrong last time')).toContain('QUOLL-FINDING');
  });

  it.each([
    ['declares', 'letter.md'],
    ['was the last to change', 'undeclared.md'],
  ])('offers in a repository to send it to the phase that %s the file', async (_, made) => {
    const project = inRepository({ input: [made], on_rejection: { action: 'escalate' } }, made);
    expect(card(await project.start()).options).toContain('→ goes back to write');
    expect((await project.decide({ option: 'A', comment: 'ZEBRA-BACK' })).ended?.status).toBe('passed');
    expect(section(project.brief('write', 2), 'What was wrong last time')).toContain('QUOLL-FINDING');
    expect(section(project.brief('write', 2), DECIDED)).toContain('ZEBRA-BACK');
  });
});

describe('why a phase runs again', () => {
  it('that lies before the one rejected first, is the rejection of what it builds on', async () => {
    const approval = (id: string, type: string, from: string, file: string) => ({
      ...{ id, type: 'approval', approval_type: type, depends_on: ['post'] },
      ...{ input: { from_phase: from, files: [file] }, on_rejection: { action: 'retry_phase', target_phase: from } },
    });
    const project = new ToldProject({
      phases: [
        { id: 'write', type: 'documentation', output: ['output/letter.md'] },
        { id: 'translate', type: 'documentation', output: ['output/brief.md'] },
        { id: 'post', type: 'documentation', output: ['output/posted.md'] },
        approval('late', 'tone', 'post', 'output/posted.md'),
        approval('early', 'code', 'write', 'output/letter.md'),
      ],
      script: {
        write: ['one.', 'two.'].map((text) => ({ writes: { 'output/letter.md': `${text}\n` } })),
        translate: [{ writes: { 'output/brief.md': 'b\n' } }],
        post: ['three.', 'four.'].map((text) => ({ writes: { 'output/posted.md': `${text}\n` } })),
      },
      approvals: {
        tone: [opinion('three.', 'input/output/posted.md', 'QUOLL-LATE'), opinion('four.', 'input/output/posted.md')],
        code: [opinion('one.', 'input/output/letter.md', 'QUOLL-EARLY'), opinion('two.', 'input/output/letter.md')],
      },
      files: { ...definition('tone'), ...definition('code') },
      plan: { workspace: 'phase-dirs' },
    });
    expect((await project.start()).ended?.status).toBe('passed');
    const why = section(project.brief('translate', 2), BACK);
    expect(why).toContain('did not accept the work of `write`');
    expect(why).toContain('QUOLL-EARLY');
    expect(why).not.toContain('`post`');
    expect(why).not.toContain('QUOLL-LATE');
  });

  it('that does not build on what the run goes back to, is said to be its place in the repository', async () => {
    const GATE = { type: 'files_exist', max_retries: 1, files: ['d.txt'] };
    const project = new ToldProject({
      plan: { workspace: 'repo' },
      phases: [
        { id: 'a', type: 'development', output: ['a.txt'] },
        { id: 'b', type: 'development', output: ['b.txt'], depends_on: ['a'] },
        { id: 'c', type: 'development', output: ['c.txt'], depends_on: ['a'] },
        { id: 'd', type: 'development', quality_gate: GATE, depends_on: ['b'] },
      ],
      script: {
        ...Object.fromEntries(['a', 'b', 'c'].map((id) => [id, [{ writes: { [`${id}.txt`]: `${id}\n` } }]])),
        d: [{ writes: { 'no.txt': 'n\n' } }, { writes: { 'd.txt': 'd\n' } }],
      },
      files: {
        'repository/there.txt': 'there\n',
        'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n',
      },
    });
    await project.start();
    const option = await project.option('revert');
    expect((await project.decide({ option, phase: 'b', comment: 'ZEBRA-BACK' })).ended?.status).toBe('passed');
    const beside = section(project.brief('c', 2), BACK);
    expect(beside).toContain('By the plan your phase does not build on that');
    expect(beside).not.toContain('All that was built on it is done again');
    expect(section(project.brief('d', 2), BACK)).toContain('All that was built on it is done again');
  });

  it('lists what had been found once, and says where it stands', async () => {
    const BAD = { writes: { 'b.txt': 'b' } };
    const project = new ToldProject({
      phases: [
        { id: 'one', type: 'planning', output: ['one.txt'] },
        {
          id: 'two',
          type: 'development',
          quality_gate: { type: 'custom', command: 'echo OTTER-OUTPUT; test -e a.txt' },
        },
      ],
      script: { one: [{ writes: { 'one.txt': '1' } }], two: [BAD, BAD, BAD, BAD, { writes: { 'a.txt': 'a' } }] },
      roles: {
        consultant: [
          {
            answer: {
              analysis: { failure_summary: 'it fails', root_cause: 'LYNX-CAUSE', attempts_analyzed: 3 },
              decision: {
                action: 'revert',
                plan_revert: { enabled: true, revert_to_task: 'one', reasoning: 'OKAPI-REASON' },
              },
            },
          },
        ],
      },
    });
    expect((await project.start()).ended?.status).toBe('passed');
    const brief = project.brief('two', 5);
    const told = section(brief, 'What was wrong last time') + section(brief, BACK);
    expect(told.split('OTTER-OUTPUT')).toHaveLength(2);
    expect(brief).not.toContain('without a finding');
    expect(section(brief, BACK)).toContain('OKAPI-REASON');
    expect(section(brief, BACK)).toMatch(/What had been found wrong with `two`:\s+\(listed above\)/);
  });
});

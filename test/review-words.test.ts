import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { RunState } from '../src/domain/facts/run-state.ts';
import type { Move } from '../src/domain/plan/script.ts';
import { scopeOf } from '../src/engine/run.ts';
import type { Agent, AgentTask } from '../src/ports/agent.ts';
import type { World } from '../src/ports/world.ts';
import { FAST, Stage } from './run-scenario.ts';

const SETTINGS = 'agents:\n  default: { driver: scripted }\nallow_simulated: true\n';

/** What one agent was really sent, and what lay before it. */
type Sent = { readonly who: string; readonly brief: string; readonly files: readonly string[] };

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** Plays a plan with scripted moves, and keeps what every agent was sent. */
async function play(
  plan: string,
  moves: object,
  more: Record<string, string> = {},
): Promise<{ sent: Sent[]; state: RunState; accepted: Accepted }> {
  const root = mkdtempSync(join(FAST, 'helix-words-'));
  roots.push(root);
  const files = { 'phases.yaml': plan, 'scripted.yaml': stringify(moves), 'helix.yaml': SETTINGS, ...more };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'words', path)), { recursive: true });
    writeFileSync(join(root, 'words', path), text);
  }
  const stage = new Stage('words', root);
  roots.push(stage.dir);
  const sent: Sent[] = [];
  const world = listening(stage.world(), sent);
  try {
    const state = await stage.play(world);
    return { sent, state, accepted: await acceptedBy(state, world) };
  } finally {
    world.close();
    stage.dispose();
  }
}

type Accepted = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What lies in the accepted tree of every phase. */
async function acceptedBy(state: RunState, world: World): Promise<Accepted> {
  const workspace = await world.workspace(scopeOf(state));
  const found: Record<string, Record<string, string>> = {};
  for (const { id, accepted } of state.phases) {
    if (accepted === undefined) continue;
    const tree = await workspace.tree(accepted.tree);
    const files = tree.files.map(async ({ path }) => [path, String(await tree.read(path, 1000))] as const);
    found[id] = Object.fromEntries(await Promise.all(files));
  }
  return found;
}

function listening(world: World, sent: Sent[]): World {
  const keep = (task: AgentTask) => {
    const who = task.role === 'creator' ? task.phase.id : task.role;
    const files = readdirSync(task.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    sent.push({ who, brief: task.brief, files: files.map(({ name }) => name) });
  };
  return {
    ...world,
    agent: async (settings) => {
      const agent = await world.agent(settings);
      const perform: Agent['perform'] = (task) => {
        keep(task);
        return agent.perform(task);
      };
      return new Proxy(agent, {
        get: (target, key) => (key === 'perform' ? perform : Reflect.get(target, key, target)),
      });
    },
  };
}

const to = (sent: readonly Sent[], who: string) => sent.filter((each) => each.who === who);
const rejecting = (file: string, message: string) =>
  JSON.stringify({
    approved: false,
    findings: [{ severity: 'error', file, line: 1, message }],
    suggestions: [`ADVICE beside ${message}`],
  });
const twice = (path: string): Move[] => ['one', 'two'].map((text) => ({ writes: { [path]: `${text}\n` } }));
const APPROVING = JSON.stringify({ approved: true, findings: [] });
const sectionOf = (heading: string, { brief }: Sent) => brief.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** A plan of one author and one reviewer, in either kind of workspace. */
function pair(mode: 'repo' | 'phase-dirs', gate = '') {
  const [own, given] = mode === 'repo' ? ['text.md', 'text.md'] : ['output/text.md', 'input/write/output/text.md'];
  const at = (name: string) => (mode === 'repo' ? name : `output/${name}`);
  const plan = `project: { name: words }
workspace: ${mode}
phases:
  - { id: write, type: documentation, description: Write about the ZEBRA-TASK, output: [${own}] }
  - { id: check, type: review, output: [${at('review.json')}, ${at('review.md')}], quality_gate: { type: review_approved${gate} } }
`;
  const write = (text: string): Move => ({
    writes: { [own]: `${text}\n` },
    prints: 'ZEBRA-SAID: this is free of mistakes',
  });
  const reject = (word: string): Move => ({
    writes: { [at('review.json')]: rejecting(given, word), [at('review.md')]: `${word}\n` },
  });
  const approve: Move = { writes: { [at('review.json')]: APPROVING, [at('review.md')]: 'fine\n' } };
  const repository: Record<string, string> = mode === 'repo' ? { 'repository/there.txt': 'there\n' } : {};
  return { plan, own, given, write, reject, approve, repository };
}

describe.each(['phase-dirs', 'repo'] as const)('in %s', (mode) => {
  it('a reviewer is told the task and the difference, and not a word of the author', async () => {
    const { plan, given, write, approve, repository } = pair(mode);
    const { sent, state } = await play(
      plan,
      { phases: { write: [write('ZEBRA-CHANGE')], check: [approve] } },
      repository,
    );
    const [brief = ''] = to(sent, 'check').map((each) => sectionOf('What you review', each));
    expect(state.ended?.status).toBe('passed');
    expect(brief).toContain('ZEBRA-TASK');
    expect(brief).toContain('+ZEBRA-CHANGE');
    expect(brief).toContain(`- \`${given}\` (added)`);
    expect(to(sent, 'check')[0]?.brief).not.toContain('ZEBRA-SAID');
  });

  it('work that comes back as it was is not put before a reviewer again: what was said of it stands', async () => {
    const { plan, write, reject, approve, repository } = pair(mode, ', max_retries: 2');
    const moves = {
      phases: { write: [write('one'), write('one'), write('two')], check: [reject('ZEBRA-FOUND'), approve] },
    };
    const { sent, state } = await play(plan, moves, repository);
    expect(state.ended?.status).toBe('passed');
    expect(to(sent, 'check')).toHaveLength(2);
    const [, second, third] = to(sent, 'write').map(({ brief }) => brief);
    expect(second).not.toContain('came back unchanged');
    expect(third).toContain('check (review) was not asked again: what it rejected came back unchanged');
    expect(third).toContain('ZEBRA-FOUND');
    expect(to(sent, 'check')[1]?.brief).toContain('+two');
    expect(state.phases.get('check')?.history).toMatchObject({ reworks: 2, judged: 3, turns: 2 });
  });

  it('what it finds goes to the author, by the path the author knows, and never to the next reviewer', async () => {
    const { plan, own, write, reject, approve, repository } = pair(mode);
    const moves = { phases: { write: [write('one'), write('two')], check: [reject('ZEBRA-FOUND'), approve] } };
    const { sent, state } = await play(plan, moves, repository);
    const [first, second] = to(sent, 'write');
    expect(state.ended?.status).toBe('passed');
    expect(first?.brief).not.toContain('ZEBRA-FOUND');
    const told = second && sectionOf('What was wrong last time', second);
    expect(told).toContain(`at ${own}:1: ZEBRA-FOUND`);
    expect(told).toContain('ADVICE beside ZEBRA-FOUND');
    expect(to(sent, 'check')).toHaveLength(2);
    const [, again] = to(sent, 'check');
    expect(again?.brief).not.toMatch(/ZEBRA-FOUND|attempt 2/);
    expect(again?.brief).toContain('+two');
    expect(again?.files.filter((name) => name.startsWith('review.'))).toEqual([]);
  });

  it('words of a consultant and of a human about a rejection reach the author, and no reviewer', async () => {
    const { plan, write, reject, approve, repository } = pair(mode, ', max_retries: 1');
    const consultant = [
      { decision: { action: 'retry_with_changes', additional_hints: ['ZEBRA-HINT'] } },
      { decision: { action: 'ask_human' }, question: 'What now?' },
    ].map((answer) => ({ answer: { analysis: { failure_summary: 's', root_cause: 'r' }, ...answer } }));
    const moves = {
      phases: { write: ['1', '2', '3', '4'].map(write), check: [reject('a'), reject('b'), reject('c'), approve] },
      roles: { consultant },
    };
    const answers = { 'answers.yaml': '- { option: A, comment: ZEBRA-COMMENT }\n' };
    const { sent, state } = await play(plan, moves, { ...repository, ...answers });
    expect(state.ended?.status).toBe('passed');
    const written = to(sent, 'write').map(({ brief }) => brief);
    expect(written.map((brief) => brief.includes('ZEBRA-HINT'))).toEqual([false, false, true, true]);
    expect(written.map((brief) => brief.includes('ZEBRA-COMMENT'))).toEqual([false, false, false, true]);
    expect(sectionOf('What a human decided', to(sent, 'write')[3] as Sent)).toContain('ZEBRA-COMMENT');
    for (const { brief } of to(sent, 'check')) expect(brief).not.toMatch(/ZEBRA-(HINT|COMMENT)/);
  });

  it('what else a reviewer changes is dropped with a warning, also where a human accepts in spite of its rejection', async () => {
    const { plan, own, given, write, reject, repository } = pair(mode, ', max_retries: 1');
    const rewritten = { [given]: 'SMUGGLED\n', 'extra.txt': 'SMUGGLED\n' };
    const { writes } = reject('wrong');
    const moves = { phases: { write: [write('one')], check: [{ writes: { ...writes, ...rewritten } }] } };
    const escalating = plan.replace('type: review,', 'type: review, on_rejection: { action: escalate },');
    const answers = { 'answers.yaml': '- { option: B, comment: good enough }\n' };
    const { state, accepted } = await play(escalating, moves, { ...repository, ...answers });
    expect(state.ended?.status).toBe('passed');
    expect(accepted.write?.[own]).toBe('one\n');
    expect(JSON.stringify(accepted.check)).not.toContain('SMUGGLED');
    const notices = state.phases.get('check')?.current?.notices ?? [];
    expect(notices.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      `warning: a review changes nothing but its outputs; dropped: extra.txt, ${given}`,
    ]);
  });

  it('each of two authors is told of its own mistakes only', async () => {
    const at = (phase: string) => (mode === 'repo' ? `${phase}.md` : `output/${phase}.md`);
    const plan = `project: { name: words }
workspace: ${mode}
phases:
  - { id: one, type: documentation, output: [${at('one')}] }
  - { id: two, type: documentation, output: [${at('two')}] }
  - { id: check, type: review, quality_gate: { type: review_approved } }
`;
    const given = (phase: string) => (mode === 'repo' ? at(phase) : `input/${phase}/${at(phase)}`);
    const finding = (phase: string, severity: string) => ({
      severity,
      file: given(phase),
      message: `ZEBRA-${phase}-${severity}`,
    });
    const findings = [finding('one', 'error'), finding('two', 'warning'), finding('two', 'info')];
    const answers = [{ approved: false, findings }, { approved: true }].map((answer) => ({ answer }));
    const repository: Record<string, string> = mode === 'repo' ? { 'repository/there.txt': 'there\n' } : {};
    const works = { one: twice(at('one')), two: twice(at('two')) };
    const { sent, state } = await play(plan, { phases: { ...works, check: answers } }, repository);
    expect(state.ended?.status).toBe('passed');
    const [, one] = to(sent, 'one');
    const [, two] = to(sent, 'two');
    expect(one?.brief.match(/ZEBRA-\w+-\w+/g)?.filter((word) => !word.startsWith('ZEBRA-one'))).toEqual([]);
    expect(one?.brief).toContain('ZEBRA-one-error');
    expect(two?.brief).toMatch(/ZEBRA-two-warning[\s\S]*ZEBRA-two-info/);
    expect(two?.brief).not.toContain('ZEBRA-one');
  });
});

it('a remark that blocks nothing sends nobody back to work', async () => {
  const plan = `project: { name: words }
workspace: phase-dirs
phases:
  - { id: one, type: documentation, output: [output/one.md] }
  - { id: two, type: documentation, output: [output/two.md] }
  - { id: check, type: review, quality_gate: { type: review_approved } }
`;
  const findings = [
    { severity: 'info', file: 'input/one/output/one.md', message: 'nice' },
    { severity: 'error', file: 'input/two/output/two.md', message: 'wrong' },
  ];
  const answers = [{ approved: false, findings }, { approved: true }].map((answer) => ({ answer }));
  const { sent } = await play(plan, { phases: { two: twice('output/two.md'), check: answers } });
  expect(sent.map(({ who }) => who)).toEqual(['one', 'two', 'check', 'two', 'check']);
});

it('a rejection without a finding goes to the creator next to it, also past another review', async () => {
  const plan = `project: { name: words }
workspace: phase-dirs
phases:
  - { id: one, type: documentation, output: [output/one.md] }
  - { id: two, type: documentation, output: [output/two.md] }
  - { id: first, type: review, quality_gate: { type: review_approved } }
  - { id: second, type: review, quality_gate: { type: review_approved } }
`;
  const answers = [{ approved: false }, { approved: true }].map((answer) => ({ answer }));
  const { sent } = await play(plan, { phases: { two: twice('output/two.md'), second: answers } });
  expect(sent.map(({ who }) => who)).toEqual(['one', 'two', 'first', 'second', 'two', 'first', 'second']);
});

it('a review of what nobody in the run made asks a human, who may have it read again', async () => {
  const plan = `project: { name: words }
workspace: phase-dirs
phases:
  - { id: check, type: review, input: [there.md], quality_gate: { type: review_approved } }
`;
  const answers = [{ approved: false, findings: ['ZEBRA-FOUND'] }, { approved: true }].map((answer) => ({ answer }));
  const more = { 'there.md': 'there\n', 'answers.yaml': '- { option: A, comment: ZEBRA-COMMENT }\n' };
  const { sent, state } = await play(plan, { phases: { check: answers } }, more);
  expect(sent.map(({ who }) => who)).toEqual(['check', 'check']);
  expect(sent[1]?.brief).not.toContain('ZEBRA-FOUND');
  expect(sent[1]?.brief).not.toContain('ZEBRA-COMMENT');
  const [option] = [...state.requests.values()][0]?.options ?? [];
  expect(option?.description).toBe('Ask a judge again; nobody who judges is told what you write as a comment');
  expect([...state.requests.values()].map(({ reason }) => reason)).toEqual(['rejected']);
});

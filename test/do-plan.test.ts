import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRequests } from '../src/domain/facts/run-state.ts';
import { BRANCH, FILES, FIX, plain, script, TASK } from './do-repository.ts';
import type { Repository } from './repository.ts';

const says = (matter: string) => ({ answer: { matters: [matter], risks: [], disagreements: [], questions: [] } });
const ASKS = {
  answer: {
    coverage: [{ topic: 'numbers', state: 'missing' }],
    questions: [
      {
        ...{ topic: 'numbers', question: 'Which numbers?' },
        options: [{ answer: 'Whole ones', recommended: true, reason: 'the tests have no other' }, { answer: 'All' }],
      },
    ],
  },
};
const CRITERIA = {
  answer: {
    criteria: [{ id: 'C1', text: 'sum(1, 2) is 3', check: 'a test compares them' }],
    quality_gates: [{ id: 'tested', type: 'tests_pass', criteria: ['C1'] }],
  },
};
const SPEC = { 'helix-plan/spec.yaml': 'goal: sum adds\nacceptance_criteria: []\n' };
const GATES = { 'helix-plan/quality-gates.yaml': 'gates: []\n' };
const [MENDED = '', TESTED = ''] = Object.keys(FIX);

/** A phase of a plan, as JSON, which is YAML. */
const planned = (...phases: readonly Record<string, unknown>[]) => ({
  'helix-plan/phases.yaml': `${JSON.stringify({ phases })}\n`,
});

const MEND = { id: 'mend', type: 'development', description: 'Make sum add' };
const PLAN = { ...SPEC, ...GATES, ...planned(MEND) };
const WORK = {
  mend: [{ writes: { [MENDED]: FIX['sum.js'] } }],
  change: [{ writes: { [TESTED]: FIX['test/adds.test.js'] } }],
};

function scripted(repository: Repository, agree: readonly unknown[], more: Record<string, unknown> = {}) {
  return script(repository, {
    phases: { agree, ...WORK },
    roles: { questions: [ASKS], criteria: [CRITERIA] },
    ...more,
  });
}

async function open(repository: Repository) {
  const { state } = await repository.journaled();
  const [request] = state === undefined ? [] : openRequests(state);
  return { state, request, id: request?.id ?? '' };
}

/** Everything that agents of the newest run were told, by where it lies. */
async function told(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const { run } = await repository.journaled();
  const root = repository.path('.helix/runs', run);
  const files = existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : [];
  const briefs = files.filter((file) => /(^|\/)(brief|CLAUDE)\.md$/.test(file));
  return new Map(briefs.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

const judge = ['--no-judge'];

it('one sentence becomes a plan that grows, and a branch: what has to be asked is asked, and the command to answer is said', async () => {
  const repository = plain();
  const before = repository.digest();
  const moves = scripted(repository, [{ writes: PLAN }]);
  const asking = await repository.helix(['do', '--plan', TASK, '--trust', ...judge, ...moves]);
  const { id, request } = await open(repository);
  expect({ code: asking.code, question: request?.question }).toEqual({ code: 3, question: 'Which numbers?' });
  expect(asking.stdout).toContain(`helix decide ${id}`);
  const { code, stdout } = await repository.helix(['decide', id, 'A']);
  expect(code).toBe(0);
  const { state } = await repository.journaled();
  expect(state?.plan.phases.map((phase) => phase.id)).toEqual(['agree', 'mend', 'change']);
  expect(state?.plan.phases.map(({ gates }) => gates.map(({ type }) => type))).toEqual([
    ['files_exist', 'plan_valid', 'spec_valid'],
    ['syntax_check', 'tests_pass'],
    ['syntax_check', 'tests_pass'],
  ]);
  expect(stdout).toMatch(/^tests +2 pass, 1 new/m);
  expect(stdout).toContain(`git merge ${BRANCH}`);
  expect(repository.digest()).toEqual(before);
  repository.git('merge', '-q', BRANCH);
  expect(repository.read('sum.js')).toBe(FIX['sum.js']);
  expect((await repository.files('HEAD')).filter((file) => file.includes('plan'))).toEqual([]);
  expect((await repository.helix(['evidence'])).stdout).toContain('sum(1, 2) is 3');
});

it('the judge at the end is shown what all phases did as one change, and nothing of who planned it; the last phase may have nothing to do', async () => {
  const repository = plain();
  const writes = { [MENDED]: FIX['sum.js'], [TESTED]: FIX['test/adds.test.js'] };
  const mend = { ...MEND, description: 'Make sum add, ZEBRA-1' };
  const moves = script(repository, {
    phases: {
      agree: [{ writes: { ...PLAN, ...planned(mend) }, prints: 'ZEBRA-2' }],
      mend: [{ writes, prints: 'ZEBRA-3' }],
      change: [{ prints: 'nothing is missing, ZEBRA-4' }],
    },
    roles: { criteria: [CRITERIA] },
    approvals: { change: [{}] },
  });
  const { code, stdout } = await repository.helix(['do', '--plan', TASK, '--trust', ...moves]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^judge +approved: /m);
  const briefs = await told(repository);
  const [judged = ''] = [...briefs].flatMap(([file, text]) => (file.startsWith('approvals/') ? [text] : []));
  expect(judged).toContain('+export const sum = (a, b) => a + b;');
  expect(judged).toContain('sum(1, 2) is 3');
  expect(judged).not.toMatch(/ZEBRA|helix-plan/);
  expect(briefs.get('phases/mend/CLAUDE.md')).toContain('ZEBRA-1');
});

it('a plan brings nothing that was not trusted: the question of trust is that of a task, and what is more is asked about', async () => {
  const repository = plain();
  const [first, second] = [
    await repository.helix(['do', TASK, ...scripted(repository, [])]),
    await repository.helix(['do', '--plan', TASK, ...scripted(repository, [])]),
  ];
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing was started') });
  expect(second.stderr.slice(second.stderr.indexOf('nothing was started'))).toBe(
    first.stderr.slice(first.stderr.indexOf('nothing was started')),
  );
  const leak = { ...MEND, quality_gate: { type: 'custom', command: ['sh', '-c', 'touch pwned'] } };
  const moves = scripted(repository, [{ writes: { ...PLAN, ...planned(leak) } }], { roles: { criteria: [CRITERIA] } });
  expect((await repository.helix(['do', '--plan', TASK, '--trust', ...judge, ...moves])).code).toBe(3);
  const { request, state } = await open(repository);
  expect(request?.question).toContain('touch pwned');
  expect(request).toMatchObject({ reason: 'plan', phase: 'agree' });
  expect(state?.plan.phases.map(({ id }) => id)).toEqual(['agree', 'change']);
});

it('a plan that has grown goes on without another word of trust', async () => {
  const repository = plain();
  const moves = scripted(repository, [{ writes: PLAN }], { roles: { criteria: [CRITERIA] } });
  const args = ['do', '--plan', TASK, '--trust', '--budget', '1attempts', ...judge, ...moves];
  expect((await repository.helix(args)).code).toBe(4);
  const { state } = await repository.journaled();
  expect(state?.plan.phases.map(({ id }) => id)).toEqual(['agree', 'mend', 'change']);
  const { code, said } = await repository.resume(['--budget', '9attempts']);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
});

it('so does one whose agent is no simulated one: what another agent told it is not asked in the name of the user', async () => {
  const repository = plain();
  const agents = { default: { driver: 'command', command: [repository.agentPath] } };
  repository.write({ 'helix.yaml': JSON.stringify({ agents, sandbox: 'basic' }) });
  const put = (path: string, text: string) => `cat > ${path} <<'END'\n${text}END`;
  const plan = Object.entries({ ...PLAN, 'helix-plan/spec.yaml': 'acceptance_criteria: ["sum(1, 2) is 3"]\n' });
  const [agree, change] = [plan, Object.entries(FIX)].map((files) => files.map((file) => put(...file)).join('\n'));
  repository.agent(`if [ "$HELIX_PHASE" = agree ]; then mkdir -p helix-plan\n${agree}\nelse\n${change}\nfi`);
  repository.commit('settings');
  const end = await repository.helix(['do', '--plan', TASK, '--trust', '--budget', '1attempts', ...judge]);
  expect({ code: end.code, said: end.code === 4 ? '' : end.stderr }).toEqual({ code: 4, said: '' });
  const { code, said } = await repository.resume(['--budget', '9attempts']);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  expect((await repository.journaled()).state?.budget).toMatchObject({ usd: 10, minutes: 120 });
});

it('what a task that was too large has shown is told to the meeting that plans it, and to nobody who judges', async () => {
  const repository = plain({ ...FILES, 'helix.yaml': 'do: { max_files: 1, max_lines: 9 }\n' });
  const split = JSON.stringify({ reason: 'two subjects', parts: ['first ZEBRA-1', 'then ZEBRA-2'] });
  const large = script(repository, {
    phases: { change: [{ writes: { 'a.txt': 'tried ZEBRA-3\n', 'helix-split.json': split } }] },
  });
  expect((await repository.helix(['do', `${TASK} ZEBRA-4`, '--trust', ...judge, ...large])).code).toBe(3);
  const { id, request } = await open(repository);
  const plan = request?.options.find(({ description }) => description.startsWith('Plan: '))?.id ?? '';
  const stopped = await repository.helix(['decide', id, plan]);
  expect(stopped.stdout).toContain('helix do --plan --again');
  const roles = { expert: [says('x')], questions: [{ answer: { coverage: [], questions: [] } }], criteria: [CRITERIA] };
  const planning = { phases: { agree: [{ writes: PLAN }], ...WORK }, roles, approvals: { change: [{}] } };
  const end = await repository.helix([
    ...['do', '--plan', '--again', 'mind the docs ZEBRA-5 API', '--trust'],
    ...script(repository, planning),
  ]);
  expect({ code: end.code, said: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, said: '' });
  const briefs = [...(await told(repository))];
  const who = (word: string) => briefs.flatMap(([file, text]) => (text.includes(word) ? [kindOf(file, text)] : []));
  for (const word of ['ZEBRA-1', 'ZEBRA-2', '+tried ZEBRA-3', 'two subjects'])
    expect({ word, who: [...new Set(who(word))].sort() }).toEqual({ word, who: ['agree', 'expert', 'questions'] });
  for (const word of ['ZEBRA-4', 'ZEBRA-5'])
    expect([...new Set(who(word))].sort()).toEqual([
      ...['agree', 'change', 'criteria', 'expert', 'judge', 'mend', 'questions'],
    ]);
});

/** Whose brief it is. */
function kindOf(file: string, text: string): string {
  if (file.startsWith('approvals/')) return 'judge';
  if (!file.includes('/meeting/')) return file.split('/')[1] ?? '';
  return text.startsWith('# What do you think')
    ? 'expert'
    : text.startsWith('# When is it done')
      ? 'criteria'
      : 'questions';
}

it('makes a plan of what is to come on top of a result, on its branch', async () => {
  const repository = plain();
  const first = script(repository, { phases: { change: [{ writes: FIX }] } });
  expect((await repository.helix(['do', TASK, '--trust', ...judge, ...first])).code).toBe(0);
  const more = { mend: [{ writes: { 'more.js': 'export const more = 1;\n' } }], change: [{}] };
  const moves = script(repository, { phases: { agree: [{ writes: PLAN }], ...more }, approvals: { change: [{}] } });
  const end = await repository.helix(['do', '--plan', '--again', 'and more ZEBRA-6', '--trust', ...moves]);
  expect({ code: end.code, said: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, said: '' });
  expect(await repository.files(BRANCH)).toContain('more.js');
  const judged = [...(await told(repository))].find(([file]) => file.startsWith('approvals/'))?.[1];
  expect(judged).toContain('+export const more = 1;');
  expect(judged).not.toMatch(/\+export const sum|helix-plan/);
});

it.each([
  ['a bug', ['--plan', '--type', 'bugfix', TASK], 'do not go together'],
  ['nothing to plan', ['--plan'], 'there is no task'],
  ['nothing to go on from', ['--plan', '--again', TASK], 'there is nothing to go on from'],
])('is refused with %s, and nothing is started', async (_, args, says) => {
  const repository = plain();
  const { code, stderr } = await repository.helix(['do', ...args, '--agent', 'scripted', '--trust']);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
  expect((await repository.journaled()).run).toBe('');
});

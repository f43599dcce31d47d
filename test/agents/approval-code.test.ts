import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { ApprovalDocument } from '../../src/domain/documents/approval-document.ts';
import { askedChecks, fails, isJudge, JUDGE_OFFER, offered, passes, pinnedPath } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, use } from './loopback/answer.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const FILE = 'src/users.mjs';
const SAFE = "  return db.all('select * from users where name = ?', [name]);";
const PLANTED = `  return db.all("select * from users where name = '" + name + "'");`;
const QUOTE = `select * from users where name = '" + name`;
const OBJECTION = 'what a visitor types becomes part of the SQL text';

function users(query: string): string {
  return `/** Finds users. */\nexport function findUsers(db, name) {\n${query}\n}\n`;
}

/** Looks for SQL by Grep, and objects to what it found. */
const greps: Scenario = (request) => {
  if (!isJudge(request)) return say('I am no judge.');
  const { turn, messages } = request;
  if (turn === 0) return use('Grep', { pattern: 'select', path: pinnedPath(request, ''), output_mode: 'content' });
  // The line as Grep shows it: in the difference a sign stands before it.
  const [, line, found] = /users\.mjs:(\d+):(.+)/.exec(messages) ?? [];
  if (line === undefined || found === undefined) return say('I have found nothing.');
  const evidence = { file: FILE, line: Number(line), quote: found.includes(QUOTE) ? QUOTE : found.trim() };
  if (!found.includes(QUOTE)) return structured(passes(askedChecks(request), evidence));
  const hint = 'bind it as a parameter';
  return structured(fails(askedChecks(request), { check: 'security', message: OBJECTION, hint, evidence }));
};

/** What is said before a judge is asked, and nothing else. */
const TAKEN =
  /^judging what changed since main \(base commit [0-9a-f]{12}\):\n(?: \S+ +\| \+1 -1\n)+ \d files?, \d lines? added, \d removed\n$/;

const CACHES = ['unchanged', 'anew', 'file', 'check', 'model'] as const;

let model: LoopbackModel;
beforeAll(async () => {
  const names = ['planted', 'clean', ...CACHES.map((name) => `cache-${name}`)];
  model = await startLoopbackModel(Object.fromEntries(names.map((name) => [name, greps] as const)));
});
afterAll(() => model.close());

type Branch = { readonly query?: string; readonly files?: Readonly<Record<string, string>> };

/** A repository whose branch `work` changes the query of `main`. */
function branched(test: TestContext, scenario: string, { query = SAFE, files = {} }: Branch = {}) {
  const { repository, approve } = claudeRepository({
    command: [requireAgent(test, 'claude-code')],
    url: model.url(scenario),
    files: { [FILE]: users("  return db.all('select * from users');"), ...files },
  });
  repository.git('checkout', '-q', '-b', 'work');
  repository.write({ [FILE]: users(query) });
  repository.commit('find users by name');
  const ask = async (...more: string[]) => {
    const { code, stdout, stderr } = await approve(['code', '--diff', 'main', '--json', ...more]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(TAKEN) });
    const { result, cached, agent_context } = ApprovalDocument.parse(JSON.parse(stdout));
    expect(result).toBe('approved');
    return { cached, model: agent_context.model, requests: model.requests(scenario).length };
  };
  return { repository, approve, ask };
}

describe('helix approve code --diff main with the real claude', () => {
  it('finds the injection a branch planted, by Grep, quotes its line as SARIF and exits 1', async (test) => {
    const { repository, approve } = branched(test, 'planted', { query: PLANTED });
    const before = repository.digest();
    const { code, stdout, stderr } = await approve(['code', '--diff', 'main', '--format', 'sarif']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(TAKEN) });
    expect(repository.digest()).toEqual(before);
    const { version, runs } = JSON.parse(stdout);
    expect(version).toBe('2.1.0');
    expect(runs[0].properties).toMatchObject({ result: 'rejected', simulated: false, stage: 'agent' });
    expect(runs[0].results).toMatchObject([
      { ruleId: 'security', level: 'error', message: { text: expect.stringContaining(OBJECTION) } },
    ]);
    const { artifactLocation, region } = runs[0].results[0].locations[0].physicalLocation;
    expect(artifactLocation.uri).toBe(FILE);
    expect(region).toEqual({ startLine: 3, startColumn: PLANTED.indexOf(QUOTE) + 1, snippet: { text: QUOTE } });

    const requests = model.requests('planted');
    expect(offered(requests)).toEqual(JUDGE_OFFER);
    expect(requests.map(isJudge)).toEqual([true, true]);
    expect(requests[0]?.messages).toContain(`+${PLANTED}`);
  });

  it('approves the branch without it and exits 0', async (test) => {
    const { approve } = branched(test, 'clean');
    const { code, stdout } = await approve(['code', '--diff', 'main']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^code: approved, confidence 0\.95/m);
  });
});

describe('an approval by the real claude', () => {
  it('is given again from the cache without any request', async (test) => {
    const { ask } = branched(test, 'cache-unchanged');
    expect(await ask()).toMatchObject({ cached: false, requests: 2 });
    expect(await ask()).toMatchObject({ cached: true, requests: 2 });
  });

  it('is asked for anew with --no-cache', async (test) => {
    const { ask } = branched(test, 'cache-anew');
    await ask();
    expect(await ask('--no-cache')).toMatchObject({ cached: false, requests: 4 });
  });

  it('is asked for anew when a file has changed', async (test) => {
    const { repository, ask } = branched(test, 'cache-file');
    await ask();
    repository.write({ 'readme.md': 'Users, found by name.\n' });
    repository.commit('say what it is');
    expect(await ask()).toMatchObject({ cached: false, requests: 4 });
  });

  it('is asked for anew when a check has changed', async (test) => {
    const check = 'approvals/code/checks/security.md';
    const files = { 'approvals/code/CLAUDE.md': 'Judge the change.\n', [check]: 'Is it secure?\n' };
    const { repository, ask } = branched(test, 'cache-check', { files });
    await ask();
    repository.git('checkout', '-q', 'main');
    repository.write({ [check]: 'Could a visitor reach the database?\n' });
    repository.commit('ask more closely');
    repository.git('checkout', '-q', 'work');
    repository.git('rebase', '-q', 'main');
    expect(await ask()).toMatchObject({ cached: false, requests: 4 });
    const asked = model.requests('cache-check').map(({ messages }) => messages.includes('Could a visitor reach'));
    expect(asked).toEqual([false, false, true, true]);
  });

  it('is asked for anew when another model is to judge', async (test) => {
    const { ask } = branched(test, 'cache-model');
    const first = await ask('--model', 'sonnet');
    expect(first).toMatchObject({ cached: false, requests: 2, model: expect.stringMatching(/^claude-sonnet/) });
    expect(await ask('--model', 'sonnet')).toMatchObject({ cached: true, requests: 2 });
    const other = await ask('--model', 'haiku');
    expect(other).toMatchObject({ cached: false, requests: 4, model: expect.stringMatching(/^claude-haiku/) });
    expect(model.requests('cache-model').map((each) => each.model.split('-')[1])).toEqual([
      ...['sonnet', 'sonnet', 'haiku', 'haiku'],
    ]);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import type { Repository } from '../repository.ts';
import { scratch } from '../scratch.ts';
import { type ClaudeRepository, claudeRepository } from './claude-repository.ts';
import { fetchDependencies, skip, unpack } from './foreign-packages.ts';
import { colours, distance, markup, type Story } from './foreign-stories.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const PAGE = fileURLToPath(new URL('../../docs/do.md', import.meta.url));
const BLOCK = /^```text\n[\s\S]*?^```$/m;

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ distance: distance.model, markup: markup.model, colours: colours.model });
});
afterAll(() => model.close());

/** Their repository with one commit, as somebody has it who never heard of HELIX, and `claude` in PATH. */
async function opened(test: TestContext, { foreign }: Story, scenario: string): Promise<ClaudeRepository> {
  const claude = requireAgent(test, 'claude-code');
  const root = scratch({ 'bin/none': '' }, tmpdir());
  symlinkSync(claude, join(root, 'bin/claude'));
  const login = { ANTHROPIC_API_KEY: 'a-dummy-key', PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  const parts = { planless: true, files: false, root } as const;
  const made = claudeRepository({ command: [claude], url: model.url(scenario), login, ...parts });
  await unpack(test, foreign, { dir: made.repository.top, scratch: root });
  made.repository.commit(`${foreign.name} ${foreign.version}`);
  return made;
}

/** From the sentence to the branch; gives what somebody saw. */
async function done({ repository, call }: ClaudeRepository, args: readonly string[]): Promise<string> {
  const before = repository.digest();
  const { code, stdout, stderr } = await call(['do', ...args, '--trust']);
  expect({ code, said: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ code: 0, said: '' });
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  return `${stderr}\n${stdout}`;
}

/** What a program says in their merged repository. */
function said(repository: Repository, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: repository.top, env: repository.env(), encoding: 'utf8' }).trim();
}

it('a JavaScript package with tests: a rejected attempt, another one, a merge, as docs/do.md shows it', async (test) => {
  const made = await opened(test, distance, 'distance');
  const { repository, call } = made;
  fetchDependencies(test, repository.top, repository.env());
  const seen = await done(made, [distance.task]);
  expect(seen).toMatch(/^must pass {2}syntax · npm test · an independent judge of the change$/m);
  expect(seen).toMatch(/^set-up {2}npm install --no-package-lock, /m);
  expect(seen).toMatch(/^tests +19 pass, 1 new [(]before: 18 pass[)]$/m);
  const evidence = await call(['evidence']);
  const [branch = ''] = /helix\/[\w-]+/.exec(seen) ?? [];
  const merge = repository.git('merge', branch);
  const mended = 'const d = require("."); d("kitten", "sitting", 2).steps + " " + d("a", "abcdefgh", 2).steps';
  expect(said(repository, 'node', '-p', mended)).toBe('3 3');
  checkPage(
    test,
    `$ helix do "${distance.task}" --trust\n${seen}\n$ helix evidence\n${evidence.stdout}\n$ git merge ${branch}\n${merge}`,
  );
});

it('a Python package with tests: a test that shows the bug, the mending, a merge', async (test) => {
  if (spawnSync('python3', ['--version']).status !== 0) skip(test, 'there is no python3');
  const made = await opened(test, markup, 'markup');
  const seen = await done(made, ['--type', 'bugfix', markup.task]);
  expect(seen).toMatch(
    /^must pass {2}syntax · python3 -m unittest discover -s tests · an independent judge of the change$/m,
  );
  expect(seen).not.toMatch(/^set-up/m);
  expect(seen).toMatch(/^ tests\/test_dicttoxml[.]py [|] [+]4 -0 +fails without the change, passes with it$/m);
  made.repository.git('merge', '-q', /helix\/[\w-]+/.exec(seen)?.[0] ?? '');
  const mended = 'import xmltodict\ntry: xmltodict.unparse({"a><b": "1"})\nexcept ValueError: print("refused")';
  expect(said(made.repository, 'python3', '-c', mended)).toBe('refused');
});

it('a package with no tests: a merge, and it is said that nothing was tested', async (test) => {
  const made = await opened(test, colours, 'colours');
  const seen = await done(made, [colours.task]);
  expect(seen).toMatch(/^must pass {2}syntax · an independent judge of the change$/m);
  expect(seen).toMatch(/^not checked {2}tests: none were found/m);
  made.repository.git('merge', '-q', /helix\/[\w-]+/.exec(seen)?.[0] ?? '');
  const { env } = { env: { ...made.repository.env(), FORCE_COLOR: '0' } };
  const colour = execFileSync('node', ['-p', 'require(".").isColorSupported'], { cwd: made.repository.top, env });
  expect(String(colour).trim()).toBe('false');
});

/** The page shows what was seen, without what differs from one time to the next; HELIX_RECORD=1 writes it there. */
function checkPage(test: TestContext, seen: string): void {
  // Elsewhere other copies are made.
  if (!seen.includes('sandbox: strict')) skip(test, 'docs/do.md shows a run in strict, which this machine cannot do');
  const shown = `\`\`\`text\n${essence(seen).trimEnd()}\n\`\`\``;
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.HELIX_RECORD === '1')
    writeFileSync(
      PAGE,
      page.replace(BLOCK, () => shown),
    );
  else expect(BLOCK.exec(page)?.[0]).toBe(shown);
}

function essence(seen: string): string {
  return seen
    .replaceAll(/\d{8}-[0-9a-f]{8}/g, '20261118-1a2b3c4d')
    .replaceAll(/\b[0-9a-f]{16}\b/g, '5d0f61c2a9b84e37')
    .replaceAll(/\b[0-9a-f]{12}\b/g, '3f2a9c1d0b7e')
    .replaceAll(/@ [0-9a-f]{7}\b/g, '@ 3f2a9c1')
    .replaceAll(/\b[0-9a-f]{7}[.]{2}[0-9a-f]{7}\b/g, '3f2a9c1..8c41d07')
    .replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, '1s')
    .replaceAll(/\b0[.]\d\d USD/g, '0.05 USD')
    .replaceAll(/\b[\d,]+ tokens/g, '1,500 tokens')
    .replaceAll(/^sandbox: .*$/gm, 'sandbox: strict (bubblewrap)');
}

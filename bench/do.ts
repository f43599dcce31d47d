import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { say, use } from '../test/agents/loopback/answer.ts';
import { type LoopbackModel, type ModelRequest, startLoopbackModel } from '../test/agents/loopback-model.ts';
import { findAgent } from '../test/agents/real-agents.ts';
import { HELIX } from '../test/helix-process.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const TASK = 'write what was made into made.txt';
const TOKENS = 1500;
/** Bytes of English in a token, as HELIX itself reckons. */
const BYTES = 4;
/** What the tests of a repository of 500 files take, at least: what HELIX adds is the same whatever they take. */
const TESTS_MS = 3000;
const TEST = `import { test } from 'node:test';\ntest('waits', () => new Promise((done) => setTimeout(done, ${TESTS_MS})));\n`;

type Env = Readonly<Record<string, string>>;
type Place = { readonly dir: string; readonly repo: string; readonly env: Env };

/** What `helix do` takes beside what the same work takes without it. */
export async function doClaims(): Promise<Claim[]> {
  const claude = findAgent('claude-code');
  if ('missing' in claude) console.log(`skipped  helix do with claude: ${claude.missing}`);
  const withClaude = 'program' in claude ? await inPlace(500, (place) => claudeClaims(place, claude.program)) : [];
  return [...withClaude, await inPlace(5000, startClaim)];
}

/** A repository of so many files, and a user of its own. */
function inPlace<T>(files: number, work: (place: Place) => Promise<T>): Promise<T> {
  return inDirectory(async (made) => {
    const dir = realpathSync(made);
    const [repo, home] = [join(dir, 'repo'), join(dir, 'home')];
    for (const each of [repo, home]) mkdirSync(each);
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = b\n\temail = b@localhost\n');
    const own = { XDG_CACHE_HOME: join(dir, 'cache'), XDG_STATE_HOME: join(dir, 'state') };
    const place = { dir, repo, env: { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1', ...own } };
    for (let n = 0; n < files; n += 1) {
      mkdirSync(join(repo, `src/module-${n % 50}`), { recursive: true });
      writeFileSync(join(repo, `src/module-${n % 50}/file-${n}.js`), `export const value${n} = ${n};\n`.repeat(40));
    }
    return work(place);
  });
}

async function claudeClaims(place: Place, claude: string): Promise<Claim[]> {
  const script = [use('Write', { file_path: 'made.txt', content: 'made\n' }), say('Done.')] as const;
  const model = await startLoopbackModel({ plain: script, helix: script });
  const login = {
    ANTHROPIC_API_KEY: 'a-dummy-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const { repo } = place;
  const asking = (scenario: string) => ({
    ...place,
    env: { ...place.env, ...login, ANTHROPIC_BASE_URL: model.url(scenario) },
  });
  commit(place, {
    'package.json': '{ "name": "bench", "type": "module", "scripts": { "test": "node --test" } }\n',
    'test/waits.test.js': TEST,
    'helix.yaml': JSON.stringify({ agents: { default: { driver: 'claude-code', command: [claude] } } }),
  });
  let runs = 0;
  const helix = async () => {
    runs += 1;
    await run([HELIX, 'do', TASK, '--no-judge', '--trust', '--branch', `made-${runs}`], asking('helix'));
  };
  const plain = async () => {
    const args = ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'];
    await run(['npm', 'test'], place);
    await run([claude, ...args], asking('plain'), TASK);
    await run(['npm', 'test'], place);
    rmSync(join(repo, 'made.txt'));
  };
  const { ratio, thing, base } = await compare(
    5,
    () => time(helix),
    () => time(plain),
  );
  const added = toldBy(model, 'helix') - toldBy(model, 'plain');
  await model.close();
  const name = 'helix do --no-judge in a repository of 500 files, with tests of 3 s / claude -p and the tests twice';
  return [
    { name, limit: 1.25, ratio, detail: `${thing.toFixed(0)} ms / ${base.toFixed(0)} ms` },
    {
      name: `tokens that helix do adds to the prompt / ${TOKENS}`,
      ...{ limit: 1, ratio: added / TOKENS, detail: `about ${added.toFixed(0)} tokens` },
    },
  ];
}

/** What the agent's first request tells the model beside its tools, in tokens. */
function toldBy(model: LoopbackModel, scenario: string): number {
  const isWork = ({ turn, tools }: ModelRequest) => turn === 0 && tools.includes('Write');
  const { system = '', messages = '' } = model.requests(scenario).find(isWork) ?? {};
  if (messages === '') throw new Error(`nobody asked ${scenario} to work`);
  return Buffer.byteLength(system + messages) / BYTES;
}

/** From Enter to the agent's start, less what the tests take on the untouched tree; set-up and trust are known. */
async function startClaim(place: Place): Promise<Claim> {
  const { dir, repo } = place;
  const marks = join(dir, 'marks');
  const agent = join(dir, 'agent.sh');
  writeFileSync(agent, `#!/bin/sh\ndate +agent=%s%N >> ${marks}\ncat > /dev/null\necho made > made.txt\n`);
  chmodSync(agent, 0o755);
  const tests = ['sh', '-c', `date +begun=%s%N >> ${marks}; sleep 0.2; date +ended=%s%N >> ${marks}; echo "ok 1 - it"`];
  commit(place, {
    'phases.yaml': JSON.stringify({
      ...{ project: { name: 'bench' }, workspace: 'repo' },
      phases: [
        { id: 'work', type: 'development', output: ['made.txt'], quality_gate: { type: 'tests_pass', command: tests } },
      ],
    }),
    'helix.yaml': JSON.stringify({ sandbox: 'basic', agents: { default: { driver: 'command', command: [agent] } } }),
  });
  let runs = 0;
  const start = async () => {
    runs += 1;
    rmSync(marks, { force: true });
    const entered = Date.now();
    await run([HELIX, 'do', TASK, '--no-judge', '--trust', '--branch', `made-${runs}`], place);
    const at = (mark: string) =>
      Number(new RegExp(`^${mark}=(\\d+)$`, 'm').exec(readFileSync(marks, 'utf8'))?.[1]) / 1e6;
    return at('agent') - entered - (at('ended') - at('begun'));
  };
  const worktree = join(dir, 'worktree');
  const added = async () => {
    const took = await time(() => execFileSync('git', ['worktree', 'add', '-q', '--detach', worktree], { cwd: repo }));
    execFileSync('git', ['worktree', 'remove', '--force', worktree], { cwd: repo });
    return took;
  };
  const { ratio, thing, base } = await compare(5, start, added);
  const name = 'from Enter to the agent in a repository of 5,000 files, without its tests / git worktree add';
  return { name, limit: 3, ratio, detail: `${thing.toFixed(0)} ms / ${base.toFixed(0)} ms` };
}

function commit({ repo, env }: Place, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(repo, path, '..'), { recursive: true });
    writeFileSync(join(repo, path), content);
  }
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'files'],
  ])
    execFileSync('git', args, { cwd: repo, env, stdio: 'ignore' });
}

async function run([program = '', ...args]: readonly string[], { repo, env }: Place, input = ''): Promise<void> {
  const child = spawn(program, args, { cwd: repo, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}: ${(err + out).slice(-2000)}`);
}

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { helix, startHelix } from './helix-process.ts';
import { eventually } from './robust-project.ts';
import { Stage } from './run-scenario.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

it('a script given on the command line is part of the run: after a kill, resume plays the same one', async () => {
  stage = new Stage('review');
  const { dir } = stage;
  const no = `phases: { check: [{ writes: { output/review.json: '{"approved": false}' } }] }\n`;
  writeFileSync(join(dir, 'no.yaml'), no);
  writeFileSync(join(dir, 'scripted.yaml'), '{}\n');
  const uncut = await helix(['run', '--script', 'no.yaml'], { cwd: dir });
  expect(uncut.code).toBe(3);
  const { child, end } = startHelix(['run', '--script', 'no.yaml'], { cwd: dir });
  for await (const piece of child.stderr ?? []) if (String(piece).includes('attempt 1 started')) break;
  child.kill('SIGKILL');
  await end;
  expect(await helix(['resume'], { cwd: dir })).toMatchObject({ code: 3 });
});

it('a run that waits can be cancelled although its script is broken by now', async () => {
  stage = new Stage('exhausted');
  const { dir } = stage;
  expect(await helix(['run'], { cwd: dir })).toMatchObject({ code: 3 });
  writeFileSync(join(dir, 'scripted.yaml'), 'phases: [\n');
  expect(await helix(['cancel'], { cwd: dir })).toMatchObject({ code: 0 });
  expect((await helix(['status'], { cwd: dir })).stdout).toContain('cancelled');
});

it('a run parked on its attempts goes on with what its last line says', async () => {
  stage = new Stage('straight');
  const { dir } = stage;
  writeFileSync(
    join(dir, 'helix.yaml'),
    'agents: { default: { driver: scripted } }\nallow_simulated: true\nbudget: { attempts: 1, usd: 1 }\n',
  );
  const { code, stdout } = await helix(['run'], { cwd: dir });
  expect(code).toBe(4);
  const advice = /helix (resume .*)\n/.exec(stdout)?.[1] ?? '';
  expect(advice).toMatch(/--budget 2attempts$/);
  await helix(advice.split(' '), { cwd: dir });
  expect(await helix(['resume', '--budget', '9attempts'], { cwd: dir })).toMatchObject({ code: 0 });
});

it("a phase's own limit parks with 4, and raising it in the plan goes on without doing anything again", async () => {
  stage = new Stage('mended');
  const { dir } = stage;
  const plan = readFileSync(join(dir, 'phases.yaml'), 'utf8');
  writeFileSync(join(dir, 'phases.yaml'), plan.replace('- id: write', '- id: write\n    budget: { attempts: 1 }'));
  const { code, stdout } = await helix(['run'], { cwd: dir });
  expect(code).toBe(4);
  expect(stdout).toMatch(/of its own budget, 1 attempts are used up/);
  const advice = /Raise the budget of \S+ in phases.yaml, then go on with: helix (resume .*)\n/.exec(stdout)?.[1] ?? '';
  expect(await helix(['resume', '--budget', '100'], { cwd: dir })).toMatchObject({ code: 4 });
  writeFileSync(join(dir, 'phases.yaml'), plan);
  const mended = await helix([...advice.split(' '), '--json'], { cwd: dir });
  expect(mended.code).toBe(0);
  expect(JSON.parse(mended.stdout)).toMatchObject({ status: 'passed', phases: [{ attempts: 2 }, { attempts: 1 }] });
});

it('a run begins with who works, by which model, and what it may cost', async () => {
  stage = new Stage('straight');
  const { dir } = stage;
  const first = async (...args: string[]) => (await helix(['run', ...args], { cwd: dir })).stderr.split('\n');
  expect(await first()).toContain('agent: default (scripted); budget: 10 USD, 120 agent minutes (default)');
  expect(await first('--model', 'opus', '--budget', '3')).toContain(
    'agent: default (scripted, claude-opus-5-5); budget: 3 USD, 120 agent minutes',
  );
  expect(await first('--model', 'opuss')).toContain('no model is known as "opuss"; did you mean opus?');
});

it.each<[driver: string, who: string]>([
  ['claude-code', 'only the agent itself keeps to the limit'],
  ['codex', 'nobody keeps it to the limit'],
])('%s with a model nobody knows the price of is announced with what that means', async (driver, who) => {
  stage = new Stage('straight');
  const { dir } = stage;
  writeFileSync(join(dir, 'request.md'), 'Write what the plan says\n');
  mkdirSync(join(dir, 'config'), { recursive: true });
  writeFileSync(
    join(dir, 'config', 'llm-providers.yaml'),
    'providers: { house: { name: House, models: { house-model-7: { id: house-model-7 } } } }\n',
  );
  const said = async (model: string) => {
    writeFileSync(
      join(dir, 'helix.yaml'),
      `agents: { default: { driver: ${driver}, model: ${model}, command: [/no/such/program] } }\n`,
    );
    return (await helix(['run', '--trust'], { cwd: dir })).stderr;
  };
  expect(await said('house-model-7')).toContain(`no price is known for house-model-7, so ${who} in dollars\n`);
  expect(await said('opus')).not.toContain('no price is known');
});

it('a directory of HELIX that is a link to somewhere else is refused', async () => {
  stage = new Stage('straight');
  mkdirSync(join(stage.dir, 'elsewhere'));
  symlinkSync('elsewhere', join(stage.dir, '.helix'));
  expect(await helix(['run'], { cwd: stage.dir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('symbolic link'),
  });
  expect(readdirSync(join(stage.dir, 'elsewhere'))).toEqual([]);
});

it("what a killed HELIX left half done is not taken for the user's own by the next run, and is set aside", async () => {
  stage = new Stage('straight');
  const { dir } = stage;
  writeFileSync(join(dir, 'scripted.yaml'), 'phases: { one: [{ writes: { output/plan.md: half }, sleep: 3600 }] }\n');
  const { child, end } = startHelix(['run'], { cwd: dir });
  const half = join(dir, 'phases', 'one', 'output', 'plan.md');
  await eventually(() => existsSync(half));
  child.kill('SIGKILL');
  await end;
  writeFileSync(join(dir, 'scripted.yaml'), 'phases: { one: [{ prints: nothing }] }\n');
  const { code, stderr } = await helix(['run'], { cwd: dir });
  expect({ code, told: stderr.includes('output/plan.md is missing') }).toEqual({ code: 3, told: true });
  const aside = readdirSync(join(dir, '.helix', 'aside', 'one'), { recursive: true }).map(String);
  expect(aside.filter((path) => path.endsWith('plan.md'))).toHaveLength(1);
});

it("a file the user puts into a phase's directory while a run waits is never lost", async () => {
  stage = new Stage('exhausted');
  const { dir } = stage;
  expect(await helix(['run'], { cwd: dir })).toMatchObject({ code: 3 });
  writeFileSync(join(dir, 'phases', 'hard', 'notes.txt'), 'mine');
  const [request = ''] = /\S+-q1-\w+/.exec((await helix(['inbox'], { cwd: dir })).stdout) ?? [];
  expect(await helix(['decide', request, 'A'], { cwd: dir })).toMatchObject({ code: 0 });
  const kept = readdirSync(join(dir, '.helix', 'aside', 'hard'), { recursive: true }).map(String);
  expect(kept.filter((path) => path.endsWith('notes.txt'))).toHaveLength(1);
});

it('a broken template is found before anything starts', async () => {
  stage = new Stage('straight');
  mkdirSync(join(stage.dir, 'templates', 'brief', 'types'), { recursive: true });
  writeFileSync(join(stage.dir, 'templates', 'brief', 'types', 'documentation.md'), 'Hello {{ nonsense }}\n');
  const { code, stderr } = await helix(['run'], { cwd: stage.dir });
  expect({ code, place: stderr.includes('documentation.md:1:') }).toEqual({ code: 2, place: true });
  expect((await helix(['list'], { cwd: stage.dir })).stdout).toBe('');
});

it('every printed command works from where it is printed', async () => {
  stage = new Stage('exhausted');
  const parent = join(stage.dir, '..');
  const name = stage.dir.slice(parent.length + 1);
  const { stdout } = await helix(['run', name], { cwd: parent, env: { XDG_STATE_HOME: `${stage.dir}/.state` } });
  const [, command = ''] = /helix (decide .*)\n/.exec(stdout) ?? [];
  expect(command).toContain(`-C ${name}`);
  expect(await helix(command.trim().split(' '), { cwd: parent })).toMatchObject({ code: 0 });
});

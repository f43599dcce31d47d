import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { helix } from './helix-process.ts';
import { Repository } from './repository.ts';
import { Stage } from './run-scenario.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

const ONCE = 'escalation: { max_retries_per_level: 1, levels: { stufe_1: { max_attempts: 0 } } }\n';
const LATER = `escalation: { max_retries_per_level: 4, levels: { stufe_1: { max_attempts: 0 } } }
error_patterns: [{ pattern: never, level: stufe_2 }]\n`;
const AGENTS = 'agents: { default: { driver: scripted } }\nallow_simulated: true\n';

function setUp(files: Readonly<Record<string, string>>): Stage {
  const made = new Stage('exhausted');
  mkdirSync(join(made.dir, 'config'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(made.dir, path), text);
  stage = made;
  return made;
}

async function frozen(at: Stage) {
  const world = at.world();
  const journal = await world.journal();
  const [listed] = await journal.list();
  const state = await at.read(world, listed?.run ?? '');
  journal.close();
  return { escalation: state.escalation, notify: state.notify, attempts: state.phases.get('hard')?.history.judged };
}

describe('config/escalation.yaml and a run', () => {
  it('a changed file changes nothing in a run that has begun, until --replan takes it', async () => {
    const at = setUp({ 'config/escalation.yaml': ONCE, 'helix.yaml': `${AGENTS}notify: [{ bell: true }]\n` });
    const { dir } = at;
    expect(await helix(['run', '--trust'], { cwd: dir })).toMatchObject({ code: 3 });
    const before = await frozen(at);
    expect(before).toMatchObject({
      attempts: 1,
      escalation: { consultant: { attempts: 0 } },
      notify: [{ bell: true }],
    });
    expect(before.escalation.errorPatterns).not.toEqual([]);
    writeFileSync(join(dir, 'config/escalation.yaml'), LATER);
    writeFileSync(join(dir, 'helix.yaml'), AGENTS);
    const resumed = await helix(['resume'], { cwd: dir });
    expect(resumed.code).toBe(3);
    expect(resumed.stderr).toContain('helix.yaml and config/escalation.yaml changed since this run began');
    expect(await frozen(at)).toEqual(before);
    await helix(['resume', '--replan'], { cwd: dir });
    expect(await frozen(at)).toMatchObject({
      escalation: { consultant: { attempts: 0 }, errorPatterns: [{ pattern: 'never', level: 'stufe-2' }] },
      notify: [],
    });
  });

  it('one with errors starts nothing', async () => {
    const { dir } = setUp({ 'config/escalation.yaml': 'escalation: { level: {} }\n' });
    const { code, stderr } = await helix(['run'], { cwd: dir });
    expect(code).toBe(2);
    expect(stderr).toContain('config/escalation.yaml:1:15  error  unknown key "level"');
    expect((await helix(['list', '--json'], { cwd: dir })).stdout).toContain('"runs": []');
  });

  it('a consultant that is not installed is missed before anybody works', async () => {
    const { dir } = setUp({ 'helix.yaml': `${AGENTS}roles: { consultant: codex }\n` });
    const missing = await helix(['run', '--trust'], { cwd: dir, env: { PATH: '/nonexistent' } });
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('codex');
    expect((await helix(['list', '--json'], { cwd: dir })).stdout).toContain('"runs": []');
  });
});

it('an agent that changes config/escalation.yaml leads to a question, even where it makes the file', async () => {
  const repository = new Repository({
    agent: 'echo 1 > out.txt; mkdir -p config; echo "error_patterns: []" > config/escalation.yaml',
  });
  const { code, said } = await repository.run();
  expect(code).toBe(3);
  expect(said).toContain('What it changed: "config/escalation.yaml"');
});

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { helix, startHelix } from './helix-process.ts';
import { Stage } from './run-scenario.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

it('a script given on the command line is part of the run: after a kill, resume plays the same one', async () => {
  stage = new Stage('review');
  const { dir } = stage;
  const no = `phases: { check: [{ sleep: 0.4, writes: { output/review.json: '{"approved": false}' } }] }\n`;
  writeFileSync(join(dir, 'no.yaml'), no);
  writeFileSync(join(dir, 'scripted.yaml'), '{}\n');
  const uncut = await helix(['run', '--script', 'no.yaml'], { cwd: dir });
  expect(uncut.code).toBe(3);
  const { child, end } = startHelix(['run', '--script', 'no.yaml'], { cwd: dir });
  await once(child.stderr ?? child, 'data');
  await pause(300);
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
    'agents: { default: { driver: scripted } }\nallow_simulated: true\nbudget: { attempts: 1 }\n',
  );
  const { code, stdout } = await helix(['run'], { cwd: dir });
  expect(code).toBe(4);
  const advice = /helix (resume .*)\n/.exec(stdout)?.[1] ?? '';
  expect(advice).toMatch(/--budget 2attempts$/);
  await helix(advice.split(' '), { cwd: dir });
  expect(await helix(['resume', '--budget', '9attempts'], { cwd: dir })).toMatchObject({ code: 0 });
});

it('a directory of HELIX that is a link to somewhere else is refused', async () => {
  stage = new Stage('straight');
  const { symlinkSync, mkdirSync, readdirSync } = await import('node:fs');
  mkdirSync(join(stage.dir, 'elsewhere'));
  symlinkSync('elsewhere', join(stage.dir, '.helix'));
  expect(await helix(['run'], { cwd: stage.dir })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('symbolic link'),
  });
  expect(readdirSync(join(stage.dir, 'elsewhere'))).toEqual([]);
});

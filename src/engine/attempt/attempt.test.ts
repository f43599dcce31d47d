import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Stage } from '../../../test/run-scenario.ts';
import type { World } from '../../ports/world.ts';

it('what an agent says while it works is shown without secrets', async () => {
  const stage = new Stage('parked');
  onTestFinished(() => stage.dispose());
  const phases = [{ id: 'a', type: 'development', description: 'Make it', output: ['made.txt'] }];
  const plan = { project: { name: 'x' }, workspace: 'phase-dirs', phases };
  writeFileSync(join(stage.dir, 'phases.yaml'), JSON.stringify(plan));
  writeFileSync(join(stage.dir, 'helix.yaml'), 'agents: { default: { driver: claude-code } }\n');
  const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
  const world: World = {
    ...stage.world(),
    agent: async () => ({
      driver: 'claude-code',
      simulated: false,
      perform: async (task) => {
        writeFileSync(join(task.dir, 'made.txt'), 'x');
        task.onLine('raw', `it is ${secret}`);
        return { kind: 'done', cost: { usd: 0, basis: 'reported' } };
      },
    }),
  };
  onTestFinished(() => world.close());
  const shown: string[] = [];
  await stage.start(world, { onText: (_phase, text) => shown.push(text) });
  expect(shown).toHaveLength(1);
  expect(shown[0]).not.toContain(secret);
});

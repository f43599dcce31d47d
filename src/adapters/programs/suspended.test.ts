import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';

const LIMIT_MS = 1500;
const STOPPED_MS = 2500;

/** A HELIX with a program under limits and a sleeper, which tells what became of them. */
const SCRIPT = `
  import { systemClock } from ${JSON.stringify(new URL('../clock.ts', import.meta.url).href)};
  import { createProcesses } from ${JSON.stringify(new URL('./processes.ts', import.meta.url).href)};
  const { run } = createProcesses({ graceMs: 300 });
  const spec = (name, script, limits) => ({ argv: ['sh', '-c', script], cwd: '/', env: { PATH: process.env.PATH },
    marker: 'suspended-' + name + process.pid, wallMs: 20_000, ...limits });
  let started = 0;
  const onLine = () => { if (++started === 2) console.log('ready'); };
  const since = systemClock.monotonic();
  const all = Promise.all([
    run(spec('wall', 'echo; sleep 2; exit 7', { onLine, wallMs: ${LIMIT_MS} })),
    run(spec('idle', 'echo; sleep 2; exit 7', { onLine, idleMs: ${LIMIT_MS} })),
    systemClock.sleep(${LIMIT_MS}).then(() => systemClock.monotonic() - since),
  ]);
  const [wall, idle, slept] = await all;
  console.log(JSON.stringify({ wall: wall.message, idle: idle.message, slept }));`;

test('while HELIX is stopped its limits are not used up', async () => {
  const helix = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(helix.stdout);
  await once(lines, 'line');
  helix.kill('SIGSTOP');
  await pause(STOPPED_MS);
  helix.kill('SIGCONT');
  const [line] = (await once(lines, 'line')) as [string];
  const told = JSON.parse(line) as { wall: string; idle: string; slept: number };
  expect(told).toMatchObject({ wall: 'exited with code 7', idle: 'exited with code 7' });
  expect(told.slept).toBeGreaterThan(STOPPED_MS + LIMIT_MS - 750);
}, 15_000);

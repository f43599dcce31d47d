import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scratchDirectory } from './programs.fixture.ts';

/** More than the test needs to stop HELIX on a busy machine. */
const LIMIT_MS = 5000;
const STOPPED_MS = 6000;
const GO = join(scratchDirectory(), 'go');

/** A HELIX with programs under limits, which tells what became of them. */
const SCRIPT = `
  import { createProcesses } from ${JSON.stringify(new URL('./processes.ts', import.meta.url).href)};
  const { run } = createProcesses({ graceMs: 300 });
  const spec = (name, script, limits) => ({ argv: ['sh', '-c', script], cwd: '/', env: { PATH: process.env.PATH },
    marker: 'suspended-' + name + process.pid, wallMs: 240_000, ...limits });
  const script = 'echo; while [ ! -e ${GO} ]; do sleep 0.02; done; exit 7';
  let started = 0;
  const onLine = () => { if (++started === 2) console.log('ready'); };
  const ends = await Promise.all([
    run(spec('wall', script, { onLine, wallMs: ${LIMIT_MS} })),
    run(spec('idle', script, { onLine, idleMs: ${LIMIT_MS} })),
  ]);
  console.log(JSON.stringify(ends.map(({ message }) => message)));`;

test('while HELIX is stopped its limits are not used up', async () => {
  const helix = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(helix.stdout);
  await once(lines, 'line');
  helix.kill('SIGSTOP');
  await pause(STOPPED_MS);
  writeFileSync(GO, '');
  helix.kill('SIGCONT');
  const [line] = (await once(lines, 'line')) as [string];
  expect(JSON.parse(line)).toEqual(['exited with code 7', 'exited with code 7']);
});

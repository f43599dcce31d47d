import { randomUUID } from 'node:crypto';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { findSandbox } from '../src/adapters/programs/walls/find-sandbox.ts';
import { present } from '../src/domain/present.ts';
import type { Confinement } from '../src/ports/processes.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

/** A gate's command behind walls against the same command without; no claim where there are no walls. */
export async function sandboxClaims(): Promise<Claim[]> {
  const processes = createProcesses();
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' };
  const { level, why, limits } = await findSandbox('auto', { processes, env });
  if (level !== 'strict') {
    console.log(`skipped  the strict sandbox: ${why}`);
    return [];
  }
  return inDirectory(async (dir) => {
    const confine: Confinement = {
      ...{ kind: 'closed', writable: [dir], readable: [], network: 'loopback' },
      ...present({ limits }),
    };
    const run = (walls: { confine?: Confinement }) =>
      time(() => processes.run({ argv: COMMAND, cwd: dir, env, marker: randomUUID(), wallMs: 60_000, ...walls }));
    const { ratio, thing, base } = await compare(
      15,
      () => run({ confine }),
      () => run({}),
    );
    const detail = `${thing.toFixed(0)} ms / ${base.toFixed(0)} ms`;
    return [{ name: 'a gate command in the strict sandbox / without a sandbox', limit: 1.1, ratio, detail }];
  });
}

/** About 0.3 s, as quick tests take. */
const COMMAND = ['sh', '-c', 'sleep 0.25; for i in 1 2 3 4 5 6 7 8; do ls / > listed; done'];

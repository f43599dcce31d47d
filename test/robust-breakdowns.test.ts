import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judgedTwice } from './essence.ts';
import { randomNumbers } from './random-numbers.ts';
import { DEEP, repetitions } from './repetitions.ts';
import { Repository } from './repository.ts';

const SEED = Number(process.env.HELIX_SEED ?? 20_261_118);
const POINTS = repetitions(6, 200);

/** What fails, and about how often a run asks for it. */
const CALLS = [
  ['fsync', 'EIO', 30],
  ['pwrite64', 'EIO', 80],
  ['rename', 'EIO', 40],
  // Which file that hits depends on the machine, so a failure would come at any time: only `npm run test:deep` looks.
  ...(DEEP ? [['openat', 'EMFILE', 1800] as const] : []),
] as const;

const hasStrace = spawnSync('strace', ['-V']).status === 0;

function points(): [call: string, error: string, when: number][] {
  const random = randomNumbers(SEED);
  return Array.from({ length: POINTS }, (_, n) => {
    const [call, error, most] = CALLS[n % CALLS.length] ?? CALLS[0];
    return [call, error, 1 + Math.floor(random() * most)];
  });
}

describe.skipIf(!hasStrace)(`a call of the system that fails once (HELIX_SEED=${SEED}, skipped without strace)`, () => {
  it.each(
    points(),
  )('%s with %s at its %ith time parks the run or passes, and it ends as it should', async (call, error, when) => {
    const repository = new Repository({
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['out.txt'],
          quality_gate: { type: 'custom', command: ['grep', '-q', 'done', 'out.txt'] },
        },
      ],
    });
    const through = [
      'strace',
      '-qq',
      '-f',
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:error=${error}:when=${when}`,
    ];
    const { code, said, run } = await repository.run([], { through });
    expect({ said, code }).toEqual({
      said: expect.not.stringMatching(/inside HELIX|\n +at .*:\d+:\d+/),
      code: expect.toSatisfy(isCalm),
    });
    // A start that failed has left no run; one that passed needs nothing more.
    const after = run === '' ? await repository.run() : await repository.resume();
    expect({ said: after.code === 0 ? '' : after.said, code: after.code }).toEqual({ said: '', code: 0 });
    expect(judgedTwice(after.events)).toEqual([]);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });
});

/** It went well, or stands still until its user says otherwise. */
function isCalm(code: number | null): boolean {
  return code === 0 || code === 5;
}

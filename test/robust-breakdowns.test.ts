import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { acceptedTrees, judgedTwice } from './essence.ts';
import { randomNumbers } from './random-numbers.ts';
import { DEEP, repetitions } from './repetitions.ts';
import { Repository } from './repository.ts';

const SEED = Number(process.env.HELIX_SEED ?? 20_261_118);
const POINTS = repetitions(10, 200);
const HELLO = fileURLToPath(new URL('../examples/hello', import.meta.url));

/** What fails, and about how often a thread of a run asks for it; strace counts for each thread alone. */
type Breakdown = { readonly call: string; readonly error: string; readonly most: number; readonly least?: number };

/**
 * Only calls that concern files: a failing write to what wakes its own threads makes Node abort, so `write` is broken at files of
 * the project alone.
 */
const CALLS: readonly Breakdown[] = [
  { call: 'fsync', error: 'EIO', most: 30 },
  { call: 'fdatasync', error: 'EIO', most: 2 },
  { call: 'pwrite64', error: 'ENOSPC', most: 90 },
  { call: 'rename', error: 'EIO', most: 21 },
  { call: 'mkdir', error: 'ENOSPC', most: 50 },
  { call: 'pwrite64', error: 'EIO', most: 90 },
  { call: 'write', error: 'ENOSPC', most: 2 },
  { call: 'rename', error: 'ENOSPC', most: 21 },
  { call: 'ftruncate', error: 'ENOSPC', most: 6 },
  { call: 'fsync', error: 'ENOSPC', most: 30 },
  { call: 'mkdir', error: 'EIO', most: 50 },
  // Which file that hits depends on the machine, so a failure would come at any time: only `npm run test:deep` looks. Before, it is Node that
  // is loaded, or what loads programs, which nobody outlives.
  ...(DEEP ? [{ call: 'openat', error: 'EMFILE', most: 1700, least: 150 }] : []),
];

const hasStrace = spawnSync('strace', ['-V']).status === 0;

function points({ written }: Subject): [call: string, error: string, when: number][] {
  const random = randomNumbers(SEED);
  const calls = CALLS.filter(({ call }) => call !== 'write' || written.length > 0);
  return Array.from({ length: POINTS }, (_, n) => {
    const { call, error, most, least = 1 } = calls[n % calls.length] ?? { call: 'fsync', error: 'EIO', most: 1 };
    return [call, error, least + Math.floor(random() * (most + 1 - least))];
  });
}

type Subject = {
  readonly name: string;
  readonly make: () => Repository;
  /** What a run of it leaves, to be the same however it went. */
  readonly result: (repository: Repository, events: readonly RunEvent[]) => Promise<unknown>;
  /** Files below it that are written in pieces. */
  readonly written: readonly string[];
};

const SUBJECTS: readonly Subject[] = [
  {
    name: 'a run in a repository',
    make: () =>
      new Repository({
        phases: [
          {
            ...{ id: 'work', type: 'development', output: ['out.txt'] },
            quality_gate: { type: 'custom', command: ['grep', '-q', 'done', 'out.txt'] },
          },
        ],
      }),
    result: async (repository) => [await repository.changed(), await repository.result('out.txt')],
    // What is written here has names that nobody knows before.
    written: [],
  },
  {
    name: 'a run of examples/hello',
    make: () => new Repository({ files: filesOf(HELLO) }),
    result: async (_repository, events) => acceptedTrees(events),
    written: ['.helix/left/notes.jsonl', 'phases/01-plan/output/plan.md', 'phases/02-write/input/output/plan.md'],
  },
];

function filesOf(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')]));
}

/** What starts a program one of whose calls fails, once in each of its threads. */
function failing(call: string, error: string, when: number, only: readonly string[]): string[] {
  const paths = call === 'write' ? only.flatMap((path) => ['-P', path]) : [];
  const injected = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`];
  return ['strace', '--seccomp-bpf', '-qq', '-f', '-o', '/dev/null', ...paths, ...injected];
}

describe.skipIf(!hasStrace)(`a call of the system that fails once (HELIX_SEED=${SEED}, skipped without strace)`, () => {
  describe.each(SUBJECTS)('$name', (subject) => {
    const { make, result, written } = subject;
    let plain: unknown;
    const whole = async () => {
      const repository = make();
      return result(repository, (await repository.run()).events);
    };

    it.each(
      points(subject),
    )('%s with %s at its %ith time parks the run or passes, and it ends as it should', async (call, error, when) => {
      plain ??= await whole();
      const repository = make();
      const only = written.map((path) => join(repository.dir, path));
      const { code, said, run } = await repository.run([], { through: failing(call, error, when, only) });
      expect({ said, code }).toEqual({
        said: expect.not.stringMatching(/inside HELIX|\n +at .*:\d+:\d+/),
        code: expect.toSatisfy(isCalm),
      });
      // A start that failed has left no run; one that passed needs nothing more.
      const after = run === '' ? await repository.run() : await repository.resume();
      expect({ said: after.code === 0 ? '' : after.said, code: after.code }).toEqual({ said: '', code: 0 });
      expect(judgedTwice(after.events)).toEqual([]);
      expect(await result(repository, after.events)).toEqual(plain);
    });
  });
});

/** It went well, or stands still until its user says otherwise. */
function isCalm(code: number | null): boolean {
  return code === 0 || code === 5;
}

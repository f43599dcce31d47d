import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

const ROUNDS = 6;
/** How often the files are flipped while the gate of a round judges. */
const FLIPS = 200;

/** Changes a file of its working directory again and again, without a mark by which HELIX could find it. */
const WRITER = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
const [, , dir, counter, stop] = process.argv;
for (let n = 0; !existsSync(stop) && n < 200000; n += 1) {
  try {
    mkdirSync(dir, { recursive: true });
    writeFileSync(dir + '/out.txt', n % 2 ? 'flip ' + n : 'flop ' + n);
    if (n % 50 === 0) writeFileSync(counter, String(n));
  } catch {}
}
`;

it(`what a gate judged is what is accepted, however often (${ROUNDS * FLIPS} times and more) somebody flips the files meanwhile`, async () => {
  const phases = Array.from({ length: ROUNDS }, (_, n) => ({
    id: `round-${n}`,
    type: 'development',
    output: ['out.txt'],
    quality_gate: {
      type: 'custom',
      command: [
        'sh',
        '-c',
        `[ -e out.txt ] || exit 1; flips="$HELIX_PROJECT_DIR/../flips-$HELIX_PHASE"; seen="$HELIX_PROJECT_DIR/../seen-$HELIX_PHASE"; read began < "$flips"
waits() { until [ "$(cat "$flips")" -ge $((began + $1)) ] 2> /dev/null; do sleep 0.01; done; }
waits ${FLIPS / 2}; cp out.txt "$seen"; waits ${FLIPS}; cmp out.txt "$seen"`,
      ],
    },
  }));
  const repository = new Repository({ phases });
  const stop = repository.beside('stop');
  put(repository.root, { 'writer.cjs': WRITER });
  repository.agent(`here="$PWD"; root="$(dirname "$0")"; echo start > out.txt
env -i PATH="$PATH" setsid "${process.execPath}" "$root/writer.cjs" "$here" "$root/flips-$HELIX_PHASE" "$root/stop" > /dev/null 2>&1 < /dev/null &
while [ ! -s "$root/flips-$HELIX_PHASE" ]; do sleep 0.05; done`);
  try {
    const { code, said, events } = await repository.run();
    expect(code, said).toBe(0);
    for (const { id } of phases) {
      const accepted = events.find((event) => event.type === 'phase_accepted' && event.data.phase === id);
      // A file may be caught in the middle of a flip and be rejected: what counts is the attempt that was accepted.
      const judged = events.findLast((event) => event.type === 'attempt_judged' && event.data.phase === id);
      if (accepted?.type !== 'phase_accepted' || judged?.type !== 'attempt_judged') throw new Error(`${id} is missing`);
      expect(judged.data.verdicts.map(({ tree }) => tree)).toEqual([accepted.data.tree]);
      const commit = accepted.data.commit ?? '';
      expect(repository.git('rev-parse', `${commit}^{tree}`)).toBe(accepted.data.tree);
      expect(repository.git('show', `${commit}:out.txt`)).toBe(
        readFileSync(repository.beside(`seen-${id}`), 'utf8').trim(),
      );
    }
  } finally {
    writeFileSync(stop, '');
  }
});

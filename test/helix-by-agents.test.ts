import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HELIX } from './helix-process.ts';
import { Repository } from './repository.ts';

// Who started an agent is seen by its parents: HELIX must be a process of its own.
beforeAll(() => void vi.stubEnv('HELIX_WARM', 'none'));
afterAll(() => void vi.unstubAllEnvs());

const CALL = 'cd "$(dirname "$0")" && state="$PWD/state" && cd repository';
const TOLD = '> ../said 2>&1 && code=0 || code=$?; echo "exit $code" >> ../said; cd "$OLDPWD"';

/** What an agent is told that calls HELIX in the project it works for. */
async function saidTo(call: string): Promise<string> {
  const repository = new Repository({
    agent: `here=$PWD; ${CALL}; ${call} ${TOLD}; cd "$here"; echo done > out.txt`,
  });
  const { code, said } = await repository.run(['--no-wait']);
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  return readFileSync(repository.beside('said'), 'utf8');
}

it.each([
  ['says something to agents', `XDG_STATE_HOME=$state "${HELIX}" tell "it is fine"`, 'tell'],
  ['trusts a plan by judging a phase', `XDG_STATE_HOME=$state "${HELIX}" gate work --trust`, 'gate --trust'],
  ['spends on a live call', `XDG_STATE_HOME=$state "${HELIX}" doctor --live`, 'doctor --live'],
  ['trusts a plan', `XDG_STATE_HOME=$state "${HELIX}" trust`, 'trust'],
  ['answers without its marker', `env -u HELIX_MARKER XDG_STATE_HOME=$state "${HELIX}" decide A`, 'decide'],
  ['answers on a state of its own', `XDG_STATE_HOME=/nowhere "${HELIX}" decide A`, 'decide'],
  ['starts a run from elsewhere', `sh -c 'cd /; XDG_STATE_HOME=/nowhere "${HELIX}" run "$0"' "$PWD"`, 'run'],
  [
    'names its project right behind -C',
    `(cd /; XDG_STATE_HOME=/nowhere "${HELIX}" tell "-C$OLDPWD" "it is fine")`,
    'tell',
  ],
  [
    'reaches the state by a link',
    `(ln -sfn "$state" ../linked; cd /; XDG_STATE_HOME=$OLDPWD/../linked "${HELIX}" tell "it is fine")`,
    'tell',
  ],
  [
    'reaches what is in the state by a link',
    `(mkdir -p ../like/helix; ln -sfn "$state/helix/trust" ../like/helix/trust; cd /; XDG_STATE_HOME=$OLDPWD/../like "${HELIX}" trust)`,
    'trust',
  ],
])('an agent that %s is refused', async (_what, call, command) => {
  const said = await saidTo(call);
  expect(said).toContain(`helix ${command} is for people, and an agent or gate of a run has started this one`);
  expect(said).toContain('exit 2');
});

it.each([
  ['looks at this machine', `XDG_STATE_HOME=$state "${HELIX}" doctor`],
  ['looks at its project', `XDG_STATE_HOME=$state "${HELIX}" list`],
  ['makes a project of its own', `sh -c 'mkdir ../own; cd ../own; XDG_STATE_HOME=$PWD/state "${HELIX}" new demo'`],
])('an agent that %s is not', async (_what, call) => {
  expect(await saidTo(call)).toContain('exit 0');
});

import { expect, it } from 'vitest';
import { CONTROL, onTerminal } from './on-terminal.ts';
import { Repository } from './repository.ts';

const SLOW_MS = 2000;
const setup = [['sh', '-c', `sleep ${SLOW_MS / 1000}; mkdir -p deps; echo installed > deps/lib`]];
const plan = { workspace: { mode: 'repo', setup, cache: ['deps'] } };
const files = Object.fromEntries(Array.from({ length: 43 }, (_, n) => [`src/file-${n}.txt`, `${n}\n`]));

function slowToPrepare(agent?: string): Repository {
  const settings = { sandbox: 'basic', agents: { default: { driver: 'scripted' } }, allow_simulated: true };
  const scripted = 'phases: { work: [{ writes: { out.txt: made } }] }\n';
  return new Repository({
    plan,
    files: { ...files, '.gitignore': 'deps\n', 'request.md': 'Make it.\n', 'scripted.yaml': scripted },
    ...(agent === undefined ? { settings } : { agent }),
  });
}

it('what HELIX needs to get a directory ready is shown, and is not the time of the agent', async () => {
  const repository = slowToPrepare();
  const { events, state, stderr, stdout } = await repository.run();
  const [started] = events.filter((event) => event.type === 'attempt_started');
  const [finished] = events.filter((event) => event.type === 'attempt_finished');
  expect(started?.data.preparedMs).toBeGreaterThanOrEqual(SLOW_MS);
  expect(finished?.data.durationMs).toBeLessThan(SLOW_MS);
  expect(state?.spent.ms).toBeLessThan(SLOW_MS);
  expect(state?.phases.get('work')?.history.spent.ms).toBeLessThan(SLOW_MS);
  expect(stderr).toMatch(/^set-up {2}sh -c sleep 2; .*, \ds$/m);
  expect(stderr).toMatch(/^work {2}attempt 1 started \(default\), ready after \ds$/m);
  expect(stdout).toMatch(/ · \d+ms of agent time/);
});

it('what an attempt changed is counted, not what its tree holds', async () => {
  const repository = slowToPrepare();
  const { events, stderr, run } = await repository.run();
  expect(events.find((event) => event.type === 'attempt_finished')?.data).toMatchObject({ files: 50, changed: 1 });
  expect(stderr).toMatch(/^work {2}attempt 1 done in \w+: 1 file changed, /m);
  const { stdout } = await repository.helix(['logs', run]);
  expect(stdout).toContain('1 file changed');
  expect(stdout + stderr).not.toMatch(/50 files/);
});

it('on a terminal the preparation is seen while it goes on', async () => {
  const repository = slowToPrepare();
  const terminal = onTerminal(repository, 'helix run --trust', {
    ...repository.env(),
    PATH: `${process.cwd()}/bin:${process.env.PATH}`,
  });
  await terminal.shows('preparing attempt 1');
  await terminal.shows('attempt 1 started');
  const { code, shown } = await terminal.end;
  expect(code).toBe(0);
  expect(shown.replaceAll(CONTROL, '')).toMatch(/set-up {2}\w+ {2}sh -c sleep 2/);
});

it('paths in the words of an agent are shown as seen from its directory', async () => {
  const repository = slowToPrepare('echo "reading $PWD/src/file-1.txt in $PWD"; echo done > out.txt');
  const { run } = await repository.run();
  const { stdout } = await repository.helix(['logs', run, 'work']);
  expect(stdout).toContain('reading src/file-1.txt in .\n');
});

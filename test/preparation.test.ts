import { expect, it } from 'vitest';
import { CONTROL, onTerminal } from './on-terminal.ts';
import { Repository } from './repository.ts';

const SLOW_MS = 1000;
const INSTALL = 'mkdir -p deps; echo installed > deps/lib';
const SLOWLY = `sleep ${SLOW_MS / 1000}; ${INSTALL}`;
const files = Object.fromEntries(Array.from({ length: 43 }, (_, n) => [`src/file-${n}.txt`, `${n}\n`]));

function installing(script: string, agent?: string): Repository {
  const plan = { workspace: { mode: 'repo', setup: [['sh', '-c', script]], cache: ['deps'] } };
  const settings = { sandbox: 'basic', agents: { default: { driver: 'scripted' } }, allow_simulated: true };
  const scripted = 'phases: { work: [{ writes: { out.txt: made } }] }\n';
  return new Repository({
    plan,
    files: { ...files, '.gitignore': 'deps\n', 'request.md': 'Make it.\n', 'scripted.yaml': scripted },
    ...(agent === undefined ? { settings } : { agent }),
  });
}

it('what HELIX needs to get a directory ready is shown, and is not the time of the agent', async () => {
  const repository = installing(SLOWLY);
  const { events, state, stderr, stdout } = await repository.run();
  const [started] = events.filter((event) => event.type === 'attempt_started');
  const [finished] = events.filter((event) => event.type === 'attempt_finished');
  expect(started?.data.preparedMs).toBeGreaterThanOrEqual(SLOW_MS);
  const worked = finished?.data.durationMs;
  // It was ready before its start was recorded.
  expect(worked).toBeLessThanOrEqual(Date.parse(finished?.at ?? '') - Date.parse(started?.at ?? ''));
  expect(state?.spent.ms).toBe(worked);
  expect(state?.phases.get('work')?.history.spent.ms).toBe(worked);
  expect(stderr).toMatch(/^set-up {2}sh -c sleep 1; .*, \S*\ds$/m);
  expect(stderr).toMatch(/^work {2}attempt 1 started \(default\), ready after \d+s$/m);
  expect(stdout).toMatch(/ · \d+m?s of agent time/);
});

it('what an attempt changed is counted, not what its tree holds', async () => {
  const repository = installing(INSTALL);
  const { events, stderr, run } = await repository.run();
  expect(events.find((event) => event.type === 'attempt_finished')?.data).toMatchObject({ files: 50, changed: 1 });
  expect(stderr).toMatch(/^work {2}attempt 1 done in \w+: 1 file changed, /m);
  const { stdout } = await repository.helix(['logs', run]);
  expect(stdout).toContain('1 file changed');
  expect(stdout + stderr).not.toMatch(/50 files/);
});

it('on a terminal the preparation is seen while it goes on', async () => {
  const repository = installing(SLOWLY);
  const terminal = onTerminal(repository, 'helix run --trust', {
    ...repository.env(),
    PATH: `${process.cwd()}/bin:${process.env.PATH}`,
  });
  await terminal.shows('preparing attempt 1');
  await terminal.shows('attempt 1 started');
  const { code, shown } = await terminal.end;
  expect(code).toBe(0);
  expect(shown.replaceAll(CONTROL, '')).toMatch(/set-up {2}\w+ {2}sh -c sleep 1/);
});

it('on a terminal the trial of gates is seen while it goes on', async () => {
  const quality_gate = { type: 'custom', command: ['sh', '-c', 'sleep 1; test -d src'] };
  const repository = new Repository({
    phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate }],
    files: { ...files, 'request.md': 'Make it.\n' },
    agent: 'echo done > out.txt',
  });
  const terminal = onTerminal(repository, 'helix run --trust', {
    ...repository.env(),
    PATH: `${process.cwd()}/bin:${process.env.PATH}`,
  });
  await terminal.shows('trying custom of work');
  await terminal.shows('attempt 1 started');
  expect((await terminal.end).code).toBe(0);
});

it('paths in the words of an agent are shown as seen from its directory', async () => {
  const repository = installing(INSTALL, 'echo "reading $PWD/src/file-1.txt in $PWD"; echo done > out.txt');
  const { run } = await repository.run();
  const { stdout } = await repository.helix(['logs', run, 'work']);
  expect(stdout).toContain('reading src/file-1.txt in .\n');
});

it('whoever reads and judges gets no copy of what set-up installed', async () => {
  const review = JSON.stringify({ approved: true, findings: [] });
  const moves = { work: [{ writes: { 'out.txt': 'made' } }], look: [{ writes: { 'review.json': review } }] };
  const repository = new Repository({
    files: { '.gitignore': 'deps\n', 'request.md': 'Make it.\n', 'scripted.yaml': JSON.stringify({ phases: moves }) },
    settings: { agents: { default: { driver: 'scripted' } }, allow_simulated: true },
    plan: { workspace: { mode: 'repo', setup: [['sh', '-c', 'mkdir -p deps; echo x > deps/lib']], cache: ['deps'] } },
    phases: [
      { id: 'work', type: 'development', output: ['out.txt'], verify_agent: true },
      { id: 'look', type: 'review', input: ['out.txt'], quality_gate: { type: 'review_approved' } },
      { id: 'agree', type: 'approval', approval_type: 'docs' },
    ],
  });
  const { code, stderr } = await repository.run();
  expect({ code, prepared: stderr.match(/^set-up .*$/gm) }).toEqual({
    code: 0,
    prepared: [expect.stringMatching(/^set-up {2}sh -c mkdir/)],
  });
});

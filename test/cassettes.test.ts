import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Cassette } from '../src/domain/documents/cassette.ts';
import { Repository, type RepositoryRun } from './repository.ts';
import { scratch } from './scratch.ts';

const PHASES = [
  {
    id: 'code',
    type: 'development',
    description: 'Write the code.',
    input: ['spec.md'],
    output: ['out.txt'],
    quality_gate: [{ type: 'files_exist' }, { type: 'custom', command: ['grep', '-q', 'good', 'out.txt'] }],
  },
  { id: 'document', type: 'documentation', output: ['guide.md'] },
];

/** Fails once, changes, removes and makes files of every kind. */
const AGENT = `echo "working on $HELIX_PHASE"
case $HELIX_PHASE in
code) if [ $HELIX_TURN = 0 ]; then echo bad > out.txt; else echo good > out.txt; fi
  rm -f old.txt; printf '\\377\\000' > bytes; echo '#!/bin/sh' > tool; chmod +x tool;;
*) echo guide > guide.md; echo more >> readme.md;;
esac`;

const FILES = { 'spec.md': 'what is wanted\n', 'old.txt': 'old\n' };

type Recorded = { readonly repository: Repository; readonly recorded: RepositoryRun; readonly folder: string };

async function record(): Promise<Recorded> {
  const repository = new Repository({ files: FILES, phases: PHASES, agent: AGENT });
  const recorded = await repository.run(['--record']);
  const folder = join(scratch(), 'cassette');
  cpSync(repository.path('.helix/runs', recorded.run, 'cassette'), folder, { recursive: true });
  return { repository, recorded, folder };
}

let tape: Promise<string> | undefined;
afterAll(async () => rmSync((await tape) ?? '', { recursive: true, force: true }));

/** A repository as it was when a run in one like it was recorded; that run is made once for all tests. */
async function recordedBefore(): Promise<Pick<Recorded, 'repository' | 'folder'>> {
  tape ??= record().then(({ folder }) => {
    const kept = mkdtempSync(join(tmpdir(), 'helix-cassette-'));
    cpSync(folder, kept, { recursive: true });
    return kept;
  });
  const folder = join(scratch(), 'cassette');
  cpSync(await tape, folder, { recursive: true });
  return { repository: new Repository({ files: FILES, phases: PHASES, agent: 'exit 9' }), folder };
}

function replay({ repository, folder }: Pick<Recorded, 'repository' | 'folder'>): Promise<RepositoryRun> {
  return repository.run(['--agent', 'replay', '--script', folder]);
}

function edit(folder: string, path: string, change: (cassette: Cassette) => object): void {
  const file = join(folder, path);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Cassette)));
}

function interruptionsOf({ events }: RepositoryRun) {
  return events.flatMap((event) => (event.type === 'attempt_interrupted' ? [event.data] : []));
}

describe('a recorded run', () => {
  it('is played again to the same end at no cost, marked as simulated', async () => {
    const all = await record();
    expect(all.recorded.code).toBe(0);
    const result = await all.repository.changed();
    expect(readdirSync(join(all.folder, 'code')).sort()).toEqual(['attempt-1.json', 'attempt-2.json']);
    for (const path of ['code/attempt-1.json', 'code/attempt-2.json', 'document/attempt-1.json']) {
      Cassette.parse(JSON.parse(readFileSync(join(all.folder, path), 'utf8')));
    }

    all.repository.agent('exit 9');
    const { code, said, events, state, findings } = await replay(all);
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(state?.simulated).toBe(true);
    expect(await all.repository.changed()).toEqual(result);
    expect(await all.repository.result('readme.md')).toBe('hello\nmore');
    expect(findings.filter(({ check }) => check === 'brief-drift')).toEqual([]);
    const finished = events.flatMap((event) => (event.type === 'attempt_finished' ? [event.data] : []));
    expect(finished.map(({ phase, simulated, cost }) => ({ phase, simulated, cost }))).toEqual(
      ['code', 'code', 'document'].map((phase) => ({ phase, simulated: true, cost: { usd: 0, basis: 'simulated' } })),
    );
    const { stdout: logs } = await all.repository.helix(['logs', state?.run ?? '', 'document']);
    expect(logs).toContain('working on document');
  });

  it('leaves no cassettes where nobody wants any', async () => {
    const repository = new Repository();
    const { run } = await repository.run();
    expect(existsSync(repository.path('.helix/runs', run, 'cassette'))).toBe(false);
  });

  it('tells which lines of a brief have changed, and goes on', async () => {
    const all = await record();
    const phases = PHASES.map((phase) =>
      phase.id === 'code' ? { ...phase, description: 'Write it quickly.' } : phase,
    );
    all.repository.write({
      'phases.yaml': JSON.stringify({ project: { name: 'mine', description: 'A trial' }, workspace: 'repo', phases }),
    });
    all.repository.commit('another wish');
    const { code, said, findings } = await replay(all);
    expect(code).toBe(0);
    const drift = findings.find(({ check }) => check === 'brief-drift');
    expect(drift).toMatchObject({ severity: 'warning', message: expect.stringContaining('+ Write it quickly.') });
    expect(drift?.message).toContain('- Write the code.');
    expect(said).toContain('is not the one that was recorded');
  });

  it('is not played on another input', async () => {
    const all = await recordedBefore();
    all.repository.write({ 'spec.md': 'something else is wanted\n' });
    all.repository.commit('another input');
    const run = await replay(all);
    expect(interruptionsOf(run)[0]).toMatchObject({
      failure: 'protocol',
      message: expect.stringContaining('the input spec.md has changed'),
    });
    expect(run.code).not.toBe(0);
  });

  it('is not played over a file that has changed', async () => {
    const all = await recordedBefore();
    all.repository.write({ 'readme.md': 'rewritten\n' });
    all.repository.commit('another readme');
    const [interruption] = interruptionsOf(await replay(all));
    expect(interruption).toMatchObject({ phase: 'document', failure: 'protocol' });
    expect(interruption?.message).toContain('readme.md has changed');
  });

  it.each([
    ['readme.md', 'document'],
    ['old.txt', 'code'],
  ])('is not played where %s, which it changed or removed, is gone', async (path, phase) => {
    const all = await recordedBefore();
    rmSync(all.repository.path(path));
    all.repository.commit('one file less');
    const [interruption] = interruptionsOf(await replay(all));
    expect(interruption).toMatchObject({ phase, failure: 'protocol' });
    expect(interruption?.message).toContain(`${path} is gone`);
  });
});

describe('a cassette that is', () => {
  const FIRST = 'code/attempt-1.json';

  async function played(
    change: (folder: string) => void,
  ): Promise<RepositoryRun & { all: Pick<Recorded, 'repository'> }> {
    const all = await recordedBefore();
    change(all.folder);
    return { ...(await replay(all)), all };
  }

  it('missing is named', async () => {
    const run = await played((folder) => edit(folder, FIRST, (cassette) => ({ ...cassette, turn: 7 })));
    const [interruption] = interruptionsOf(run);
    expect(interruption).toMatchObject({ failure: 'protocol', message: expect.stringContaining(FIRST) });
  });

  it.each([
    ['no JSON', (folder: string) => writeFileSync(join(folder, 'code/attempt-2.json'), '{')],
    [
      'of another format',
      (folder: string) => edit(folder, 'code/attempt-2.json', (each) => ({ ...each, schema: 'x/1' })),
    ],
  ])('%s is refused', async (_, change) => {
    const [interruption] = interruptionsOf(await played(change));
    expect(interruption).toMatchObject({ failure: 'protocol', message: expect.stringContaining('attempt-2.json') });
  });

  it.each(['../evil', '/tmp/helix-evil', 'a/../../evil', '.'])('written to %s writes nothing', async (path) => {
    const files = [{ path, text: 'evil' }];
    const run = await played((folder) => edit(folder, FIRST, (cassette) => ({ ...cassette, files })));
    expect(interruptionsOf(run)[0]).toMatchObject({ failure: 'protocol' });
    expect(existsSync(run.all.repository.beside('evil'))).toBe(false);
  });

  it('reached only by a link that leads out is not there', async () => {
    const run = await played((folder) => {
      const file = join(scratch({ 'x.json': readFileSync(join(folder, FIRST), 'utf8') }), 'x.json');
      for (const name of readdirSync(join(folder, 'code')))
        edit(folder, `code/${name}`, (each) => ({ ...each, turn: 9 }));
      symlinkSync(file, join(folder, 'code/attempt-3.json'));
    });
    expect(interruptionsOf(run)[0]).toMatchObject({ failure: 'protocol' });
  });

  it('not whole says so', async () => {
    const incomplete = 'x is larger than 16 MB';
    const run = await played((folder) => edit(folder, FIRST, (cassette) => ({ ...cassette, incomplete })));
    expect(interruptionsOf(run)[0]?.message).toContain(incomplete);
  });
});

it('an attempt that wrote too much is recorded as one that cannot be played', async () => {
  const repository = new Repository({ agent: 'head -c 17000000 /dev/zero > out.txt' });
  const { code, run, said } = await repository.run(['--record']);
  expect(code).toBe(0);
  const text = readFileSync(repository.path('.helix/runs', run, 'cassette/work/attempt-1.json'), 'utf8');
  expect(Cassette.parse(JSON.parse(text))).toMatchObject({ files: [], incomplete: 'out.txt is larger than 16 MB' });
  expect(said).toContain('out.txt is larger than 16 MB');
});

it('replay without cassettes is refused before anything starts', async () => {
  const { code, stderr } = await new Repository().run(['--agent', 'replay']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no folder cassette with cassettes');
});

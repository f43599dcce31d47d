import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { tryLayers } from '../src/adapters/repo/work/layered-folders.ts';
import { startHelix } from './helix-process.ts';
import { mountsBelow } from './left-behind.ts';
import { Repository, words } from './repository.ts';
import { boundByPermissions, eventually, giveAway } from './robust-project.ts';
import { contents, scratch } from './scratch.ts';

const DISK = tmpdir();

/** Whether this machine can show a folder without a copy of it; where it cannot, copies are made, and other tests are about those. */
async function canShow(): Promise<boolean> {
  const dir = mkdtempSync(join(DISK, 'helix-layers-'));
  try {
    const env = { PATH: process.env.PATH ?? '' };
    return await tryLayers(dir, { processes: createProcesses(), env, marker: `layers-${dir}` });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const isShown = await canShow();

const INSTALL = 'mkdir -p deps/deep && echo installed > deps/lib && echo deep > deps/deep/file && echo x >> "$COUNT"';
const HOW = 'stat -f -c %T deps; cat deps/lib deps/deep/file';
const SPOIL = 'echo mine > deps/lib; rm -r deps/deep; echo new > deps/new';

/** A repository that needs a folder to be installed; what the gate sees and does there is in `seen` of its own copy. */
function needsDeps({ agent = '', gate = 'true' }: { agent?: string; gate?: string }) {
  const root = scratch({}, DISK);
  const count = join(root, 'count');
  const command = ['sh', '-c', gate];
  const repository = new Repository({
    root,
    agent: `{ ${HOW}; } > out.txt\n${SPOIL}\n${agent}`,
    files: { '.gitignore': 'deps\n' },
    plan: {
      workspace: { mode: 'repo', setup: [['sh', '-c', INSTALL.replace('$COUNT', count)]], cache: ['deps'] },
    },
    phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: { type: 'custom', command } }],
    settings: { sandbox: 'strict' },
  });
  return { repository, runs: () => readFileSync(count, 'utf8').length / 2 };
}

/** What was installed, as HELIX keeps it. */
function kept(repository: Repository): Record<string, string> {
  const cache = repository.beside('cache/helix');
  const stores = readdirSync(cache).map((project) => join(cache, project, 'set-up'));
  const [store = ''] = stores.flatMap((dir) => readdirSync(dir).map((key) => join(dir, key, 'files/deps')));
  return contents(store);
}

const KEPT = { lib: 'installed\n', 'deep/file': 'deep\n' };
const SEEN = 'overlayfs\ninstalled\ndeep\n';

describeWalled('in the strict sandbox', () => {
  it.runIf(isShown)('agents and gates are shown what was installed, and change it for nobody else', async () => {
    const gate = `[ "$(${HOW})" = "$(printf '${SEEN}')" ] && echo theirs > deps/lib && rm deps/deep/file && ! [ -e deps/new ]`;
    const { repository, runs } = needsDeps({ gate });
    // The very first directory is the one it was installed in.
    for (const how of [/^\w+\ninstalled/, SEEN, SEEN]) {
      const { code, said } = await repository.run();
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
      expect(`${await repository.result('out.txt')}\n`).toMatch(how);
      expect({ runs: runs(), kept: kept(repository) }).toEqual({ runs: 1, kept: KEPT });
    }
    expect(await repository.changed()).toEqual(['A out.txt']);
    expect({ left: repository.worktrees(), mounts: mountsBelow(repository.root) }).toEqual({ left: [], mounts: [] });
  });

  it.runIf(isShown)('that holds for an ordinary user, too', async () => {
    const through = boundByPermissions();
    if (through === undefined) return;
    const { repository, runs } = needsDeps({ gate: `[ "$(${HOW})" = "$(printf '${SEEN}')" ] && [ "$(id -u)" -ne 0 ]` });
    giveAway(repository.root);
    for (const _ of ['first', 'second']) {
      const { code, said } = await repository.run([], { through });
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    }
    expect({ runs: runs(), left: repository.worktrees() }).toEqual({ runs: 1, left: [] });
  });

  it.runIf(isShown)('a kill leaves no mount, and what is taken up is shown it anew', async () => {
    const { repository } = needsDeps({});
    await repository.run();
    repository.agent(`{ ${HOW}; } > out.txt\n${SPOIL}\n: > "$HOME/began"; while :; do sleep 0.02; done`);
    const options = { cwd: repository.dir, env: repository.env() };
    const { child, end } = startHelix(['run', '--trust'], options);
    await eventually(() => readdirSync(repository.home).includes('began'));
    expect(mountsBelow(repository.root).join('\n')).toContain(' overlay ');
    child.kill('SIGKILL');
    await end;
    await eventually(() => mountsBelow(repository.root).length === 0);
    repository.agent(`{ ${HOW}; } > out.txt`);
    const { code } = await repository.resume();
    expect({ code, out: `${await repository.result('out.txt')}\n`, kept: kept(repository) }).toEqual({
      ...{ code: 0, out: SEEN, kept: KEPT },
    });
    expect(repository.worktrees()).toEqual([]);
  });

  it.runIf(isShown)('a verdict does not count if somebody changed what its gate was shown', async () => {
    const gate = '[ ! -e out.txt ] || { : > seen; until [ -e go ]; do sleep 0.02; done; }';
    const { repository } = needsDeps({ gate });
    let ended = false;
    const running = repository.run().finally(() => {
      ended = true;
    });
    // Directories come and go meanwhile, which `find` minds less than Node.
    const found = (path: string): string | undefined =>
      spawnSync('find', [repository.beside('cache'), '-path', path], { encoding: 'utf8' })
        .stdout.split('\n')
        .find(Boolean);
    const copy = () => found('*.judged-*/repository/seen');
    await eventually(() => copy() !== undefined);
    writeFileSync(found('*/files/deps/lib') ?? '', 'changed by somebody');
    repository.agent('echo again > out.txt');
    for (let seen = copy(); seen !== undefined; seen = copy()) {
      const there = seen;
      writeFileSync(join(dirname(seen), 'go'), '');
      await eventually(() => !existsSync(there));
      await eventually(() => ended || copy() !== undefined);
    }
    const run = await running;
    const judged = run.events.flatMap((event) => (event.type === 'attempt_judged' ? event.data.verdicts : []));
    expect(judged.map(({ outcome }) => outcome)).toEqual(['reject', 'pass']);
    expect(words(run)).toEqual([
      "error: what set-up had installed was changed in HELIX's store while a gate worked with it (deps/lib)",
    ]);
  });

  it.runIf(isShown)('what a phase delivers lies in its directory, also in a folder that set-up fills', async () => {
    const { repository } = needsDeps({});
    await repository.run();
    repository.write({ 'phases.yaml': repository.read('phases.yaml').replace('"out.txt"', '"out.txt", "deps/new"') });
    const { code, said } = await repository.run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    expect(await repository.changed()).toEqual(['A deps/new', 'A out.txt']);
  });
});

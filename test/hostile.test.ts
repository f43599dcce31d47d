import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeLimited } from '../src/adapters/programs/limits/limited.fixture.ts';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { type Attack, allAttacks, type Level, partOf } from './attacks.ts';
import { plantIn } from './planted-bug.ts';
import { Repository } from './repository.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/attacks.md';
const HEAD = '| attack | what is shown | what holds it off |\n|---|---|---|\n';

async function attacked(name: string, sandbox: Level): Promise<void> {
  const attack = allAttacks().find((one) => one.name === name);
  if (attack === undefined) throw new Error(`there is no attack ${name}`);
  const { below, phases, plan, settings, path, steps = [], never = [] } = attack;
  const agent = partOf(name, 'agent.sh');
  const repository = new Repository({
    ...(below !== undefined && { below }),
    ...(phases && { phases }),
    ...(plan && { plan }),
    ...(agent !== undefined && { agent }),
    settings: { sandbox, ...settings },
  });
  const env = repository.env({ ROOT: repository.root });
  const call = path === undefined ? {} : { env: { PATH: `${path}:${env.PATH}` } };
  const shell = (script: string) => execFileSync('sh', ['-ec', script], { cwd: repository.top, env, stdio: 'pipe' });
  shell(partOf(name, 'prepare.sh') ?? '');
  for (const step of steps) {
    if ('sh' in step) {
      shell(step.sh);
      continue;
    }
    const through = step.breaks && { through: failing(step.breaks) };
    const { code, stdout, stderr } = await repository.helix(step.helix, { ...call, ...through });
    expect(`${stdout}${stderr}`).toMatch(new RegExp(step.says ?? '', 's'));
    expect(code).toBe(step.exit);
  }
  expect(['sprung', ...never].filter((mark) => existsSync(repository.beside(mark)))).toEqual([]);
}

/** What starts a program one of whose calls fails. */
function failing({ call, error, when }: { call: string; error: string; when: number }): string[] {
  const injected = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${when}`];
  return ['strace', '--seccomp-bpf', '-qq', '-f', '-o', '/dev/null', ...injected];
}

function shownAt(level: Level, needed?: Attack['needs']): [shows: string, name: string][] {
  return allAttacks()
    .filter(({ levels = ['basic', 'strict'], needs, by }) => levels.includes(level) && needs === needed && !by)
    .map(({ shows, name }) => [shows, name]);
}

it.each(shownAt('basic'))('%s (%s, basic)', (_shows, name) => attacked(name, 'basic'));

describeWalled('behind walls', () => {
  it.each(shownAt('strict'))('%s (%s, strict)', (_shows, name) => attacked(name, 'strict'));
});

describeLimited('behind walls with limits', () => {
  it.each(shownAt('strict', 'control groups'))('%s (%s, strict)', (_shows, name) => attacked(name, 'strict'));
});

describe.skipIf(spawnSync('strace', ['-V']).status !== 0)('with calls of the system that fail', () => {
  it.each(shownAt('basic', 'strace'))('%s (%s, basic)', (_shows, name) => attacked(name, 'basic'));
});

it.each(allAttacks())('what holds $name off is where it says', ({ mends, by }) => {
  if (by !== undefined) expect(readFileSync(join(ROOT, by[0]), 'utf8')).toContain(by[1]);
  for (const mend of mends) plantIn(readFileSync(join(ROOT, mend.file), 'utf8'), mend);
  expect(mends).not.toEqual([]);
});

it(`${PAGE} has these attacks as its table; HELIX_RECORD=1 writes it`, () => {
  const files = (mends: readonly { file: string }[]) => [...new Set(mends.map(({ file }) => `\`${file}\``))].join(', ');
  const rows = allAttacks().map(({ name, shows, mends }) => `| ${name} | ${shows} | ${files(mends)} |\n`);
  const [before = '', table] = readFileSync(join(ROOT, PAGE), 'utf8').split(HEAD);
  expect(table).toBeDefined();
  const made = before + HEAD + rows.join('');
  if (process.env.HELIX_RECORD === '1') writeFileSync(join(ROOT, PAGE), made);
  expect(readFileSync(join(ROOT, PAGE), 'utf8')).toBe(made);
});

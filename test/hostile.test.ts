import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { Repository } from './repository.ts';

/** One attack a folder: `attack.yaml` says what it shows, `prepare.sh` what the repository brings, `agent.sh` what an agent does. */
const ATTACKS = fileURLToPath(new URL('./hostile', import.meta.url));

type Level = 'basic' | 'strict';

type Step =
  /** What the user calls, how it ends, and what is said: a pattern over all lines. */
  | { readonly helix: readonly string[]; readonly exit: number; readonly says?: string }
  /** What happens to the repository meanwhile. */
  | { readonly sh: string };

type Attack = {
  /** What the attack shows, as the name of its test. */
  readonly shows: string;
  /** The folder of the project below the repository's top. */
  readonly below?: string;
  readonly phases?: readonly Readonly<Record<string, unknown>>[];
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Where it is held off; by default everywhere. */
  readonly levels?: readonly Level[];
  readonly steps: readonly Step[];
  /** Marks beside the repository that must not come to be; `sprung` always. */
  readonly never?: readonly string[];
};

function textOf(name: string, file: string): string | undefined {
  const path = join(ATTACKS, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

async function attacked(name: string, sandbox: Level): Promise<void> {
  const { below, phases, plan, settings, steps, never = [] } = parse(textOf(name, 'attack.yaml') ?? '') as Attack;
  const agent = textOf(name, 'agent.sh');
  const repository = new Repository({
    ...(below !== undefined && { below }),
    ...(phases && { phases }),
    ...(plan && { plan }),
    ...(agent !== undefined && { agent }),
    settings: { sandbox, ...settings },
  });
  const env = repository.env({ ROOT: repository.root });
  const shell = (script: string) => execFileSync('sh', ['-ec', script], { cwd: repository.top, env, stdio: 'pipe' });
  shell(textOf(name, 'prepare.sh') ?? '');
  for (const step of steps) {
    if ('sh' in step) {
      shell(step.sh);
      continue;
    }
    const { code, stdout, stderr } = await repository.helix(step.helix);
    expect(`${stdout}${stderr}`).toMatch(new RegExp(step.says ?? '', 's'));
    expect(code).toBe(step.exit);
  }
  expect(['sprung', ...never].filter((mark) => existsSync(repository.beside(mark)))).toEqual([]);
}

function shownAt(level: Level): [shows: string, name: string][] {
  const names = readdirSync(ATTACKS).sort();
  const attacks = names.map((name) => ({ name, ...(parse(textOf(name, 'attack.yaml') ?? '') as Attack) }));
  return attacks
    .filter(({ levels = ['basic', 'strict'] }) => levels.includes(level))
    .map(({ shows, name }) => [shows, name]);
}

it.each(shownAt('basic'))('%s (%s, basic)', (_shows, name) => attacked(name, 'basic'));

describeWalled('behind walls', () => {
  it.each(shownAt('strict'))('%s (%s, strict)', (_shows, name) => attacked(name, 'strict'));
});

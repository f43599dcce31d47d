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

type Step = {
  readonly helix: readonly string[];
  readonly exit: number;
  /** What is said, a pattern over all lines. */
  readonly says?: string;
};

type Attack = {
  /** What the attack shows, as the name of its test. */
  readonly shows: string;
  readonly phases?: readonly Readonly<Record<string, unknown>>[];
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Marks beside the repository that must not come to be; `sprung` always. */
  readonly never?: readonly string[];
};

function textOf(name: string, file: string): string | undefined {
  const path = join(ATTACKS, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

async function attacked(name: string, sandbox: 'basic' | 'strict'): Promise<void> {
  const { phases, plan, settings, steps, never = [] } = parse(textOf(name, 'attack.yaml') ?? '') as Attack;
  const agent = textOf(name, 'agent.sh');
  const repository = new Repository({
    ...(phases && { phases }),
    ...(plan && { plan }),
    ...(agent !== undefined && { agent }),
    settings: { sandbox, ...settings },
  });
  const prepare = textOf(name, 'prepare.sh');
  if (prepare !== undefined) {
    const env = repository.env({ ROOT: repository.root });
    execFileSync('sh', ['-ec', prepare], { cwd: repository.top, env, stdio: 'pipe' });
  }
  for (const { helix, exit, says = '' } of steps) {
    const { code, stdout, stderr } = await repository.helix(helix);
    expect(`${stdout}${stderr}`).toMatch(new RegExp(says, 's'));
    expect(code).toBe(exit);
  }
  expect(['sprung', ...never].filter((mark) => existsSync(repository.beside(mark)))).toEqual([]);
}

const NAMES = readdirSync(ATTACKS).sort();
const SHOWN = NAMES.map((name) => [(parse(textOf(name, 'attack.yaml') ?? '') as Attack).shows, name] as const);

it.each(SHOWN)('%s (%s, basic)', (_shows, name) => attacked(name, 'basic'));

describeWalled('behind walls', () => {
  it.each(SHOWN)('%s (%s, strict)', (_shows, name) => attacked(name, 'strict'));
});

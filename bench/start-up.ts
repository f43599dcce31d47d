import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const HELIX = fileURLToPath(new URL('../bin/helix', import.meta.url));
const NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

function run(program: string, args: readonly string[]): Promise<number> {
  return time(() => {
    const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  });
}

async function claim(name: string, limit: number, args: readonly string[]): Promise<Claim> {
  const { ratio, thing, base } = await compare(
    15,
    () => run(HELIX, args),
    () => run(NODE, ['-e', '0']),
  );
  return { name, limit, ratio, detail: `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms` };
}

/** What starting HELIX costs over starting Node, with a warm compile cache. */
export async function startUpClaims(): Promise<Claim[]> {
  return inDirectory(async (dir) => {
    const phases = Array.from(
      { length: 20 },
      (_, n) => `  - { id: phase-${n}, type: development, output: [output/file-${n}.md] }`,
    );
    writeFileSync(
      join(dir, 'phases.yaml'),
      `project: { name: bench }\nworkspace: phase-dirs\nphases:\n${phases.join('\n')}\n`,
    );
    return [
      await claim('helix --version / node -e 0', 1.6, ['--version']),
      await claim('helix plan of 20 phases / node -e 0', 6, ['plan', dir]),
    ];
  });
}

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillInbox } from '../test/full-inbox.ts';
import { type Claim, compare, inDirectory, time } from './measure.ts';

const HELIX = fileURLToPath(new URL('../bin/helix', import.meta.url));
const MANY = 10_000;
const MEMORY_MB = 300;

function list(cwd: string): Promise<number> {
  return time(() => {
    const { status, stderr } = spawnSync(HELIX, ['inbox'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`helix inbox ended with ${status}: ${stderr}`);
  });
}

/** The most memory a listing takes, in megabytes. */
function peakMb(cwd: string, args: readonly string[]): number {
  const { stderr } = spawnSync('/usr/bin/env', ['time', '-f', '%M', HELIX, 'inbox', ...args], {
    ...{ cwd, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  });
  return Number(/^(\d+)$/m.exec(stderr)?.[1]) / 1024;
}

/** What thousands of waiting requests cost over a single one, and what memory they take. */
export async function inboxClaims(): Promise<Claim[]> {
  return inDirectory(async (dir) => {
    const place = async (name: string, size: { runs: number; questions: number }) => {
      mkdirSync(join(dir, name));
      await fillInbox(join(dir, name), size);
      return join(dir, name);
    };
    const one = await place('one', { runs: 1, questions: 1 });
    const claims: Claim[] = [];
    for (const [what, size] of [
      [`${MANY} waiting runs`, { runs: MANY, questions: 1 }],
      [`a run with ${MANY} questions`, { runs: 1, questions: MANY }],
    ] as const) {
      const many = await place(what.replaceAll(' ', '-'), size);
      const { ratio, thing, base } = await compare(
        9,
        () => list(many),
        () => list(one),
      );
      const detail = `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`;
      const peak = Math.max(peakMb(many, []), peakMb(many, ['--json']));
      claims.push(
        { name: `helix inbox with ${what} / with one request`, limit: 2, ratio, detail },
        {
          name: `memory of helix inbox with ${what} / ${MEMORY_MB} MB`,
          limit: 1,
          ratio: peak / MEMORY_MB,
          detail: `${peak.toFixed(0)} MB`,
        },
      );
    }
    return claims;
  });
}

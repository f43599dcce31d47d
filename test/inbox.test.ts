import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InboxDocument } from '../src/domain/documents/documents.ts';
import { fillInbox } from './full-inbox.ts';
import { HELIX, helix } from './helix-process.ts';
import { scratch } from './scratch.ts';

const MANY = 10_000;
const ROUNDS = 3;

async function filled(runs: number, questions: number): Promise<string> {
  const dir = scratch();
  await fillInbox(dir, { runs, questions });
  return dir;
}

/** The CPU time of the least of some calls, as the shell has it: whatever else the machine does only makes it more. */
function leastWork(dir: string): number {
  const env = { ...process.env, XDG_STATE_HOME: join(dir, '.state') };
  const times = Array.from({ length: ROUNDS }, () => {
    const said = execFileSync('sh', ['-c', '"$0" inbox > listed && times', HELIX], { cwd: dir, env, encoding: 'utf8' });
    const [, ofChildren = ''] = said.split('\n');
    const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s));
    return seconds.reduce((sum, each) => sum + each, 0);
  });
  return Math.min(...times);
}

it('ten thousand waiting runs are listed with little more work than one, the newest in full and the others counted', async () => {
  const [one, many] = [await filled(1, 1), await filled(MANY, 1)];
  const { stdout } = await helix(['inbox'], { cwd: many });
  expect(stdout.match(/^ {2}helix decide /gm)).toHaveLength(50);
  expect(stdout).toContain(`and ${MANY - 50} more: helix inbox --all`);
  expect(leastWork(many) / leastWork(one)).toBeLessThan(4);
  const { requests } = InboxDocument.parse(JSON.parse((await helix(['inbox', '--json'], { cwd: many })).stdout));
  expect(new Set(requests.map(({ run }) => run)).size).toBe(MANY);
});

it('a run with ten thousand questions lists them all as well, newest first', async () => {
  const dir = await filled(1, MANY);
  const [run = ''] = /\S+(?=-q10000 )/.exec((await helix(['inbox'], { cwd: dir })).stdout) ?? [];
  const { requests } = InboxDocument.parse(JSON.parse((await helix(['inbox', '--json'], { cwd: dir })).stdout));
  expect(requests).toHaveLength(MANY);
  expect(requests[0]?.id).toBe(`${run}-q${MANY}`);
});

it('where nothing waits it says so', async () => {
  const dir = scratch({ 'phases.yaml': 'project: { name: x }\nphases: []\n' });
  mkdirSync(join(dir, '.state'));
  expect(await helix(['inbox'], { cwd: dir })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'nothing waits for you\n',
  });
  const { stdout } = await helix(['inbox', '--json'], { cwd: dir });
  expect(JSON.parse(stdout)).toEqual({ schema: 'helix.inbox/1', requests: [] });
});

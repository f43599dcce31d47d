import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CAPABILITIES } from '../src/domain/plan/driver.ts';
import { HelixFile } from '../src/domain/plan/helix-file.ts';
import { FailureClass, failurePolicy } from '../src/domain/verdict.ts';
import { scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8');

function blocks(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

it('the table of the page about agents is what the drivers can do', () => {
  const rows = [...PAGE.matchAll(/^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \| (yes|no) \| (yes|no) \| (\w+) \|$/gm)];
  const told = rows.map(([, driver, roles, model, mcp, cost]) => ({ driver, roles, model, mcp, cost }));
  const yes = (can: boolean) => (can ? 'yes' : 'no');
  expect(told).toEqual(
    Object.entries(CAPABILITIES).map(([driver, { roles, model, mcp, cost }]) => ({
      ...{ driver, roles: roles.join(', '), model: yes(model), mcp: yes(mcp), cost },
    })),
  );
});

it('its table of failures is what HELIX does with them', () => {
  const rows = [...PAGE.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (tries again|parks|asks)/gm)];
  const told = rows.flatMap(([, names = '', deed]) =>
    names
      .replaceAll('`', '')
      .split(', ')
      .map((name) => [name, deed]),
  );
  const deeds = { retry: 'tries again', park: 'parks', human: 'asks', free: undefined };
  const done = FailureClass.options.map((failure) => [failure, deeds[failurePolicy(failure)]]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(done.filter(([, deed]) => deed !== undefined)));
});

it('its settings are settings', () => {
  expect(blocks('yaml').length).toBeGreaterThan(2);
  for (const text of blocks('yaml')) expect(HelixFile.safeParse(parse(text)).error).toBeUndefined();
});

it('its commands work, in their order', () => {
  const dir = scratch();
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', blocks('sh').join('\n')], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...{ PATH: `${join(ROOT, 'bin')}:${process.env.PATH}`, GUIDE: dir, NO_COLOR: '1' },
      ...{ XDG_STATE_HOME: join(dir, 'state'), XDG_CACHE_HOME: join(dir, 'cache') },
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(existsSync(join(dir, 'hello/cassette'))).toBe(true);
});

it('it links only to what exists', () => {
  const targets = [...PAGE.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => target);
  const here = targets.filter((target) => !target.startsWith('http'));
  expect(here.filter((target) => !existsSync(resolve(dirname(join(ROOT, 'docs/agents.md')), target)))).toEqual([]);
});

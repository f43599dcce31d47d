import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { put, scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/approvals.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);

const ADR = `# 1. Orders are kept in a database

Date: 2026-01-31

## Status

Accepted

## Context

Orders get lost when two programs write the same file at once, which happens every night.

## Decision

Orders are kept in one database, and both programs write to it.

## Consequences

Somebody looks after the database.
`;

/** A repository as a reader of the page has it: an ADR, a branch, and a judge that costs nothing. */
const PREPARE = `git init -q -b main && git add . && git commit -qm first && git update-ref refs/remotes/origin/main HEAD
printf 'export const sum = (a, b) => a + b;\n' > sum.js && git add . && git commit -qm second`;

function bash(commands: string, files: Readonly<Record<string, string>>) {
  const dir = scratch({ 'home/.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n' });
  put(join(dir, 'work'), files);
  put(dir, { 'page.sh': commands });
  const env = {
    PATH: `${join(ROOT, 'bin')}:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: join(dir, 'home'),
    GUIDE: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  };
  const how = { cwd: join(dir, 'work'), env, encoding: 'utf8' } as const;
  return { dir, ...spawnSync('bash', ['-e', '-o', 'pipefail', join(dir, 'page.sh')], how) };
}

it('the first commands of the page approve an ADR and a branch', () => {
  const settings = 'agents:\n  default: { driver: scripted }\nallow_simulated: true\n';
  const files = { 'docs/adr/001.md': ADR, 'helix.yaml': settings, 'sum.js': '' };
  // A judge of the project's own that plays a script needs a word of the user's first.
  const trusted = `${PREPARE}\nhelix approve adr docs/adr/001.md --trust > first.txt && rm first.txt`;
  const { status, stdout, stderr } = bash(`${trusted}\n${BLOCKS[0]}`, files);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout.match(/approved/g)?.length).toBeGreaterThanOrEqual(2);
});

it('a type of your own takes the commands of the page: rejected with its line, then approved, and found outside a run', () => {
  const { dir, status, stdout, stderr } = bash(BLOCKS.slice(1).join('\n'), { 'empty.txt': '' });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stderr).toMatch(/approval: reject: The entry does not say what was fixed/);
  expect(stderr).toMatch(/changelog {2}passed with attempt 2/);
  expect(existsSync(join(dir, 'notes/.helix/approvals'))).toBe(true);
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { makePlace } from '../src/cli/helix.fixture.ts';
import type { JudgeAnswer } from '../src/domain/judge/approval.ts';
import type { Move } from '../src/domain/plan/script.ts';

export const SAFE = `export function find(db: { all(sql: string): unknown }) {
  return db.all('select * from users');
}
`;
export const INJECTED = SAFE.replace("users'", "users where id = ' + process.argv[2]");
export const QUOTE = "where id = ' + process.argv[2]";

const CODE_CHECKS = ['patterns', 'performance', 'security', 'style', 'tests'];

/** What a judge of code that reads `file` answers. */
export function answerFor(file: string, quote: string, more: Partial<JudgeAnswer> = {}): JudgeAnswer {
  return {
    checks: CODE_CHECKS.map((id) => ({ id, outcome: 'pass', evidence: [{ file, quote }] })),
    ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.95, ...more },
  };
}

/** What a judge answers that has found the injection and quotes its line. */
export function injectionFound(file = 'src/db.ts', quote = QUOTE): JudgeAnswer {
  const evidence = { file, line: 2, quote };
  const message = 'what comes from outside becomes part of the SQL text';
  const passed = answerFor(file, quote);
  return {
    ...passed,
    checks: passed.checks.map((check) => (check.id === 'security' ? { ...check, outcome: 'fail' } : check)),
    findings: [{ severity: 'error', check: 'security', message, hint: 'bind it as a parameter', evidence }],
    result: 'rejected',
  };
}

/** A real repository with a first commit, in which the real command is called. */
export function makeRepository(files: Readonly<Record<string, string>>) {
  const place = makePlace();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(place.dir, path)), { recursive: true });
    writeFileSync(join(place.dir, path), text);
  };
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main'];
    const ended = spawnSync('git', [...who, ...args], { cwd: place.dir, encoding: 'utf8' });
    expect(ended).toMatchObject({ status: 0 });
    return ended.stdout;
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'work');
  };
  const root = dirname(place.dir);
  /** Writes what judges say in turn to a file outside of the repository. */
  const script = (moves: readonly Move[], name = 'script.yaml'): string => {
    writeFileSync(join(root, name), JSON.stringify({ roles: { reviewer: moves } }));
    return join(root, name);
  };
  const approvals = () => {
    const folder = join(place.dir, '.helix/approvals');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  git('init', '-q');
  for (const [path, text] of Object.entries(files)) write(path, text);
  commit();
  return { ...place, root, write, git, commit, script, approvals };
}

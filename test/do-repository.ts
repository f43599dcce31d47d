import { Repository } from './repository.ts';
import { put } from './scratch.ts';

/** A request in a repository with a test command. */
export const TASK = 'sum subtracts; it should add. Add a test for it';
/** The branch that is named after it. */
export const BRANCH = 'helix/sum-subtracts';

/** A file of tests with one test. */
export function testOf(name: string, call: string): string {
  return `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../sum.js';\ntest('${name}', () => assert.equal(${call}));\n`;
}

/** A project whose sum is wrong, and which has tests. */
export const FILES = {
  'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/zero.test.js': testOf('zero', 'sum(0, 0), 0'),
};

/** What mends it. */
export const FIX = {
  'sum.js': 'export const sum = (a, b) => a + b;\n',
  'test/adds.test.js': testOf('adds', 'sum(1, 2), 3'),
};

/** A repository nobody has told of HELIX. */
export function plain(files: Record<string, string> | false = FILES): Repository {
  return new Repository({ planless: true, files });
}

/** A script for the scripted agent, beside the repository, and the words that name it. */
export function script(repository: Repository, moves: Record<string, unknown>): string[] {
  put(repository.root, { 'script.yaml': JSON.stringify(moves) });
  return ['--agent', 'scripted', '--script', repository.beside('script.yaml')];
}

/** Words that have the scripted agent make each of these changes in turn. */
export function changing(repository: Repository, ...moves: readonly Record<string, unknown>[]): string[] {
  return script(repository, { phases: { change: moves } });
}

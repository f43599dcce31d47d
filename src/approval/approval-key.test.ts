import { expect, it } from 'vitest';
import { FILES, memorySnapshot, questionOf } from './approval.fixture.ts';
import { cacheKey, type JudgeIdentity, mergeKey, questionKey } from './approval-key.ts';
import { parseDefinition } from './load-definition.ts';
import type { Question } from './question.ts';

const JUDGE: JudgeIdentity = {
  driver: 'claude-code',
  version: '1',
  model: 'm',
  tools: ['Read', 'Grep'],
  sandbox: 'strict',
};
const question = questionOf();
const key = cacheKey(question, JUDGE);

it('the same question has the same key, wherever its copy lies and in whatever order its files are told', () => {
  const elsewhere = { ...memorySnapshot(), dir: '/pinned/b2', files: question.snapshot.files.toReversed() };
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(cacheKey(questionOf({ snapshot: elsewhere, inputs: question.inputs }), JUDGE)).toBe(key);
});

it('what the free checks found and how long it may take make no other question', () => {
  const found = [{ severity: 'warning', check: 'links', message: 'broken' }] as const;
  expect(cacheKey(questionOf({ found, settings: { ...question.settings, timeoutSeconds: 1 } }), JUDGE)).toBe(key);
});

const other = (files: Readonly<Record<string, string>>) =>
  questionOf({ snapshot: memorySnapshot({ ...FILES, ...files }) });
const definition = parseDefinition(
  'code',
  new Map([
    ['CLAUDE.md', 'other'],
    ['checks/security.md', 'x'],
  ]),
);

it.each<[string, Question]>([
  ['type', questionOf({ type: 'security' })],
  ['role', questionOf({ role: 'verifier' })],
  ['input', questionOf({ inputs: question.snapshot.files })],
  ['content of an input', other({ 'src/db.ts': 'changed' })],
  ['content of another file it can see', other({ 'src/other.ts': 'changed' })],
  ['further file it can see', other({ 'src/new.ts': '' })],
  ['digest of an input', questionOf({ inputs: [{ path: 'src/db.ts', sha256: '0' }] })],
  ['definition', questionOf({ definition })],
  ['check that is not asked', questionOf({ definition: { ...question.definition, sha256: '0' } })],
  ['choice of checks', questionOf({ checks: question.checks.slice(1) })],
  ['text of a check', questionOf({ checks: question.checks.map((check) => ({ ...check, text: 'x', sha256: 'y' })) })],
  ['difference', questionOf({ difference: '+a' })],
  ['convention', questionOf({ conventions: { texts: [{ path: 'a', text: 'b', instructions: '' }], more: [] } })],
  ['criterion', questionOf({ criteria: ['it works'] })],
  ['request', questionOf({ asked: { request: 'sort them', tasks: [] } })],
  ['task', questionOf({ asked: { tasks: [{ of: 'x', text: 'sort them' }] } })],
  ['specification', questionOf({ asked: { tasks: [], spec: { text: 'goal: sort' } } })],
  ['concept', questionOf({ concept: 'src/other.ts' })],
  ['settled matter', questionOf({ settled: [{ words: 'they are there' }] })],
  ['settled check', questionOf({ settledChecks: question.checks.slice(1) })],
  ['language', questionOf({ language: 'de' })],
  ['required confidence', questionOf({ settings: { ...question.settings, requiredConfidence: 0.81 } })],
  ['way to meet low confidence', questionOf({ settings: { ...question.settings, onLowConfidence: 'reject' } })],
])('another %s is another question', (_, changed) => {
  expect(cacheKey(changed, JUDGE)).not.toBe(key);
});

it.each<[string, Question]>([
  ['choice of checks', questionOf({ checks: question.checks.slice(1) })],
  ['text of a check', questionOf({ checks: question.checks.map((check) => ({ ...check, text: 'x', sha256: 'y' })) })],
  ['definition', questionOf({ definition })],
  ['criterion', questionOf({ criteria: ['it works'] })],
  ['content of an input', other({ 'src/db.ts': 'changed' })],
])('an opinion from before a merge does not answer a question with another %s', (_, changed) => {
  expect(mergeKey(changed, JUDGE)).not.toBe(mergeKey(question, JUDGE));
});

it('an opinion from before a merge answers the question among the files and the difference the merge brought', () => {
  const files = [...question.snapshot.files, { path: 'src/new.ts', sha256: '1', size: 0 }];
  const merged = questionOf({ snapshot: { ...question.snapshot, files }, inputs: question.inputs, difference: '+a' });
  expect(mergeKey(merged, JUDGE)).toBe(mergeKey(question, JUDGE));
});

const { version: _version, ...withoutVersion } = JUDGE;

it.each<[string, JudgeIdentity]>([
  ['driver', { ...JUDGE, driver: 'scripted' }],
  ['version', { ...JUDGE, version: '2' }],
  ['version nobody knows', withoutVersion],
  ['model', { ...JUDGE, model: 'n' }],
  ['set of tools', { ...JUDGE, tools: ['Read'] }],
  ['sandbox', { ...JUDGE, sandbox: 'basic' }],
])('a judge with another %s is asked anew', (_, judge) => {
  expect(cacheKey(question, judge)).not.toBe(key);
});

it('knows a question of a run by what is asked, not by how sure its judge must be', () => {
  const surer = questionOf({ settings: { ...question.settings, requiredConfidence: 0.99 } });
  expect(cacheKey(surer, JUDGE)).not.toBe(key);
  expect(questionKey(surer, JUDGE)).toBe(questionKey(question, JUDGE));
  expect(questionKey(question, { ...JUDGE, model: 'another' })).not.toBe(questionKey(question, JUDGE));
});

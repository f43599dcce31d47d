import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseDefinition } from '../src/approval/load-definition.ts';
import { SHIPPED_APPROVALS } from '../src/domain/judge/approval-type.ts';

const APPROVALS = fileURLToPath(new URL('../approvals', import.meta.url));

const definitions = SHIPPED_APPROVALS.map((type) => {
  const folder = join(APPROVALS, type);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  return parseDefinition(type, new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])));
});
const checks = definitions.flatMap(({ type, checks: own }) =>
  own.map((check) => [`${type}/${check.id}`, check] as const),
);
const textOf = (name: string) => checks.find(([each]) => each === name)?.[1].text ?? '';
const rowOf = (name: string, severity: string) =>
  new RegExp(`^\\| ${severity} \\|.*$`, 'm').exec(textOf(name))?.[0] ?? '';

describe('every shipped check', () => {
  it.each(checks)('%s says in its front matter what may be not_applicable, and nowhere else', (_, {
    text,
    notApplicable,
  }) => {
    expect(notApplicable).toBeDefined();
    expect(text).not.toMatch(/^## Not applicable|not applicable/im);
    for (const phrase of notApplicable ?? []) expect(phrase.split(' ').length).toBeLessThan(14);
  });

  it.each(checks)('%s shows one good finding with its counterexample and one clean answer', (_, { text }) => {
    const examples = text.slice(text.indexOf('\n## Examples\n'));
    expect(examples.match(/^- \*\*A good finding\*\*: `error` at [\s\S]*?: "/gm)).toHaveLength(1);
    expect(examples.match(/^- \*\*A clean answer\*\*: `pass`, quoting /gm)).toHaveLength(1);
  });

  it.each(checks)('%s asks for no fix and no number of findings', (_, { text }) => {
    expect(text).not.toMatch(
      /how to (?:fix|mend) it|suggest a fix|in the hint|at least (?:one|two|three|\d+) findings?/i,
    );
  });

  it('is short: all that a judge of one type is told of checks takes less than 16 KB', () => {
    for (const { checks: own } of definitions) {
      expect(own.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThan(16 * 1024);
    }
  });
});

it.each(
  definitions.map(({ type, text }) => [type, text]),
)('%s says what blocks, and repeats nothing of what HELIX tells every judge', (_, text) => {
  expect(text).toContain('\n## What blocks\n');
  expect(text).not.toMatch(/Quote exactly|data, never an instruction|Zero findings/i);
});

it('an ADR says why nothing is waved through by a quick look', () => {
  const adr = readFileSync(join(APPROVALS, '../docs/adr/020-no-quick-pass.md'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(adr).toMatch(
    /## Context The concept of the approval system \(7\.3, .*## Decision The first half is taken, the second is not\./,
  );
});

it('one vague criterion among good ones is a warning, and only a promise that nothing covers an error', () => {
  expect(rowOf('adr/acceptance', 'warning')).toContain('one vague criterion among good ones');
  expect(rowOf('adr/acceptance', 'error')).not.toMatch(/vague|works as desired/);
});

it('a project without any tests is an error of tests, and no reason to leave the check out', () => {
  expect(rowOf('code/tests', 'error')).toContain('no test in the whole project');
  const [, tests] = checks.find(([name]) => name === 'code/tests') ?? [];
  expect(tests?.notApplicable?.join()).not.toMatch(/no tests/);
});

it('style asks for type hints and docstrings where the language has them', () => {
  expect(rowOf('code/style', 'warning')).toMatch(/type hints or docstring/);
  expect(rowOf('code/style', 'error')).toMatch(/type hint, docstring/);
});

it('security of a change and the audit of whole files ask nothing twice', () => {
  const sentences = (name: string) =>
    textOf(name)
      .slice(0, textOf(name).indexOf('## What counts'))
      .split(/[;:.\n|]+/)
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part.split(' ').length > 3 && !part.startsWith('#'));
  const names = ['code/security', 'security/owasp', 'security/injection', 'security/credentials'];
  const all = names.flatMap((name) => [...new Set(sentences(name))]);
  expect(all.filter((part, index) => all.indexOf(part) !== index)).toEqual([]);
  expect(textOf('security/owasp')).not.toMatch(/\*\*A03/);
  expect(textOf('code/security')).toMatch(/The audit of whole files is\s+another approval/);
});

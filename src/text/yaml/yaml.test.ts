import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { parseYaml } from './yaml.ts';
import { YAML_LIMITS } from './yaml-guard.ts';

const PLAN = `project: { name: demo, type: feature }
phases:
  - id: 01-plan
    type: planning   # [[[
    output: ["a[1].md", 'it''s {fine}']
    description: |
      [[[ {{{ not
        structure
  - id: 02
    depends_on: [01-plan]
    quality_gate: { type: tests_pass, command: [npm, test] }
`;

function problems(text: string): string[] {
  return parseYaml(text, 'f.yaml').findings.map(
    ({ message, location }) => `${location?.line}:${location?.column} ${message}`,
  );
}

describe('parseYaml', () => {
  it('knows where keys and values stand', () => {
    const yaml = parseYaml(PLAN, 'phases.yaml');
    expect(yaml.findings).toEqual([]);
    expect(yaml.locate(['phases', 1, 'depends_on', 0])).toEqual({ file: 'phases.yaml', line: 10, column: 18 });
    expect(yaml.locateKey(['phases', 1, 'depends_on'])).toEqual({ file: 'phases.yaml', line: 10, column: 5 });
    expect(yaml.locateKey(['phases', 1])).toMatchObject({ line: 9, column: 5 });
  });

  it('locates what does not exist at the nearest value around it', () => {
    const yaml = parseYaml(PLAN, 'phases.yaml');
    expect(yaml.locate(['phases', 1, 'output', 'files'])).toMatchObject({ line: 9, column: 5 });
    expect(yaml.locate(['phases', 9])).toMatchObject({ line: 3, column: 3 });
  });

  it('keeps ids as they are written', () => {
    const text = 'id: 015\ndepends_on: [01, 1.10, 0x1F, true]\nretries: 015\n015: key\nnone: ~\n';
    expect(parseYaml(text, 'f', new Set(['id', 'depends_on', 'none'])).value).toEqual({
      id: '015',
      depends_on: ['01', '1.10', '0x1F', 'true'],
      retries: 15,
      '015': 'key',
      none: null,
    });
  });

  it.each([
    ['a: b: c', ['1:4 Nested mappings are not allowed in compact mappings']],
    ['a:\n\t- b', ['2:1 Tabs are not allowed as indentation']],
    ['a: 1\nb: 2\na: 3', ['3:1 the key "a" stands here twice']],
    ['a: &x 1\nb: *x', ['1:4 anchors and aliases (&x) are not allowed']],
    ['a: 1\nb: *x', ['2:4 anchors and aliases (*x) are not allowed']],
    ['a: !run x', ['1:4 Unresolved tag: !run']],
    ['a: !!binary eA==', ['1:4 Unresolved tag: tag:yaml.org,2002:binary']],
    ['a: 1\n---\nb: 2', ['2:1 several documents in one file']],
    ['%YAML 1.1\n---\na: yes', ['1:1 the directive %YAML 1.1 is not allowed']],
    ['a: "\\d"', ['1:4 this text in double quotes has an invalid escape sequence']],
    ['a: {__proto__: {b: 1}}', ['1:5 the key "__proto__" is not allowed']],
    ['? [a]\n: b', ['1:3 a key must be text']],
  ])('says what is wrong with %j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it('a __proto__ key changes no prototype', () => {
    const { value } = parseYaml('a: {__proto__: {polluted: 1}}\n__proto__: {polluted: 1}', 'f');
    expect(value).toEqual({ a: {} });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('accepts exactly 64 levels', () => {
    expect(problems('['.repeat(64) + ']'.repeat(64))).toEqual([]);
    expect(problems(`${'- '.repeat(64)}a`)).toEqual([]);
    expect(problems('['.repeat(65) + ']'.repeat(65))).toEqual(['1:65 nested deeper than 64 levels']);
    expect(problems(`${'- '.repeat(65)}a`)).toEqual(['1:129 nested deeper than 64 levels']);
  });

  it('accepts exactly 1,000 keys in a map', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, key) => `k${key}: 1`);
    expect(problems(`{${keys(1000).join(', ')},}`)).toEqual([]);
    expect(problems(keys(1000).join('\n'))).toEqual([]);
    expect(problems(`- ${keys(1000).join('\n  ')}\n`.repeat(2))).toEqual([]);
    expect(problems(keys(1001).join('\n'))).toEqual(['1001:6 more than 1000 keys in one map']);
    expect(problems(`{${keys(1001).join(', ')}}`)).toEqual(['1:8892 more than 1000 keys in one map']);
    expect(problems(`- ${keys(1001).join('\n  ')}`)).toEqual(['1001:3 more than 1000 keys in one map']);
  });

  it('does not take text for nesting', () => {
    const deep = '['.repeat(300);
    const stairs = Array.from({ length: 300 }, (_, level) => `${' '.repeat(level + 2)}- x`).join('\n');
    const text = `a: "${deep}"\nb: '${deep}'\nc: it's ${deep}\n# ${deep}\nd: |\n${stairs}\ne: >-\n  ${deep}\n`;
    expect(problems(text)).toEqual([]);
  });

  it.each([
    '*bold* text',
    '&amp; more',
    '%YAML 1.1',
    '"\\d"',
    '!important',
  ])('does not take %j in a block of text for structure', (line) => {
    expect(parseYaml(`a: |\n  ${line}\n`, 'f')).toMatchObject({ findings: [], value: { a: `${line}\n` } });
  });

  it.each([
    ['20,000 open brackets', '['.repeat(20_000)],
    ['brackets behind an apostrophe', `a: it's\nb: ${'[{a: '.repeat(20_000)}`],
    ['20,000 dashes on a line', `${'- '.repeat(20_000)}a`],
    ['20,000 question marks on a line', `${'? '.repeat(20_000)}a`],
    ['a staircase of maps', Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    ['20,000 keys in a flow map', `{${Array.from({ length: 20_000 }, (_, key) => `k${key}: 1`).join(', ')}}`],
    ['20,000 keys in a block map', Array.from({ length: 20_000 }, (_, key) => `k${key}: 1`).join('\n')],
    ['an alias bomb', `a0: &a0 [x, x]\n${bomb(40)}`],
    ['a huge file', 'x: y\n'.repeat(1_000_000)],
    ['nothing but bad escapes', `"${'\\q'.repeat(120_000)}"`],
  ])('answers %s with one clear finding in little time', (_, text) => {
    const work = workMeter();
    expect(parseYaml(text, 'f').findings).toHaveLength(1);
    expect(work()).toBeLessThan(300);
  });

  it('reads a plan of the largest allowed size', () => {
    const phases = Array.from({ length: 9000 }, (_, index) => `- {id: p${index}, type: test}\n`).join('');
    const text = `phases:\n${phases}`;
    expect(text.length).toBeLessThan(YAML_LIMITS.bytes);
    expect(problems(text)).toEqual([]);
  });

  it('never throws, whatever a plan is turned into', () => {
    const mutation = fc.record({
      at: fc.nat(PLAN.length),
      remove: fc.nat(20),
      insert: fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom('[', '{', '\n', '\t', '- ', '"', "'", '|', '&a', '---'),
      ),
    });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 6 }), (mutations) => {
        const text = mutations.reduce(
          (mutated, { at, remove, insert }) => mutated.slice(0, at) + insert + mutated.slice(at + remove),
          PLAN,
        );
        const yaml = parseYaml(text, 'f');
        const lines = text.split('\n').length;
        for (const { location } of yaml.findings) expect(location?.line).toBeLessThanOrEqual(lines);
        expect(yaml.locate(['phases', 0, 'id']).line).toBeLessThanOrEqual(lines);
      }),
      { numRuns: 300 },
    );
  });
});

function bomb(levels: number): string {
  return Array.from({ length: levels }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`).join(
    '\n',
  );
}

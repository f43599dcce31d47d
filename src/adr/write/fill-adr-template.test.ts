import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { titleOf } from '../corpus/adr-corpus.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { detectProfile } from '../structure/detect-profile.ts';
import { commonHeading, fillAdrTemplate } from './fill-adr-template.ts';

function fill(template: string, values: Partial<Parameters<typeof fillAdrTemplate>[1]> = {}) {
  const given = {
    path: 'docs/adr/0007-x.md',
    id: '0007',
    title: 'Use SQLite',
    status: 'Proposed',
    date: '2026-02-03',
    likeHeading: undefined,
    ...values,
  };
  const text = fillAdrTemplate(template, given);
  const { ids, titles, statuses, dates, frontMatter } = parseAdr(text, given.path);
  const first = (told: readonly { value: string }[]) => told[0]?.value;
  return {
    text,
    told: [first(ids), first(titles), first(statuses), first(dates)],
    wrong: frontMatter?.findings ?? [],
  };
}

const shipped = ['helix', 'madr', 'nygard', 'rationale', 'what-why'];
const template = (profile: string): string =>
  readFileSync(new URL(`../../../templates/adr/${profile}.md`, import.meta.url), 'utf8');

describe.each(shipped)('the template %s', (profile) => {
  it('tells id, title, status and date once it is filled, and has its own form', () => {
    const { told, text } = fill(template(profile));
    expect(told.slice(1)).toEqual(['Use SQLite', 'Proposed', '2026-02-03']);
    expect(Number(told[0])).toBe(7);
    expect(detectProfile(parseAdr(text, 'docs/adr/0007-x.md'))).toBe(profile);
    expect(text).not.toContain('2000-01-01');
  });

  it('has a title that is read as it was given', () => {
    for (const title of [
      'Use [z]',
      'a_b',
      'Issue #1',
      '#1',
      'a \\',
      'C:\\x',
      '[a](b)',
      '&amp; C#',
      'end #',
      'Use *x*',
      '**x**',
      'Use `y`',
      'List<T>',
      'a {#b}',
      '<!-- x -->',
      '~~x~~ *y*',
    ]) {
      const { text } = fill(template(profile), { title });
      expect(titleOf(parseAdr(text, 'docs/adr/0007-x.md')), text).toBe(title);
    }
  });

  it('takes hostile titles', () => {
    for (const title of [
      '"quoted": yes',
      "it's --- # not",
      '[a](b) *c* `d`',
      '{a: 1}',
      '- x',
      '💥 / \\',
      '5. Five',
      '<b>',
    ])
      expect(fill(template(profile), { title }), title).toMatchObject({
        wrong: [],
        told: { 1: expect.any(String), 3: '2026-02-03' },
      });
  });
});

it('a title that starts with a number is not the number of the ADR', () => {
  expect(fill(template('madr'), { title: '3. Three' }).told[0]).toBe('0007');
});

it('headings look like those of the folder', () => {
  const heading = (likeHeading: string) => /^# .*$/m.exec(fill(template('nygard'), { likeHeading }).text)?.[0];
  expect(heading('6. Use X')).toBe('# 7. Use SQLite');
  expect(heading('ADR-0006: Use X')).toBe('# ADR-0007: Use SQLite');
  expect(heading('ADR 0006 – Use X')).toBe('# ADR 0007 – Use SQLite');
  expect(heading('Use X')).toBe('# Use SQLite');
  expect(heading('2 ways to X')).toBe('# Use SQLite');
});

it('of several forms of headings the most common one counts', () => {
  expect(commonHeading(['1. A', '2. B', 'ADR-3: C', 'D'])).toBe('2. B');
  expect(commonHeading(['A', 'B', '3. C'])).toBe('B');
  expect(commonHeading([])).toBeUndefined();
});

it('the words of adr-tools are filled', () => {
  const { text, told } = fill('# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n\n## Context\n\nThe issue.\n');
  expect(told).toEqual(['7', 'Use SQLite', 'Proposed', '2026-02-03']);
  expect(text).toContain('The issue.');
});

it('what templates of MADR suggest is replaced', () => {
  const four =
    '---\nstatus: "{proposed | rejected | accepted}"\ndate: {YYYY-MM-DD when it was decided}\n---\n\n# {short title}\n\n## Context\n';
  expect(fill(four, { status: 'proposed' })).toMatchObject({
    wrong: [],
    told: ['0007', 'Use SQLite', 'proposed', '2026-02-03'],
  });
  const two =
    '# [short title]\n\n* Status: [proposed | rejected] <!-- optional -->\n* Date: [YYYY-MM-DD] <!-- optional -->\n\n## Context\n';
  expect(fill(two, { status: 'proposed' }).told).toEqual(['0007', 'Use SQLite', 'proposed', '2026-02-03']);
});

it('a template that has neither status nor date gets both', () => {
  expect(fill('# Title\n\n## What\n\n## Why\n').told).toEqual(['0007', 'Use SQLite', 'Proposed', '2026-02-03']);
  expect(fill('## Was\n').told).toEqual(['0007', 'Use SQLite', 'Proposed', '2026-02-03']);
});

it('line ends of Windows stay', () => {
  const { text } = fill(template('nygard').replaceAll('\n', '\r\n'));
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

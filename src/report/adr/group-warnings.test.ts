import { expect, it } from 'vitest';
import type { AdrFileEntry, AdrFindingEntry } from '../../domain/documents/adr-documents.ts';
import { adrCheckDocument } from './adr-check-document.ts';
import { renderAdrCheck } from './adr-check-text.ts';
import { groupWarnings } from './group-warnings.ts';

function finding(check: string, message: string, over: Partial<AdrFindingEntry> = {}): AdrFindingEntry {
  return {
    severity: 'warning',
    check,
    message,
    hint: `mend ${check}`,
    layer: 1,
    location: { line: 3, column: 1 },
    ...over,
  };
}

function file(path: string, ...findings: AdrFindingEntry[]): AdrFileEntry {
  return { path, profile: 'nygard', verdict: 'pass', findings };
}

const status = () => finding('missing-status', 'the ADR has no status');
const date = (day: string) => finding('date-format', `the date "${day}" is not written as year-month-day`);

it('what three places have in common is told once, whatever they quote', () => {
  const { files, repeated } = groupWarnings([
    file('a.md', status(), date('1 May')),
    file('b.md', status(), date('2 May'), date('3 May')),
    file('c.md', status()),
    file('d.md', status()),
  ]);
  expect(files.every(({ findings }) => findings.length === 0)).toBe(true);
  expect(repeated.map(({ first, varies, places }) => [first.check, varies, places.length])).toEqual([
    ['missing-status', false, 4],
    ['date-format', true, 3],
  ]);
});

it('two of a kind, errors, notes and what is mended otherwise stay with their files', () => {
  const lost = (section: string) =>
    finding('concept-lost', `"${section}" is lost`, { hint: `carry over "${section}"` });
  const severe = { severity: 'error' } as const;
  const all = [
    file('a.md', date('1 May'), date('2 May')),
    file('b.md', lost('A'), lost('B'), lost('C')),
    file('c.md', ...['x', 'y', 'z'].map(() => finding('placeholder', 'only placeholder text', severe))),
    file('d.md', ...['x', 'y', 'z'].map(() => finding('unrecognised', 'no ADR', { severity: 'info' }))),
  ];
  expect(groupWarnings(all)).toEqual({ files: all, repeated: [] });
});

it('people read a repeated warning once with its first places, and the summary still counts every one', () => {
  const checks = Array.from({ length: 7 }, (_, index) => ({
    ...file(`docs/${index}.md`),
    rules: { checked: 0, triggered: 0, passed: 0 },
    findings: [{ ...status(), location: { line: 1, column: 1 } }],
  }));
  const view = { paint: (_: unknown, text: string) => text, frame: () => undefined, notes: [] };
  expect(renderAdrCheck(adrCheckDocument(checks), view)).toBe(
    [
      'warning  7 times: the ADR has no status  missing-status',
      ...[0, 1, 2, 3, 4].map((index) => `  docs/${index}.md:1:1`),
      '  … and 2 more; --format json lists all',
      '  hint: mend missing-status',
      '',
      '7 ADRs passed: 0 errors, 7 warnings',
      '',
    ].join('\n'),
  );
});

import { expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { nextName } from './next-name.ts';
import { slugOf } from './slug.ts';

function next(names: readonly string[], title = 'Use SQLite'): string {
  const adrs = names.map((name) => parseAdr('# A\n', `docs/adr/${name}`));
  return nextName(adrs, { title, date: '2026-02-03' }).file;
}

it('the next number follows the highest one and never fills a gap', () => {
  expect(next(['0001-a.md', '0007-b.md', '0003-c.md'])).toBe('0008-use-sqlite.md');
});

it('a folder keeps its way of naming', () => {
  expect(next([])).toBe('0001-use-sqlite.md');
  expect(next(['001-a.md', '002-b.md'])).toBe('003-use-sqlite.md');
  expect(next(['ADR-006-a.md'])).toBe('ADR-007-use-sqlite.md');
  expect(next(['adr_006_use_a.md'])).toBe('adr_007_use_sqlite.md');
  expect(next(['ADR028-a-b.md'])).toBe('ADR029-use-sqlite.md');
  expect(next(['ACME-ADR-UI-0001-a.md', 'ACME-ADR-UI-0002-b.md'])).toBe('ACME-ADR-UI-0003-use-sqlite.md');
  expect(next(['9-a.md'])).toBe('10-use-sqlite.md');
  expect(next(['99-a.md'])).toBe('100-use-sqlite.md');
  expect(next(['032.1-a.md', '031-b.md'])).toBe('033-use-sqlite.md');
});

it('files named by date get a date, in the same form', () => {
  expect(next(['2024-01-02-a.md', '2024-01-03-b.md'])).toBe('2026-02-03-use-sqlite.md');
  expect(next(['20240102-a.md'])).toBe('20260203-use-sqlite.md');
});

it('a number in the text counts as well as one in a name', () => {
  const adr = parseAdr('---\nadr_id: "041"\n---\n\n# A\n', 'docs/adr/use-a.md');
  expect(nextName([adr], { title: 'B', date: '2026-02-03' })).toEqual({ file: '0042-b.md', id: '0042' });
});

it('a title becomes a safe name in any script', () => {
  expect(slugOf('Größe & Übermut: "ß" / Äther')).toBe('groesse-uebermut-ss-aether');
  expect(slugOf('Crème brûlée, s’il vous plaît')).toBe('creme-brulee-sil-vous-plait');
  expect(slugOf('../../etc/passwd')).toBe('etc-passwd');
  expect(slugOf('日本語が好き')).toBe('日本語が好き');
  expect(slugOf('---')).toBe('untitled');
  expect(slugOf('💥💥')).toBe('untitled');
  expect(slugOf('ﬁne ①')).toBe('fine-1');
  expect(slugOf(`word ${'x'.repeat(30)} ${'y'.repeat(40)}`)).toBe(`word-${'x'.repeat(30)}`);
  expect(slugOf('x'.repeat(300))).toHaveLength(60);
});

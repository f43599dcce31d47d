import { expect, it } from 'vitest';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import { checkNamedFiles } from './check-named-files.ts';

const FILES = { before: ['src/a.ts', 'src/deep/b.ts', 'docs/guide.md'], since: ['phases/x/output/lib/made.ts'] };

function check(files: string, status = 'Proposed', text = ''): string[] {
  const adr = parseAdr(`---\nadr_id: "1"\nstatus: ${status}\nfiles: ${files}\n---\n\n# One\n\n${text}\n`, 'adr.md');
  return checkNamedFiles([adr], FILES).map(({ severity, check: id, message }) => `${severity} ${id} ${message}`);
}

it.each([
  ['{ modify: [src/a.ts, src, "src/**/*.ts", ./src/a.ts] }', 'Proposed'],
  ['{ modify: [lib/made.ts] }', 'Proposed'],
  ['{ create: [src/new.ts] }', 'Proposed'],
  ['{ create: [src/a.ts], modify: [src/a.ts] }', 'Implemented'],
  ['{ modify: [src/none.ts] }', 'Superseded'],
  ['{ modify: ["other:src/x.ts", "/etc/hosts", "../other/x.ts", "<file>"] }', 'Proposed'],
  ['{ docs: [docs/guide.md] }', 'Proposed'],
])('%s of an ADR that is %s is in order', (files, status) => {
  expect(check(files, status)).toEqual([]);
});

it('a file to be modified must exist; one that is only spelt otherwise is a warning', () => {
  expect(check('{ modify: [src/none-at-all.ts] }')).toEqual([
    'error files-modify-missing src/none-at-all.ts is to be modified, and it does not exist',
  ]);
  expect(check('{ modify: [deep/b.ts, src/A.ts] }').map((line) => line.slice(0, 7))).toEqual(['warning', 'warning']);
});

it('a file to be created must not exist before; when the ADR is implemented it must exist', () => {
  expect(check('{ create: [src/a.ts] }')[0]).toMatch(/^error files-create-exists src\/a\.ts is to be created/);
  expect(check('{ create: [src/a.ts] }', 'Accepted')[0]).toMatch(/^warning files-create-exists/);
  expect(check('{ create: [src/never.ts] }', 'Implemented')[0]).toMatch(/^error files-create-missing/);
});

it('a document that is missing and that the text does not speak of is a warning', () => {
  expect(check('{ docs: [docs/none.md] }')[0]).toMatch(/^warning files-docs-missing there is no docs\/none\.md/);
  expect(check('{ docs: [docs/none.md] }', 'Proposed', 'A new none.md is written.')).toEqual([]);
});

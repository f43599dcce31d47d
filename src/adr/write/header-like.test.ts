import { expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { headerLike } from './header-like.ts';

const NYGARD = '# 1. Title\n\nDate: 2000-01-01\n\n## Status\n\nProposed\n\n## Context\n\n## Decision\n';
const adrs = (...texts: string[]) => texts.map((text, index) => parseAdr(text, `docs/adr/000${index + 1}-a.md`));
const BODY = '\n# 1. A\n\n## Context\n\nText.\n';
const FIELDS = `---\ntags: [a]\nstatus: "accepted"\ndate: 2024-01-01\n---\n${BODY}`;

it('status and date stand in front matter where most ADRs have them there, and nowhere else', () => {
  const expected = '---\nstatus: "x"\ndate: x\n---\n\n# 1. Title\n\n## Context\n\n## Decision\n';
  expect(headerLike(NYGARD, adrs(FIELDS, FIELDS, NYGARD))).toBe(expected);
  expect(headerLike(NYGARD.replaceAll('\n', '\r\n'), adrs(FIELDS))).toBe(expected.replaceAll('\n', '\r\n'));
});

it('what the front matter does not tell stays where it is', () => {
  const status = FIELDS.replace('date: 2024-01-01\n', '');
  expect(headerLike(NYGARD, adrs(status))).toContain('# 1. Title\n\nDate: 2000-01-01\n\n## Context');
  expect(headerLike(NYGARD, adrs(`${FIELDS}\n## Status\n\nAccepted\n`))).toContain('## Status\n\nProposed');
});

it('a template stays as it is without such ADRs, or when it has front matter itself', () => {
  expect(headerLike(NYGARD, adrs(FIELDS, NYGARD))).toBe(NYGARD);
  expect(headerLike(NYGARD, [])).toBe(NYGARD);
  expect(headerLike(FIELDS, adrs(FIELDS))).toBe(FIELDS);
});

import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { parseChecks } from '../checks.ts';
import type { Adr } from '../document/adr.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { adrCorpus } from './adr-corpus.ts';
import { adrLookup } from './adr-lookup.ts';
import { checkCorpus } from './check-corpus.ts';

function adr(path: string, header: Record<string, unknown>, body = ''): Adr {
  const yaml = Object.entries(header).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return parseAdr(['---', ...yaml, '---', '', '# A title', '', body, ''].join('\n'), `docs/adr/${path}`);
}

function plain(path: string, text: string): Adr {
  return parseAdr(text, `docs/adr/${path}`);
}

function check(...adrs: Adr[]): string[] {
  return told(checkCorpus(adrs, { beside: [], whole: true }));
}

function told(findings: ReturnType<typeof checkCorpus>): string[] {
  return findings.map(
    ({ severity, check: id, location }) =>
      `${severity} ${id} ${location?.file?.replace('docs/adr/', '')}:${location?.line}:${location?.column}`,
  );
}

describe('ids', () => {
  it('two files with the same id are told at each of them', () => {
    expect(check(adr('a.md', { adr_id: '005' }), adr('b.md', { adr_id: 'ADR-005' }))).toEqual([
      'error duplicate-id a.md:2:9',
      'error duplicate-id b.md:2:9',
    ]);
  });

  it('front matter binds before the heading, and the heading before the file name', () => {
    expect(check(adr('0001-a.md', { id: '7' }), plain('0001-b.md', '# B\n'))).toEqual([]);
    expect(check(plain('0001-a.md', '# 2. A\n'), plain('0002-b.md', '# B\n'))).toEqual([
      'error duplicate-id 0001-a.md:1:3',
      'error duplicate-id 0002-b.md:1:1',
    ]);
  });

  it('series told apart by zero padding, decimals, translations, annexes, slugs and dates are no duplicates', () => {
    expect(
      check(
        plain('001-a.md', '# 1. A\n'),
        plain('0001-b.md', '# 1. B\n'),
        plain('032-c.md', '# ADR-032: C\n'),
        plain('032.1-d.md', '# ADR-032.1: D\n'),
        plain('0001-b.de.md', '# 1. B auf Deutsch\n'),
        plain('adr-050-x.md', '# ADR 050: X\n'),
        plain('adr-050-x-annex1.md', '# ADR 050: X: Annex 1\n'),
        adr('0060-x.md', { id: '0060-x' }),
        adr('0060-y.md', { id: '0060-y' }),
        plain('2024-01-02-e.md', '# E\n'),
        plain('2024-01-02-f.md', '# F\n'),
      ),
    ).toEqual([]);
  });

  it('the same id in two folders is none of anybody’s business', () => {
    expect(check(parseAdr('# 1. A\n', 'one/0001-a.md'), parseAdr('# 1. A\n', 'two/0001-a.md'))).toEqual([]);
  });

  it('a file checked by name is not compared with those beside it, which are only looked up', () => {
    const [mine, other] = [plain('0001-a.md', '# 1. A\n'), plain('0001-b.md', '# 1. B\n')];
    expect(told(checkCorpus([mine], { beside: [other], whole: false }))).toEqual([]);
  });
});

describe('references', () => {
  it('an ADR of another folder is only meant if it was given too', () => {
    const text = '---\nadr_id: "0001"\ndepends_on: ["2"]\n---\n\n# X\n';
    const [mine, other] = [parseAdr(text, 'b/0001-x.md'), parseAdr('# 1. A\n', 'a/0001-a.md')];
    const second = parseAdr('# 2. B\n', 'a/0002-b.md');
    expect(told(checkCorpus([mine, other], { beside: [second], whole: false }))).toEqual([
      'error dangling-reference b/0001-x.md:3:14',
    ]);
    expect(told(checkCorpus([mine, other, second], { beside: [], whole: false }))).toEqual([]);
  });

  it('a number that several have names none of them, but for translations and annexes', () => {
    const [one, two] = [plain('0006-f.md', '# 6. F\n'), plain('0006-g.md', '# 6. G\n')];
    const others = [
      plain('0007-h.md', '# 7. H\n'),
      plain('0007-h.de.md', '# 7. H\n'),
      plain('0007-h-annex.md', '# A\n'),
    ];
    const lookup = adrLookup([one, two, ...others]);
    for (const name of ['6', '06', '0006', 'ADR-6']) expect(lookup.byName(name, 'docs/adr/0001-a.md')).toBe('several');
    expect(lookup.byName('0006-g', 'docs/adr/0001-a.md')).toBe(two);
    expect(lookup.byName('7', 'docs/adr/0001-a.md')).toBe(others[0]);
    expect(lookup.byName('7', 'docs/adr/0001-a.de.md')).toBe(others[1]);
  });

  it('what does not exist is told at the field that names it', () => {
    const one = adr('001-a.md', { adr_id: '001', depends_on: ['002', '009'], related_to: ['008'] });
    expect(check(one, adr('002-b.md', { adr_id: '002' }))).toEqual([
      'error dangling-reference 001-a.md:3:20',
      'warning dangling-reference 001-a.md:4:14',
    ]);
  });

  it('a file that is checked alone and has nothing beside it only gets warnings', () => {
    const one = adr('001-a.md', { adr_id: '001', depends_on: ['009'] });
    expect(told(checkCorpus([one], { beside: [], whole: false }))).toEqual([
      'warning dangling-reference 001-a.md:3:14',
    ]);
  });

  it('an ADR is found by id, number, file, stem or link, also beside the files that are checked', () => {
    const names = ['ADR-0002', '2', '0002-b.md', './0002-b.md', '0002-b', '[ADR 2](0002-b.md)', 'ADR-0002: the second'];
    const one = adr('0001-a.md', { depends_on: names });
    expect(told(checkCorpus([one], { beside: [plain('0002-b.md', '# B\n')], whole: false }))).toEqual([]);
  });

  it('a number that two series have is no wrong reference', () => {
    const one = adr('x.md', { depends_on: ['1'] });
    expect(check(one, plain('001-a.md', '# A\n'), plain('0001-b.md', '# B\n'))).toEqual([]);
  });

  it('an ADR that names itself is told', () => {
    expect(check(adr('001-a.md', { adr_id: '001', supersedes: 'ADR-001' }), plain('002-b.md', '# B\n'))).toEqual([
      'error self-reference 001-a.md:3:13',
    ]);
  });

  it('numbers in prose, nothing, tickets and addresses are no references', () => {
    const one = adr('0001-a.md', { superseded_by: 'none', depends_on: ['JIRA-77', 'https://example.org/adr/9.md'] });
    const two = plain('0002-b.md', '# 2. B\n\n## Status\n\nAccepted, replaces what section 17 of 2021 said\n');
    expect(check(one, two)).toEqual([]);
  });

  it('a template may name what it likes', () => {
    expect(check(adr('0000-template.md', { supersedes: 'ADR-0123' }), plain('0001-a.md', '# A\n'))).toEqual([]);
  });

  it('links to ADRs of the folder that are not there are warnings, other links are left alone', () => {
    const text =
      '# 1. A\n\nSee [two](0002-b.md#x), [three](0003-gone.md), [three](0003-gone.md), [x](../0009-x.md), [r](README.md), ' +
      '[w](https://example.org/0004-x.md)\n\n    [code](0005-x.md)\n';
    expect(check(plain('0001-a.md', text), plain('0002-b.md', '# B\n'))).toEqual([
      'warning dangling-reference 0001-a.md:3:33',
    ]);
  });
});

describe('cycles', () => {
  it('each is told once, at its first file, with the way round', () => {
    const adrs = [
      adr('001-a.md', { adr_id: '001', depends_on: ['002'] }),
      adr('002-b.md', { adr_id: '002', depends_on: ['003'] }),
      adr('003-c.md', { adr_id: '003', depends_on: ['001'] }),
    ];
    const findings = checkCorpus(adrs, { beside: [], whole: true });
    expect(told(findings)).toEqual(['error cycle 001-a.md:3:14']);
    expect(findings[0]?.message).toContain('ADR-001 → ADR-002 → ADR-003 → ADR-001');
  });

  it('two cycles through one ADR are two', () => {
    const adrs = [
      adr('001-a.md', { adr_id: '001', depends_on: ['002', '003'] }),
      adr('002-b.md', { adr_id: '002', depends_on: ['001'] }),
      adr('003-c.md', { adr_id: '003', depends_on: ['001'] }),
    ];
    expect(check(...adrs).filter((each) => each.includes('cycle'))).toHaveLength(2);
  });

  it('supersession goes round, too, whichever side tells it', () => {
    const adrs = [
      adr('001-a.md', { adr_id: '001', status: 'Superseded', supersedes: '002', superseded_by: '002' }),
      adr('002-b.md', { adr_id: '002', status: 'Superseded' }),
    ];
    expect(check(...adrs)).toContain('error cycle 001-a.md:4:13');
    const inverse = [
      adr('001-a.md', { adr_id: '001', status: 'Superseded', superseded_by: '002' }),
      adr('002-b.md', { adr_id: '002', status: 'Superseded', superseded_by: '001' }),
    ];
    expect(check(...inverse)).toContain('error cycle 001-a.md:4:16');
  });

  it('a chain of ten thousand that bites its tail is walked without recursion, in time', () => {
    const adrs = Array.from({ length: 10_000 }, (_, index) =>
      adr(`${String(index).padStart(5, '0')}-x.md`, { depends_on: [String((index + 1) % 10_000).padStart(5, '0')] }),
    );
    const work = workMeter();
    expect(check(...adrs)).toEqual(['error cycle 00000-x.md:2:14']);
    expect(work()).toBeLessThan(2000);
  });
});

describe('supersession', () => {
  const old = (header: Record<string, unknown>) => adr('001-a.md', { adr_id: '001', ...header });
  const young = (header: Record<string, unknown>) => adr('002-b.md', { adr_id: '002', ...header });

  it('told by both sides it is fine', () => {
    const one = old({ status: 'Superseded', superseded_by: '002' });
    expect(check(one, young({ status: 'Accepted', supersedes: ['001'] }))).toEqual([]);
  });

  it('superseded by nobody is told at the status', () => {
    expect(check(old({ status: 'Superseded' }), young({}))).toEqual([
      'warning superseded-without-successor 001-a.md:3:9',
    ]);
    expect(check(old({ status: 'Superseded by the handbook' }), young({}))).toEqual([]);
  });

  it('what only one side tells is told where it stands', () => {
    expect(check(old({ status: 'Superseded' }), young({ status: 'Accepted', supersedes: '001' }))).toEqual([
      'warning supersession-not-reciprocal 002-b.md:4:13',
    ]);
    expect(check(old({ status: 'Superseded', superseded_by: '002' }), young({ status: 'Accepted' }))).toEqual([
      'warning supersession-not-reciprocal 001-a.md:4:16',
    ]);
  });

  it('a status that was not changed is told', () => {
    const one = old({ status: 'Accepted', superseded_by: '002' });
    expect(check(one, young({ status: 'Accepted', supersedes: '001' }))).toEqual([
      'warning supersession-not-reciprocal 001-a.md:4:16',
    ]);
  });

  it('the words of adr-tools and of a list of links count', () => {
    const one = plain('0001-a.md', '# 1. A\n\n## Status\n\nSuperseded by [2. B](0002-b.md)\n');
    const two = plain('0002-b.md', '# 2. B\n\n## Status\n\nAccepted\n\nSupersedes [1. A](0001-a.md)\n');
    const linked = plain('0002-b.md', '# 2. B\n\n## Links\n\n- Supersedes [A](0001-a.md)\n');
    expect(check(one, two)).toEqual([]);
    expect(check(one, linked)).toEqual([]);
  });

  it('a proposal supersedes nothing yet', () => {
    expect(check(old({ status: 'Accepted' }), young({ status: 'Proposed', supersedes: '001' }))).toEqual([]);
  });

  it('resting on what was superseded is told, unless it is out of force itself', () => {
    const pair = [
      old({ status: 'Superseded', superseded_by: '002' }),
      young({ status: 'Accepted', supersedes: '001' }),
    ];
    const third = (status: string) => adr('003-c.md', { adr_id: '003', status, depends_on: ['001'] });
    expect(check(...pair, third('Accepted'))).toEqual(['warning depends-on-superseded 003-c.md:4:14']);
    expect(check(...pair, third('Rejected'))).toEqual([]);
  });
});

describe('an ADR named with its folder', () => {
  const other = parseAdr('---\nadr_id: "001"\n---\n\n# Other\n', 'docs/b/001-other.md');
  const own = adr('001-a.md', { adr_id: '001' });
  const goals = (...names: string[]) => {
    const from = adr('005-x.md', { adr_id: '005', depends_on: names });
    return adrCorpus([own, other, from]).relations.map(({ to, dangling }) => (dangling ? 'dangling' : to?.path));
  };

  it('is looked for there, and not among its own neighbours', () => {
    expect(goals('../b/001', '../b/ADR-001', '../b/001-other', './001', '../adr/1')).toEqual([
      'docs/b/001-other.md',
      'docs/b/001-other.md',
      'docs/b/001-other.md',
      'docs/adr/001-a.md',
      'docs/adr/001-a.md',
    ]);
    expect(goals('../c/001', '../b/002', './002')).toEqual([undefined, undefined, 'dangling']);
  });

  it('is nothing to complain about where the folder was not read', () => {
    expect(check(own, adr('004.1-e.md', { adr_id: '004.1', depends_on: ['../b/001'] }))).toEqual([]);
    expect(check(adr('001-a.md', { adr_id: '001', depends_on: ['../b/001'] }))).toEqual([]);
  });
});

it('only what is superseded is no ground to stand on, and the explanation says the same', () => {
  const on = (status: string) =>
    check(adr('001-a.md', { adr_id: '001', status }), adr('002-b.md', { adr_id: '002', depends_on: ['001'] }));
  expect(on('Superseded by the handbook')).toEqual(['warning depends-on-superseded 002-b.md:3:14']);
  expect(on('Rejected')).toEqual([]);
  const checks = parseChecks(readShippedConfig('adr-checks.yaml').text);
  expect(checks.find(({ check }) => check === 'depends-on-superseded')?.summary).toBe(
    'An ADR depends on one that is superseded.',
  );
});

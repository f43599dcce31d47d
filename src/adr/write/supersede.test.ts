import { describe, expect, it } from 'vitest';
import { HelixError } from '../../domain/helix-error.ts';
import { checkAdr } from '../check-adr.ts';
import { adrCorpus } from '../corpus/adr-corpus.ts';
import { checkCorpus } from '../corpus/check-corpus.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { planSupersession, supersessionProblem } from './plan-supersession.ts';

type Files = readonly [path: string, text: string];

function supersede(old: Files, successor: Files): { old: string; successor: string } {
  const adrs = [old, successor].map(([path, text]) => parseAdr(text, `docs/adr/${path}`));
  const [first, second] = adrs;
  if (first === undefined || second === undefined) throw new Error('two files are needed');
  const texts = new Map([
    [first.path, old[1]],
    [second.path, successor[1]],
  ]);
  const plan = planSupersession(adrCorpus(adrs), { old: first, successor: second, texts });
  return { old: plan.old ?? old[1], successor: plan.successor ?? successor[1] };
}

/** What changed, as lines taken away and added. */
function changes(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `-${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `+${line}`),
  ];
}

const structure = (text: string, path: string): string[] =>
  checkAdr(text, { path }).findings.map(({ check, message }) => `${check}: ${message}`);

const body = '\n## Context\n\nText.\n\n## Decision\n\nText.\n';
const styles: Record<string, { old: Files; successor: Files; expected: [string[], string[]] }> = {
  'front matter of HELIX': {
    old: [
      '001-a.md',
      `---\nadr_id: "001"\ntitle: 'A: b'\nstatus: Accepted # by all\ndate: 2024-01-01\ndepends_on: []\n---\n\n# ADR-001: A\n${body}`,
    ],
    successor: ['005-b.md', `---\nadr_id: "005"\nstatus: Accepted\nsupersedes: ["003"]\n---\n\n# ADR-005: B\n${body}`],
    expected: [
      ['-status: Accepted # by all', '+status: Superseded # by all', '+superseded_by: "005"'],
      ['-supersedes: ["003"]', '+supersedes: ["003", "001"]'],
    ],
  },
  'empty fields that are there already': {
    old: [
      '001-a.md',
      `---\nadr_id: 001\nstatus: "Accepted"\nsupersedes:\nsuperseded_by:\n---\n\n# ADR-001: A\n${body}`,
    ],
    successor: [
      '005-b.md',
      `---\nadr_id: 005\nstatus: Accepted\nsupersedes: null # none yet\n---\n\n# ADR-005: B\n${body}`,
    ],
    expected: [
      ['-status: "Accepted"', '-superseded_by:', '+status: "Superseded"', '+superseded_by: "005"'],
      ['-supersedes: null # none yet', '+supersedes: "001" # none yet'],
    ],
  },
  'a list with one line for each': {
    old: ['001-a.md', `---\nadr_id: ADR-001\nstatus: Accepted\n---\n\n# ADR-001: A\n${body}`],
    successor: [
      '005-b.md',
      `---\nadr_id: ADR-005\nstatus: Accepted\nsupersedes:\n  - ADR-003 # older\ndate: 2024-01-01\n---\n\n# ADR-005: B\n${body}`,
    ],
    expected: [['-status: Accepted', '+status: Superseded', '+superseded_by: ADR-005'], ['+  - ADR-001']],
  },
  'lists with commas in their values, over several lines': {
    old: ['001-a.md', `---\nadr_id: "001"\nstatus: Accepted\nsuperseded_by: [ ]\n---\n\n# ADR-001: A\n${body}`],
    successor: [
      '005-b.md',
      `---\nadr_id: "005"\nstatus: Accepted\nsupersedes: [\n  "003",\n]\n---\n\n# ADR-005: B\n${body}`,
    ],
    expected: [
      ['-status: Accepted', '-superseded_by: [ ]', '+status: Superseded', '+superseded_by: ["005"]'],
      ['-supersedes: [', '+supersedes: ["001",'],
    ],
  },
  'front matter that is only for the page': {
    old: ['0001-a.md', `---\nlayout: page\n---\n\n# A\n\n* Status: accepted\n${body}`],
    successor: ['0005-b.md', `---\nlayout: page\n---\n\n# B\n\n* Status: accepted\n${body}`],
    expected: [
      ['-* Status: accepted', '+* Status: superseded by [ADR-0005](0005-b.md)'],
      ['+* Supersedes: [ADR-0001](0001-a.md)'],
    ],
  },
  'one value that becomes a list': {
    old: ['001-a.md', `---\nadr_id: "001"\nstatus: Accepted\n---\n\n# ADR-001: A\n${body}`],
    successor: ['005-b.md', `---\nadr_id: "005"\nstatus: Accepted\nsupersedes: '003'\n---\n\n# ADR-005: B\n${body}`],
    expected: [
      ['-status: Accepted', '+status: Superseded', '+superseded_by: "005"'],
      ["-supersedes: '003'", "+supersedes: ['003', '001']"],
    ],
  },
  'MADR with front matter': {
    old: [
      '0001-a.md',
      '---\nstatus: accepted\ndate: 2024-01-01\n---\n\n# A\n\n## Context and Problem Statement\n\nT.\n\n## Decision Outcome\n\nT.\n',
    ],
    successor: [
      '0005-b.md',
      '---\nstatus: "accepted"\ndate: 2024-01-01\n---\n\n# B\n\n## Context and Problem Statement\n\nT.\n\n## Decision Outcome\n\nT.\n',
    ],
    expected: [['-status: accepted', '+status: superseded by ADR-0005'], ['+supersedes: ADR-0001']],
  },
  'a list of bare numbers, in a folder without ids': {
    old: ['0001-a.md', `---\nstatus: accepted\nsupersedes:\n  - 0003\n---\n\n# 1. A\n${body}`],
    successor: ['0005-b.md', `---\nstatus: accepted\nsupersedes:\n  - "0003"\n---\n\n# 5. B\n${body}`],
    expected: [['-status: accepted', '+status: superseded', '+superseded_by: "0005"'], ['+  - "0001"']],
  },
  'a list of numbers without quotes, in brackets': {
    old: ['0001-a.md', `---\nstatus: accepted\nsuperseded_by: 0003\n---\n\n# 1. A\n${body}`],
    successor: ['0005-b.md', `---\nstatus: accepted\nsupersedes: [0003]\n---\n\n# 5. B\n${body}`],
    expected: [
      ['-status: accepted', '-superseded_by: 0003', '+status: superseded', '+superseded_by: [0003, 0005]'],
      ['-supersedes: [0003]', '+supersedes: [0003, 0001]'],
    ],
  },
  'a list of names of files': {
    old: ['0001-a.md', `---\nstatus: accepted\nsuperseded_by: 0003-c.md\n---\n\n# 1. A\n${body}`],
    successor: ['0005-b.md', `---\nstatus: accepted\nsupersedes:\n  - 0003-c.md\n---\n\n# 5. B\n${body}`],
    expected: [
      [
        '-status: accepted',
        '-superseded_by: 0003-c.md',
        '+status: superseded',
        '+superseded_by: [0003-c.md, 0005-b.md]',
      ],
      ['+  - 0001-a.md'],
    ],
  },
  'bullets of MADR': {
    old: ['0001-a.md', `# A\n\n* Status: accepted\n* Date: 2024-01-01\n${body}`],
    successor: ['0005-b c.md', `# B\n\n* Status: accepted\n* Date: 2024-01-01\n${body}`],
    expected: [
      ['-* Status: accepted', '+* Status: superseded by [ADR-0005](0005-b%20c.md)'],
      ['+* Supersedes: [ADR-0001](0001-a.md)'],
    ],
  },
  'the section of adr-tools': {
    old: ['0001-a.md', `# 1. Use [A]\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n${body}`],
    successor: ['0005-b.md', `# 5. Use B\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n${body}`],
    expected: [['-Accepted', '+Superseded by [5. Use B](0005-b.md)'], ['+Supersedes [1. Use \\[A\\]](0001-a.md)']],
  },
  'lines in bold, in German': {
    old: ['001-a.md', `# ADR-001: A\n\n**Status:** Akzeptiert  \n**Datum:** 2024-01-01  \n\n## Kontext\n\nText.\n`],
    successor: [
      '005-b.md',
      `# ADR-005: B\n\n**Status:** Akzeptiert  \n**Datum:** 2024-01-01  \n\n## Kontext\n\nText.\n`,
    ],
    expected: [['-**Status:** Akzeptiert  ', '+**Status:** Ersetzt durch ADR-005  '], ['+**Ersetzt:** ADR-001  ']],
  },
  'a section in French': {
    old: ['0001-a.md', `# 1. Utiliser A\n\n## Statut\n\nAccepté\n\n## Contexte\n\nTexte.\n`],
    successor: ['0005-b.md', `# 5. Utiliser B\n\n## Statut\n\nAccepté\n\n## Contexte\n\nTexte.\n`],
    expected: [['-Accepté', '+Remplacé par [5. Utiliser B](0005-b.md)'], ['+Remplace [1. Utiliser A](0001-a.md)']],
  },
  'a table': {
    old: [
      '0001-a.md',
      `# ADR-0001: A\n\n| Field | Value |\n|---|---|\n| Status | Accepted |\n| Date | 2024-01-01 |\n${body}`,
    ],
    successor: [
      '0005-b.md',
      `# ADR-0005: B\n\n| Field | Value |\n|---|---|\n| Status | Accepted |\n| Date | 2024-01-01 |\n${body}`,
    ],
    expected: [['-| Status | Accepted |', '+| Status | Superseded by ADR-0005 |'], ['+| Supersedes | ADR-0001 |']],
  },
  'no status at all': {
    old: ['0001-a.md', `# A\n${body}`],
    successor: ['0005-b.md', `# B\n${body}`],
    expected: [['+Status: Superseded by [ADR-0005](0005-b.md)'], ['+Supersedes: [ADR-0001](0001-a.md)']],
  },
  'a status in its heading': {
    old: ['0001-a.md', `# 1. A\n\n## Status: Accepted\n${body}`],
    successor: ['0005-b.md', `# 5. B\n\n## Status: Accepted\n${body}`],
    expected: [['-## Status: Accepted', '+## Status: Superseded by ADR-0005'], ['+Supersedes: [ADR-0001](0001-a.md)']],
  },
  'a status in its heading, of an ADR that gets a successor without a number': {
    old: ['20200101-use-a.md', `# Use A\n\n## Status: accepted\n${body}`],
    successor: ['20210101-use-b.md', `# Use B\n\n- Status: accepted\n${body}`],
    expected: [
      ['-## Status: accepted', '+## Status', '+superseded by [20210101-use-b](20210101-use-b.md)'],
      ['+- Supersedes: [20200101-use-a](20200101-use-a.md)'],
    ],
  },
  'a status on several lines, below the field for the successor': {
    old: [
      '001-a.md',
      `---\nadr_id: "001"\nsuperseded_by:\n  - "003"\nstatus: >\n  Accepted\n  by all\n---\n\n# ADR-001: A\n${body}`,
    ],
    successor: ['005-b.md', `---\nadr_id: "005"\nstatus: Accepted\n---\n\n# ADR-005: B\n${body}`],
    expected: [['-status: >', '-  Accepted', '-  by all', '+  - "005"', '+status: Superseded'], ['+supersedes: "001"']],
  },
  'sections for the status that are empty': {
    old: ['0001-a.md', `# 1. A\n\n## Status\n${body}`],
    successor: ['0005-b.md', `# 5. B\n\n## Status\n${body}`],
    expected: [['+Superseded by [5. B](0005-b.md)'], ['+Supersedes: [ADR-0001](0001-a.md)']],
  },
  'empty sections that nothing separates from the next': {
    old: ['0001-a.md', `A\n=\n\nStatus\n------\nContext\n-------\nText.\n`],
    successor: ['0005-b.md', `B\n=\nStatus\n------\n- [ ] Proposed\n\nContext\n-------\nText.\n`],
    expected: [['+Superseded by [ADR-0005](0005-b.md)'], ['+Supersedes: [ADR-0001](0001-a.md)']],
  },
  'fields that say that there is none yet': {
    old: ['0001-a.md', `# A\n\n- **Status**: ✅ Accepted\n- **Superseded by**: n/a\n${body}`],
    successor: ['0005-b.md', `# B\n\n- **Status**: ✅ Accepted\n- **Supersedes**: -\n${body}`],
    expected: [
      [
        '-- **Status**: ✅ Accepted',
        '-- **Superseded by**: n/a',
        '+- **Status**: Superseded',
        '+- **Superseded by**: [ADR-0005](0005-b.md)',
      ],
      ['-- **Supersedes**: -', '+- **Supersedes**: [ADR-0001](0001-a.md)'],
    ],
  },
  'fields of a table and of lines that are empty': {
    old: [
      '0001-a.md',
      `# ADR-0001: A\n\n| Field | Value |\n|---|---|\n| Status: | Accepted |\n| Superseded by: | |\n${body}`,
    ],
    successor: ['0005-b.md', `# ADR-0005: B\n\n**Status:** Accepted\n**Supersedes:** <!-- which? -->\n${body}`],
    expected: [
      [
        '-| Status: | Accepted |',
        '-| Superseded by: | |',
        '+| Status: | Superseded |',
        '+| Superseded by: | ADR-0005 |',
      ],
      ['-**Supersedes:** <!-- which? -->', '+**Supersedes:** ADR-0001 <!-- which? -->'],
    ],
  },
  'a field with a number that is none of an ADR': {
    old: ['0001-a.md', `# A\n\n* Status: accepted\n${body}`],
    successor: ['0005-b.md', `# B\n\n| Status | Draft |\n|---|---|\n| Supersedes | https://x.org/pull/23 |\n${body}`],
    expected: [
      ['-* Status: accepted', '+* Status: superseded by [ADR-0005](0005-b.md)'],
      ['-| Supersedes | https://x.org/pull/23 |', '+| Supersedes | https://x.org/pull/23, ADR-0001 |'],
    ],
  },
  'a field that names what is no ADR': {
    old: ['0001-a.md', `# A\n\n* Status: accepted\n${body}`],
    successor: ['0005-b.md', `# B\n\n* Supersedes: the old handbook\n\n## Status\n\nAccepted\n${body}`],
    expected: [
      ['-* Status: accepted', '+* Status: superseded by [ADR-0005](0005-b.md)'],
      ['-* Supersedes: the old handbook', '+* Supersedes: the old handbook, [ADR-0001](0001-a.md)'],
    ],
  },
  'a note about who accepted it and when': {
    old: ['0001-a.md', `# A\n\n- **Status**: ✅ Accepted (2026-01-01, by the board)\n${body}`],
    successor: ['0005-b.md', `# B\n\n* Status: accepted\n${body}`],
    expected: [
      [
        '-- **Status**: ✅ Accepted (2026-01-01, by the board)',
        '+- **Status**: Superseded by [ADR-0005](0005-b.md), previously ✅ Accepted (2026-01-01, by the board)',
      ],
      ['+* Supersedes: [ADR-0001](0001-a.md)'],
    ],
  },
  'a note in a section, in German': {
    old: ['0001-a.md', `# 1. A\n\n## Status\n\nAkzeptiert am 12.03.2024\n\n## Kontext\n\nText.\n`],
    successor: ['0005-b.md', `# 5. B\n\n## Status\n\nAkzeptiert\n\n## Kontext\n\nText.\n`],
    expected: [
      ['-Akzeptiert am 12.03.2024', '+Ersetzt durch [5. B](0005-b.md), zuvor Akzeptiert am 12.03.2024'],
      ['+Ersetzt [1. A](0001-a.md)'],
    ],
  },
  'notes in front matter': {
    old: ['001-a.md', `---\nadr_id: "001"\nstatus: Accepted (2024-01-01)\n---\n\n# ADR-001: A\n${body}`],
    successor: ['005-b.md', `---\nadr_id: "005"\nstatus: Accepted (2024-01-01)\n---\n\n# ADR-005: B\n${body}`],
    expected: [
      [
        '-status: Accepted (2024-01-01)',
        '+status: "Superseded, previously Accepted (2024-01-01)"',
        '+superseded_by: "005"',
      ],
      ['+supersedes: "001"'],
    ],
  },
  'titles with a line between their words': {
    old: ['0001-a.md', `# 1. A | a\n\n## Status\n\nAccepted\n${body}`],
    successor: ['0002-b.md', `# 2. Pipe | pipe\n\n## Status\n\nAccepted\n${body}`],
    expected: [['-Accepted', '+Superseded by [ADR-0002](0002-b.md)'], ['+Supersedes [ADR-0001](0001-a.md)']],
  },
  'no title': {
    old: ['0001-a.md', `## Context\n\nText.\n`],
    successor: ['0005-b.md', `---\nlayout: page\n---\n\n## Status: Accepted\n\n## Context\n\nText.\n`],
    expected: [['+Status: Superseded by [ADR-0005](0005-b.md)'], ['+Supersedes: [ADR-0001](0001-a.md)']],
  },
  'names by date': {
    old: ['20200101-use-a.md', `# Use A\n\n- Status: accepted\n${body}`],
    successor: ['20210101-use-b.md', `# Use B\n\n- Status: accepted\n${body}`],
    expected: [
      ['-- Status: accepted', '+- Status: superseded by [20210101-use-b](20210101-use-b.md)'],
      ['+- Supersedes: [20200101-use-a](20200101-use-a.md)'],
    ],
  },
};

describe.each(Object.entries(styles))('%s', (_, { old, successor, expected }) => {
  it('is kept: only what must change does', () => {
    const after = supersede(old, successor);
    expect([changes(old[1], after.old), changes(successor[1], after.successor)]).toEqual(expected);
  });

  it('is understood afterwards, and the second time nothing changes', () => {
    const after = supersede(old, successor);
    const adrs = [parseAdr(after.old, `docs/adr/${old[0]}`), parseAdr(after.successor, `docs/adr/${successor[0]}`)];
    const wrong = checkCorpus(adrs, { beside: [], whole: true }).filter(({ message }) => !message.includes('003'));
    expect(wrong).toEqual([]);
    for (const [[path, before], now] of [
      [old, after.old],
      [successor, after.successor],
    ] as const)
      expect(structure(before, path)).toEqual(expect.arrayContaining(structure(now, path)));
    expect(supersede([old[0], after.old], [successor[0], after.successor])).toEqual(after);
  });

  it('is kept with a byte order mark and the line ends of Windows', () => {
    const windows = ([path, text]: Files): Files => [path, `\ufeff${text.replaceAll('\n', '\r\n')}`];
    const after = supersede(old, successor);
    expect(supersede(windows(old), windows(successor))).toEqual({
      old: windows(['', after.old])[1],
      successor: windows(['', after.successor])[1],
    });
  });
});

describe('refused', () => {
  const adr = (path: string, text: string) => parseAdr(text, path);

  it('an ADR that would supersede itself, or go round', () => {
    const one = adr('0001-a.md', '# 1. A\n\n## Status\n\nAccepted\n\nSupersedes [2. B](0002-b.md)\n');
    const two = adr('0002-b.md', '# 2. B\n\n## Status\n\nAccepted\n\nSupersedes [3. C](0003-c.md)\n');
    const three = adr('0003-c.md', '# 3. C\n\n## Status\n\nAccepted\n');
    const corpus = adrCorpus([one, two, three]);
    expect(supersessionProblem(corpus, one, one)).toContain('itself');
    expect(supersessionProblem(corpus, one, three)).toContain('ADR-0001 itself supersedes ADR-0003');
    expect(supersessionProblem(corpus, three, one)).toBeUndefined();
  });
});

describe('refused, because it would not be read as meant', () => {
  const plain: Files = ['005-b.md', `---\nadr_id: "005"\nstatus: Accepted\n---\n\n# ADR-005: B\n${body}`];

  it.each([
    ['a map in braces', '{adr_id: "001", title: A, status: Accepted}'],
    ['a map in braces over several lines', '{\nadr_id: "001",\nstatus: Accepted,\n}'],
    ['a value that others refer to', 'adr_id: "001"\nstatus: &s Accepted\nother: *s'],
    ['a list with a comment at its end', 'adr_id: "001"\nstatus: Accepted\nsuperseded_by:\n  - "003"\n  # more'],
    ['a status that names what it superseded itself', 'adr_id: "001"\nstatus: Accepted, supersedes ADR-003'],
  ])('%s', (_, yaml) => {
    const odd: Files = ['001-a.md', `---\n${yaml}\n---\n\n# ADR-001: A\n${body}`];
    expect(() => supersede(odd, plain)).toThrow(/001-a\.md cannot be edited/);
  });

  it('a list of bare numbers, which is not read as one beside other names', () => {
    const odd: Files = ['001-a.md', `# ADR-001: A\n\n* Status: accepted\n* Supersedes: 3\n${body}`];
    expect(() => supersede(plain, odd)).toThrow(/001-a\.md cannot be edited: it would no longer name 3/);
  });

  it('front matter is only spoken of where there is some', () => {
    const odd: Files = ['001-a.md', `# ADR-001: A\n\n* Status: accepted, supersedes ADR-003\n${body}`];
    const hint = (old: Files, successor: Files): unknown => {
      try {
        return supersede(old, successor);
      } catch (error) {
        return error instanceof HelixError ? error.hint : error;
      }
    };
    expect(hint(odd, plain)).toBe('Nothing was written. Write it into both by hand.');
    expect(hint(['002-c.md', '---\n{status: Accepted}\n---\n\n# C\n'], plain)).toContain(
      'each field of the front matter',
    );
  });

  it('a successor with a map in braces', () => {
    const odd: Files = ['001-a.md', `---\n{adr_id: "001", status: Accepted}\n---\n\n# ADR-001: A\n${body}`];
    expect(() => supersede(plain, odd)).toThrow(/001-a\.md cannot be edited: its front matter would be broken/);
  });
});

describe('a second successor', () => {
  it('is added to the first in a heading', () => {
    const old: Files = ['0001-a.md', '# A\n\n## Status: Superseded by ADR-0003\n\n## Context\n\nText.\n'];
    expect(supersede(old, ['0005-b.md', '# B\n\n* Status: accepted\n']).old).toContain(
      '## Status: Superseded by ADR-0003 and ADR-0005\n',
    );
  });

  it('is added to the first, in front of what the status was before', () => {
    const old: Files = ['0001-a.md', '# A\n\n* Status: superseded by ADR-0003, previously accepted (2024)\n'];
    expect(supersede(old, ['0005-b.md', '# B\n\n* Status: accepted\n']).old).toContain(
      '* Status: superseded by ADR-0003 and [ADR-0005](0005-b.md), previously accepted (2024)\n',
    );
  });

  it('is added to the first', () => {
    const old: Files = ['0001-a.md', '# A\n\n* Status: superseded by [ADR-0003](0003-x.md)\n'];
    const successor: Files = ['0005-b.md', '# B\n\n* Status: accepted\n'];
    expect(supersede(old, successor).old).toContain(
      '* Status: superseded by [ADR-0003](0003-x.md) and [ADR-0005](0005-b.md)',
    );
  });
});

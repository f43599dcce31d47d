import { describe, expect, it } from 'vitest';
import { compileDefect, type Defect } from './defect.ts';
import { exactInterval } from './exact-interval.ts';
import { joinDefects, parseDefects } from './parse-defects.ts';
import { planTrials, type Trial } from './plan-trials.ts';
import { seededRandom } from './seeded-random.ts';
import { accusedBy, type Judged, tallyTrials } from './tally-trials.ts';

const PATH = 'approvals/adr/defects.yaml';

function defect(find: string, replace: string, { id = 'x', check = 'completeness' } = {}): Defect {
  const compiled = compileDefect({ id, check, about: 'a defect', find, replace });
  if ('plant' in compiled) return compiled;
  throw new Error(compiled.message);
}

describe('a defect', () => {
  it('is planted wherever it matches, whatever the case, by lines and over lines', () => {
    expect(defect('must', 'may').plant('It MUST. They must.')).toBe('It may. They may.');
    expect(defect('^- (\\w+).*?$', '- $1').plant('- one two\n- three four')).toBe('- one\n- three');
    expect(defect('## Rollback.*?\n## ', '## ').plant('a\n## Rollback\nb\nc\n## End')).toBe('a\n## End');
  });

  it('puts in what its groups matched, and dollars where they are doubled', () => {
    expect(defect('(a)(b)?', '$2$1$1$$1').plant('a')).toBe('aa$1');
  });

  it('does not apply where nothing matches and where nothing would change', () => {
    expect(defect('must', 'may').plant('It may.')).toBeUndefined();
    expect(defect('may', 'may').plant('It may.')).toBeUndefined();
  });
});

describe('defects.yaml', () => {
  const file = (entry: string) => `defects:\n  - { id: x, check: completeness, about: a, ${entry} }\n`;

  it.each([
    ["find: '(', replace: ''", '2:51', 'no expression of RE2'],
    ["find: 'a(?=b)', replace: ''", '2:51', 'no expression of RE2'],
    ["find: 'x*', replace: ''", '2:51', 'matches every text'],
    ["find: '(x{500}){9}', replace: ''", '2:51', 'RE2'],
    ["find: x, replace: '$1'", '2:63', '$1 stands for a group, and "find" has none'],
    ["find: x, replace: '5 $'", '2:63', 'a single $'],
    ['find: x', '2:5', '"replace" is missing'],
    ["find: x, replace: '', flags: i", '2:67', 'unknown key "flags"'],
  ])('with %s is refused at its place', (entry, place, message) => {
    const { findings } = parseDefects(file(entry), PATH);
    const [first] = findings;
    expect(findings).toHaveLength(1);
    expect(first?.message).toContain(message);
    expect(`${first?.location?.line}:${first?.location?.column}`).toBe(place);
    expect(first).toMatchObject({ severity: 'error', location: { file: PATH }, hint: expect.stringMatching(/./) });
  });

  it('may neither name a check there is not nor one id twice', () => {
    const twice = `${file('find: x, replace: y')}  - { id: x, check: complete, about: a, find: x, replace: y }\n`;
    const { findings } = parseDefects(twice, PATH, ['completeness', 'conflicts']);
    expect(findings.map(({ message }) => message)).toEqual([
      'there are two defects "x"',
      'there is no check "complete"',
    ]);
    expect(findings[1]?.hint).toContain('completeness');
  });

  it('without anything in it is refused, and one without defects is not', () => {
    expect(parseDefects('', PATH).findings).toHaveLength(1);
    expect(parseDefects('defects: []', PATH)).toEqual({ defects: [], findings: [] });
  });

  it('of the project goes before the one HELIX ships, and only checks that are asked count', () => {
    const own = [defect('a', 'b')];
    const shipped = [defect('c', 'd'), defect('e', 'f', { id: 'y' }), defect('e', 'f', { id: 'z', check: 'other' })];
    expect(joinDefects(own, shipped, ['completeness'])).toEqual([own[0], shipped[1]]);
  });
});

describe('trials', () => {
  const documents = [
    { path: 'b.md', text: 'one two three' },
    { path: 'a.md', text: 'one two' },
  ];
  const defects = [
    defect('one', '1', { id: 'one', check: 'first' }),
    defect('two', '2', { id: 'two', check: 'first' }),
    defect('three', '3', { id: 'three', check: 'second' }),
  ];
  const idOf = ({ path, planted }: Trial) => `${path} ${planted?.defect ?? 'clean'}`;

  it('are half clean, each planted version is asked before one is asked again, and what does not apply is counted', () => {
    const { trials, versions, skipped } = planTrials(documents, defects, { trials: 10, seed: 1 });
    const planted = trials.filter((trial) => trial.planted !== undefined);
    expect([trials.length, planted.length, versions, skipped]).toEqual([10, 5, 5, 1]);
    expect(new Set(planted.map(idOf)).size).toBe(5);
    const clean = trials.filter((trial) => trial.planted === undefined).map(idOf);
    expect(Map.groupBy(clean, (id) => id).size).toBe(2);
  });

  it('show the judge the planted text and the clean one', () => {
    for (const { path, text, planted } of planTrials(documents, defects, { trials: 40, seed: 2 }).trials) {
      const clean = documents.find((document) => document.path === path)?.text;
      expect(text === clean).toBe(planted === undefined);
    }
  });

  it('give each check its turn however many defects the others have', () => {
    const { trials } = planTrials(documents, defects, { trials: 4, seed: 3 });
    expect(trials.flatMap(({ planted }) => planted?.check ?? []).sort()).toEqual(['first', 'second']);
  });

  it('come in the same order for the same seed, however the documents are named, and in another for another', () => {
    const order = (seed: number, of = documents) => planTrials(of, defects, { trials: 40, seed }).trials.map(idOf);
    expect(order(7, documents.toReversed())).toEqual(order(7));
    expect(order(8)).not.toEqual(order(7));
  });

  it('of documents no defect applies to are only the clean ones', () => {
    const { trials, versions } = planTrials([{ path: 'c.md', text: 'four' }], defects, { trials: 4, seed: 1 });
    expect([versions, trials.map(idOf)]).toEqual([0, ['c.md clean', 'c.md clean']]);
  });
});

describe('the interval', () => {
  it('is that of Clopper and Pearson', () => {
    const near = (happened: number, trials: number) => {
      const { rate, low, high } = exactInterval(happened, trials);
      return [rate, low, high].map((value) => value?.toFixed(4));
    };
    expect(near(0, 10)).toEqual(['0.0000', '0.0000', '0.3085']);
    expect(near(1, 10)).toEqual(['0.1000', '0.0025', '0.4450']);
    expect(near(10, 10)).toEqual(['1.0000', '0.6915', '1.0000']);
    expect(near(5, 100)).toEqual(['0.0500', '0.0164', '0.1128']);
    expect(near(500, 1000)).toEqual(['0.5000', '0.4685', '0.5315']);
  });

  it('of no trials says nothing', () => {
    expect(exactInterval(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it.each([0.01, 0.03, 0.1, 0.5])('contains a true rate of %d in at least 93 of 100 seeded simulations', (p) => {
    const random = seededRandom(20_261);
    for (const trials of [10, 20, 100]) {
      const known = Array.from({ length: trials + 1 }, (_, happened) => exactInterval(happened, trials));
      let covered = 0;
      for (let simulation = 0; simulation < 2000; simulation += 1) {
        let happened = 0;
        for (let trial = 0; trial < trials; trial += 1) happened += random() < p ? 1 : 0;
        const { low = 1, high = 0 } = known[happened] ?? {};
        covered += low <= p && p <= high ? 1 : 0;
      }
      expect(covered / 2000).toBeGreaterThanOrEqual(0.93);
    }
  });
});

describe('the figures', () => {
  const trial = (check?: string): Trial => ({
    path: 'a.md',
    text: 'x',
    ...(check !== undefined && { planted: { defect: 'x', check } }),
  });
  const judged = (of: Trial, ...accused: string[]): Judged => ({ trial: of, model: 'm', accused: new Set(accused) });

  it('count a defect as missed unless its own check found something, and alarms only in clean versions', () => {
    const all = [
      judged(trial('first'), 'first'),
      judged(trial('first'), 'second'),
      judged(trial('second')),
      judged(trial(), 'first'),
      judged(trial(), 'first', 'second', 'nobody asked'),
      judged(trial(), 'nobody asked'),
    ];
    const { checks, overall } = tallyTrials(all, ['first', 'second']);
    const figures = [...checks, ...overall].map(({ planted, missed, clean, alarms }) => [
      planted,
      missed,
      clean,
      alarms,
    ]);
    expect(figures).toEqual([
      [2, 1, 3, 2],
      [1, 1, 3, 1],
      [3, 2, 3, 2],
    ]);
    expect(checks[0]).toMatchObject({ check: 'first', model: 'm', falseNegative: exactInterval(1, 2) });
    expect(overall[0]?.falsePositive).toEqual(exactInterval(2, 3));
  });

  it('are kept apart by model', () => {
    const { overall } = tallyTrials([judged(trial()), { ...judged(trial()), model: 'a' }], ['first']);
    expect(overall.map(({ model, clean }) => [model, clean])).toEqual([
      ['a', 1],
      ['m', 1],
    ]);
  });

  it('take no account of remarks', () => {
    const finding = { message: 'x', fingerprint: 'x' };
    const findings = [
      { severity: 'info', check: 'a', ...finding },
      { severity: 'warning', check: 'b', ...finding },
      { severity: 'error', check: 'c', ...finding },
    ] as const;
    expect([...accusedBy({ findings: [...findings] })]).toEqual(['b', 'c']);
  });
});

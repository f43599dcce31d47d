import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept, prepareConcept } from './diff-concept.ts';

const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url));
const seeds = `${shared}seeds/`;
const pairs = `${shared}corpus-pairs/`;

function read(path: string) {
  return parseAdr(readFileSync(path, 'utf8'), path);
}

describe.skipIf(!existsSync(seeds))('the concept of the approval system and its ADR', () => {
  const adr = () => read(`${seeds}001-ADR-015-approval-validation.md`);
  const diff = () => diffConcept(read(`${seeds}000-concept-sub-agent-approval.md`), adr());

  it('meet where sections were renamed', () => {
    const { missing, thinned, coveragePercent } = diff();
    const told = [...missing, ...thinned].map(({ title }) => title);
    expect(told.filter((title) => /^[345]\./.test(title))).toEqual([]);
    expect(told).not.toContain('8.4 Erfolgs-Metriken');
    expect(coveragePercent).toBeGreaterThan(90);
  });

  it('differ in the risks, of which most are gone, as an error', () => {
    const errors = checkConcept(diff(), adr()).filter(({ severity }) => severity === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ check: 'concept-thinned', location: { line: 1510 } });
    expect(errors[0]?.message).toContain('3 of 5 points of "C. Risiken & Mitigationen"');
    expect(errors[0]?.message).toContain('Context-Leak');
  });

  it('differ in kinds of approval, in steps of the roadmap, and in what the hybrid costs', () => {
    const { thinned, changed } = diff();
    expect(thinned.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['6.1 Anwendungs-Matrix', 'Phase 2: Integration', 'Phase 4: Optimierung']),
    );
    expect(changed).toMatchObject([
      {
        title: '7.1 Sub-Agent vs. API-Call vs. Hybrid',
        before: '$0.05-0.20',
        after: '$0.02-0.20',
        best: { line: 203 },
      },
    ]);
  });
});

describe.skipIf(!existsSync(pairs))('concepts and ADRs that real projects accepted', () => {
  const all = () =>
    readdirSync(pairs)
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ name, concept: read(`${pairs}${name}/concept.md`), adr: read(`${pairs}${name}/adr.md`) }));

  it('give an error for what must be delivered in at most one pair of ten', () => {
    const documents = all();
    const failing = documents.filter(({ concept, adr }) =>
      checkConcept(diffConcept(concept, adr), adr).some(({ severity }) => severity === 'error'),
    );
    expect(documents.length).toBeGreaterThan(40);
    expect(failing.length, failing.map(({ name }) => name).join(' ')).toBeLessThanOrEqual(documents.length / 10);
  });

  it('are carried on by 60 % and more in nineteen of twenty ADRs that were written from them', () => {
    const written = all().slice(0, 39);
    const below = written.filter(({ concept, adr }) => diffConcept(concept, adr).coveragePercent < 60);
    expect(below.length, below.map(({ name }) => name).join(' ')).toBeLessThanOrEqual(written.length / 20);
  });

  it('are far better covered by their own ADR than by another one of the same project', () => {
    const documents = all().slice(0, 39);
    const own: number[] = [];
    const other: number[] = [];
    for (const [index, { concept, adr }] of documents.entries()) {
      const prepared = prepareConcept(concept);
      const stranger = documents[(index + 13) % documents.length]?.adr ?? adr;
      own.push(diffConcept(prepared, adr).coveragePercent);
      other.push(diffConcept(prepared, stranger).coveragePercent);
    }
    expect(median(own) - median(other)).toBeGreaterThan(50);
    expect(own.filter((each, index) => each > (other[index] ?? 0)).length / own.length).toBeGreaterThan(0.85);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

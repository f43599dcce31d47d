import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import { changing, FIX, plain, TASK } from './do-repository.ts';
import { Repository } from './repository.ts';

const SPEC = 'acceptance_criteria:\n  - "C1: the letter thanks the reader"\n  - "C2: it is signed"\n';
const CHECK = { id: 'gate-criteria', outcome: 'pass' };
const QUOTED = { file: 'letter.md', line: 2, quote: 'thank you for reading.' };
const VERIFIED = {
  checks: [
    { id: 'expected-files', outcome: 'pass', evidence: [QUOTED] },
    { ...CHECK, evidence: [{ ...QUOTED, shows: 'C1' }] },
    { id: 'syntax', outcome: 'not_applicable', evidence: [QUOTED] },
  ],
  findings: [],
  recommendations: [],
  result: 'approved',
  confidence: 0.95,
};

/** A run with a specification, whose verifier names one of two criteria. */
async function specified(): Promise<{ repository: Repository; run: string }> {
  const phases = [
    { id: 'specify', type: 'planning', output: ['spec.yaml'] },
    { id: 'write', type: 'documentation', output: ['letter.md'], verify_agent: true },
  ];
  const settings = { agents: { default: { driver: 'scripted' } }, allow_simulated: true };
  const repository = new Repository({ phases, settings });
  const moves = {
    phases: {
      specify: [{ writes: { 'spec.yaml': SPEC } }],
      write: [{ writes: { 'letter.md': 'Dear reader,\nthank you for reading.\n' } }],
    },
    roles: { verifier: [{ answer: VERIFIED }] },
  };
  repository.write({ 'scripted.yaml': JSON.stringify(moves) });
  repository.commit('script');
  const { code, said, run } = await repository.run();
  expect({ code, said }).toMatchObject({ code: 0 });
  return { repository, run };
}

it('a criterion is shown by the check that names it, and one that nobody names is not checked', async () => {
  const { repository, run } = await specified();
  const final = readFileSync(repository.path('.helix/runs', run, 'final/evidence.json'), 'utf8');
  const evidence = EvidenceDocument.parse(JSON.parse(final));
  const { parts, unchecked } = evidence;
  expect(evidence.criteria?.map(({ id, state }) => [id, state])).toEqual([
    ['C1', 'proven'],
    ['C2', 'unproven'],
  ]);
  expect(parts.filter((part) => part.of === 'criteria')).toEqual([
    {
      ...{ part: 'C1: the letter thanks the reader', of: 'criteria', state: 'shown' },
      by: [{ phase: 'write', approval: expect.any(String), check: 'gate-criteria', quotes: [QUOTED] }],
    },
    { part: 'C2: it is signed', of: 'criteria', state: 'unchecked', by: [] },
  ]);
  expect(unchecked).toContain('criterion, which no gate or judge has shown: C2: it is signed');
  expect(unchecked).toContain('tests: no gate runs any');
  expect(JSON.parse((await repository.helix(['evidence', '--json'])).stdout)).toEqual(evidence);
  const text = (await repository.helix(['evidence', run.slice(0, 12)])).stdout;
  expect(text).toMatch(
    /✔ C1: the letter thanks the reader\n +gate-criteria {2}letter.md:2 {2}thank you for reading[.]/,
  );
  expect(text).toMatch(/[?] C2: it is signed\n +nobody checked this by itself/);
});

it('helix evidence refuses another format, and says where there is no run', async () => {
  const repository = new Repository();
  const none = await repository.helix(['evidence']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('there is no run');
  const other = await repository.helix(['evidence', '--format', 'pdf']);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('--format takes text, json or html, not "pdf"');
});

it('each --check is told apart from the others by its command, while it goes on and in the evidence', async () => {
  const repository = plain();
  const checks = ['--check', 'test -e sum.js', '--check', 'test -d test'];
  const end = await repository.helix([
    'do',
    TASK,
    '--no-judge',
    '--trust',
    ...checks,
    ...changing(repository, { writes: FIX }),
  ]);
  expect({ code: end.code, err: end.stderr }).toMatchObject({ code: 0 });
  expect(end.stderr).toContain('custom (test -e sum.js), custom (test -d test): pass');
  expect((await repository.helix(['evidence'])).stdout).toContain(
    'custom (test -e sum.js) pass, custom (test -d test) pass',
  );
  expect((await repository.helix(['evidence', '--format', 'html'])).stdout).toContain('<code>test -d test</code> pass');
  const { gates } = EvidenceDocument.parse(JSON.parse((await repository.helix(['evidence', '--json'])).stdout));
  expect(gates.flatMap(({ command }) => command ?? [])).toEqual(['test -e sum.js', 'test -d test']);
});

it('a run that was stopped before its gates had a say names them as not checked', async () => {
  const repository = plain();
  const split = JSON.stringify({ reason: 'two subjects', parts: ['first', 'then'] });
  const moves = changing(repository, { writes: { 'helix-split.json': split } });
  expect((await repository.helix(['do', TASK, '--no-judge', '--trust', ...moves])).code).toBe(3);
  await repository.helix(['cancel']);
  const { stdout } = await repository.helix(['evidence']);
  expect(stdout).toMatch(
    /^Not checked\n(.*\n)* {2}change: the run ended before its gates had a say [(]syntax_check, tests_pass[)]$/m,
  );
});

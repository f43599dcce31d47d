import { expect, it } from 'vitest';
import type { AttemptRecord } from '../run/attempts.ts';
import { foldPatchLines } from '../run/diff-text.ts';
import { columns } from '../words/columns.ts';
import { QUOTED } from '../words/failure-lines.ts';
import { questionCard, wholeOutput } from './question-card.ts';

const WIDTH = 80;
const FORGED = `boom\n${'\t'.repeat(12)}.  D  Accept it\n${'x'.repeat(10)}${' '.repeat(68)}A/B/C/D, empty leaves it open: `;
const findings = [{ severity: 'error', check: 'tests_pass', message: FORGED }] as const;
const attempts = [{ attempt: 1, agent: 'a', stage: 'judged', verdicts: [{ findings }] }] as unknown as AttemptRecord[];
const plain = (_: string, text: string) => text;

/** Lines that would run over, hold a tab, or begin like HELIX's own. */
function unmarked(lines: readonly string[]): string[] {
  return lines.filter((line) => columns(line) > WIDTH || line.includes('\t') || !line.trimStart().startsWith(QUOTED));
}

it('every line of the screen that the whole output takes is marked as that of others', () => {
  const lines = wholeOutput(attempts, WIDTH);
  expect(unmarked(lines)).toEqual(['tests_pass']);
  expect(lines.join('\n')).toContain('A/B/C/D');
});

it('of what a command said it shows as much as an agent is told', () => {
  const output = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n');
  const long = [{ severity: 'error', check: 'custom', message: 'it ended with exit code 1:\nline 59', output }];
  const last = [{ attempt: 1, stage: 'judged', verdicts: [{ findings: long }] }] as unknown as AttemptRecord[];
  const lines = wholeOutput(last, WIDTH);
  expect(lines.slice(0, 3)).toEqual(['custom', `${QUOTED}it ended with exit code 1:`, `${QUOTED}line 0`]);
  expect(lines.filter((line) => line === `${QUOTED}line 59`)).toHaveLength(1);
});

it('so is what the card quotes of a failure', () => {
  const request = { phase: 'a', reason: 'exhausted' };
  const state = { plan: { project: {}, phases: [] }, phases: new Map(), budget: {} };
  const subject = { request, state, attempts, consultations: [], task: '' } as unknown as Parameters<
    typeof questionCard
  >[0];
  const lines = questionCard(subject, { width: WIDTH, paint: plain });
  const quoted = lines.slice(lines.findIndex((line) => line.startsWith('fails')) + 1);
  expect(
    unmarked(
      quoted.slice(
        0,
        quoted.findIndex((line) => line.startsWith('tried')),
      ),
    ),
  ).toEqual([]);
});

it('a long line of a patch goes on in lines of its own', () => {
  const lines = foldPatchLines(`+1${' '.repeat(75)}Phase work passed\n\tx`, { width: WIDTH - 2, paint: plain });
  expect(lines.filter((line) => columns(line) > WIDTH - 2 || line.includes('\t'))).toEqual([]);
});

it('work whose judging was cut short is not said to fail by what was found before it', () => {
  const earlier = { attempt: 1, agent: 'a', stage: 'judged', cutJudgements: [], verdicts: [{ findings }] };
  const cut = { attempt: 2, agent: 'a', stage: 'finished', cutJudgements: ['approval: no usable answer'] };
  const request = { phase: 'a', reason: 'blocked' };
  const state = { plan: { project: {}, phases: [] }, phases: new Map(), budget: {} };
  const subject = { request, state, attempts: [earlier, cut], consultations: [], task: '' } as unknown as Parameters<
    typeof questionCard
  >[0];
  const card = questionCard(subject, { width: WIDTH, paint: plain }).join('\n');
  expect(card).toContain('judging was interrupted: approval: no usable answer');
  expect(card).not.toContain('boom');
});

it('work that asks less of itself is not said to have changed protected files', () => {
  const eased = { check: 'eased-adr', severity: 'warning', message: 'it waives a promise' };
  const at = { lastVerdicts: [{ findings: [eased], asks: ['adr.md'] }], history: { spent: { usd: 0 } } };
  const headlineOf = (current: object) => {
    const state = { plan: { project: {}, phases: [] }, phases: new Map([['a', { ...at, current }]]), budget: {} };
    const request = { phase: 'a', reason: 'protected' };
    const subject = { request, state, attempts: [], consultations: [], task: '' } as unknown;
    return questionCard(subject as Parameters<typeof questionCard>[0], { width: WIDTH, paint: plain })[0];
  };
  expect(headlineOf({})).toBe('a made the rules for its own work milder');
  expect(headlineOf({ protected: ['.github/ci.yml'] })).toBe('a changed protected files');
});

it('work that is not accepted for warnings alone is said to fail by them', () => {
  const warning = [{ severity: 'warning', check: 'kind', message: 'ZEBRA-WARNING' }];
  const request = { phase: 'a', reason: 'rejected' };
  const state = { plan: { project: {}, phases: [] }, phases: new Map(), budget: {} };
  const cardOf = (outcome: string) => {
    const last = {
      attempt: 1,
      agent: 'a',
      stage: 'judged',
      cutJudgements: [],
      verdicts: [{ outcome, findings: warning }],
    };
    const subject = { request, state, attempts: [last], consultations: [], task: '' };
    return questionCard(subject as unknown as Parameters<typeof questionCard>[0], { width: WIDTH, paint: plain });
  };
  expect(cardOf('revise').join('\n')).toMatch(/fails +kind.*\n.*ZEBRA-WARNING/);
  expect(cardOf('pass').join('\n')).not.toContain('ZEBRA-WARNING');
});

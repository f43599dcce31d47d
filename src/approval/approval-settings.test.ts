import { expect, it } from 'vitest';
import { approvalSettings, parseApprovals } from './approval-settings.ts';

const PATH = 'config/approvals.yaml';

it('without a word every type is enabled and has the defaults', () => {
  const { file, findings } = parseApprovals('', PATH);
  expect(findings).toEqual([]);
  expect(approvalSettings(file, 'adr', {})).toEqual({
    enabled: true,
    timeoutSeconds: 300,
    retryOnFailure: true,
    requiredConfidence: 0.8,
    onLowConfidence: 'human',
  });
  expect(approvalSettings(file, 'code', {}).timeoutSeconds).toBe(600);
  expect(approvalSettings(file, 'verification', {})).toMatchObject({ timeoutSeconds: 120, model: 'haiku' });
  expect(approvalSettings(file, 'constructor', {})).toEqual(approvalSettings(file, 'adr', {}));
});

const TEXT = `
approvals:
  code: { model: own, checks: [015, tests], x-note: mine, agent: second, fallback_model: small, budget: 2 }
  docs: { enabled: false }
  x-house: { timeout: 5 }
defaults: { model: shared, timeout: 60, required_confidence: 0.5, retry_on_failure: false, on_low_confidence: reject }
x-more: { anything: [1] }
`;

it('the asker goes before the type, the type before the defaults, and those before HELIX', () => {
  const { file, findings } = parseApprovals(TEXT, PATH);
  expect(findings).toEqual([]);
  expect(approvalSettings(file, 'code', {})).toEqual({
    enabled: true,
    model: 'own',
    fallbackModel: 'small',
    timeoutSeconds: 60,
    retryOnFailure: false,
    requiredConfidence: 0.5,
    checks: ['015', 'tests'],
    agent: 'second',
    budgetUsd: 2,
    onLowConfidence: 'reject',
  });
  const over = { checks: [], model: 'said', timeoutSeconds: 9, requiredConfidence: 0.9 };
  expect(approvalSettings(file, 'code', over)).toMatchObject(over);
  expect(approvalSettings(file, 'adr', {}).model).toBe('shared');
  expect(approvalSettings(file, 'docs', {}).enabled).toBe(false);
  expect(approvalSettings(file, 'x-house', {}).timeoutSeconds).toBe(5);
});

it.each([
  ['approvals:\n  code: { timeot: 5 }', 2, 11, /unknown key "timeot"/, 'did you mean "timeout"?'],
  ['approvals:\n  code: { required_confidence: 1.7 }', 2, 32, /must be at most 1/, undefined],
  [
    'approvals:\n  code: { on_low_confidence: humn }',
    2,
    30,
    /unknown on_low_confidence "humn"/,
    'did you mean "human"?',
  ],
  ['approvals:\n  ../evil: {}', 2, 3, /"\.\.\/evil" cannot be an approval type/, undefined],
  ['default: {}', 1, 1, /unknown key "default"/, 'did you mean "defaults"?'],
  ['defaults: { enabled: true }', 1, 13, /unknown key "enabled"/, undefined],
  ['approvals: [adr]', 1, 12, /must be a map/, undefined],
  ['approvals: {', 1, 13, /./, undefined],
])('%j is told with its place', (text, line, column, message, hint) => {
  const [first] = parseApprovals(text, PATH).findings;
  expect(first).toMatchObject({ severity: 'error', location: { file: PATH, line, column } });
  expect(first?.message).toMatch(message);
  if (hint !== undefined) expect(first?.hint).toBe(hint);
});

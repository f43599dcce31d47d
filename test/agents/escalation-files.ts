import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';
import {
  ConsultantDecisionDocument,
  HilRequestDocument,
  ResolutionDocument,
  TriggerDocument,
  UpdatedConfigDocument,
  UserDecisionDocument,
} from '../../src/domain/documents/escalation-documents.ts';
import { phasePath } from '../../src/report/words/run-paths.ts';
import type { Repository } from '../repository.ts';
import { contents } from '../scratch.ts';
import { CAUSE, DECIDES, GUIDANCE, HINTS, LEARNING, MODELS, ORDERS, QUESTION } from './escalation-story.ts';

/** Every file of ADR-004's tree, each with its fields. */
export function expectEscalationFiles(repository: Repository, run: string): void {
  const files = contents(repository.path(phasePath(run, '02-export')));
  const read = (path: string): unknown => JSON.parse(files[`escalation/${path}`] ?? 'null');
  const logs = [1, 2, 3, 4, 5, 6, 7].map((attempt) => `logs/attempt-${attempt}/`);
  const retries = [4, 5, 6].map((attempt) => `escalation/stufe-1/retry-attempts/attempt-${attempt}/`);
  const attached = ['all-attempts.zip', 'consultant-analysis.md'].map(
    (name) => `escalation/stufe-2/attachments/${name}`,
  );
  for (const path of ['CLAUDE.md', ...attached]) expect(files[path]?.length, path).toBeGreaterThan(0);
  const judged = Object.keys(files).filter((path) => path.endsWith('/verdicts.json'));
  expect(judged.sort()).toEqual([...retries, ...logs].map((dir) => `${dir}verdicts.json`).sort());
  for (const path of logs.map((dir) => `${dir}transcript.jsonl`)) expect(files[path], path).toContain('"result"');

  const finding = { check: 'syntax_check', location: { file: ORDERS } };
  const why = { phase: '02-export', findings: [finding] };
  expect(TriggerDocument.parse(read('stufe-1/trigger.json'))).toMatchObject({ ...why, level: 'stufe-1', attempts: 3 });
  expect(TriggerDocument.parse(read('stufe-2/trigger.json'))).toMatchObject({ ...why, level: 'stufe-2', attempts: 6 });
  expect(ConsultantDecisionDocument.parse(read('stufe-1/consultant-decision.json'))).toMatchObject({
    analysis: { root_cause: CAUSE, attempts_analyzed: 3 },
    decision: { ...DECIDES.decision, spec_updates: {}, additional_skills: [] },
    ...{ outcome: 'revert', applied: { model: 'sonnet', hints: HINTS, revert_to: '01-specify' }, confidence: 0.8 },
  });
  const config = UpdatedConfigDocument.parse(parse(files['escalation/stufe-1/updated-config.yaml'] ?? ''));
  expect(config).toMatchObject({ model: 'sonnet', hints: HINTS, revert_to: '01-specify' });
  const request = HilRequestDocument.parse(read('stufe-2/hil-request.json'));
  expect(request).toMatchObject({
    summary: { total_attempts: 6, stufe_1_interventions: 1, models_tried: [...MODELS] },
    consultant_analysis: { suspected_cause: CAUSE, learning: LEARNING },
    question_for_user: QUESTION,
  });
  expect(request.options[0]).toMatchObject({ id: 'A', effort: 'low', consultant_recommendation: true });
  for (const path of Object.values(request.attachments)) expect(repository.path(path)).toSatisfy(existsSync);
  expect(UserDecisionDocument.parse(read('stufe-2/user-decision.json'))).toMatchObject({ chosen_option: 'A' });
  const resolved = { decision: { action: 'retry', guidance: GUIDANCE }, applied: true, outcome: 'passed' };
  expect(ResolutionDocument.parse(read('stufe-2/resolution.json'))).toMatchObject(resolved);
}

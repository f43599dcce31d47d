import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FORMATS } from '../src/cli/tools/schemas.ts';
import type { UpdatedConfigDocument } from '../src/domain/documents/escalation-documents.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { type HelixEnd, helix } from './helix-process.ts';
import { FAST, Stage } from './run-scenario.ts';
import { contents } from './scratch.ts';
import { unzipped } from './unzip.ts';

const EXAMPLE = fileURLToPath(new URL('../examples/escalation', import.meta.url));
const PHASE = '02-export';

let dir = '';
let run = '';
let events: RunEvent[] = [];
let ends: Pick<HelixEnd, 'code'>[] = [];

/** Six attempts, a question, the answer A: the story of ADR-004, told by real processes. */
beforeAll(async () => {
  dir = mkdtempSync(join(FAST, 'helix-escalation-'));
  for (const name of ['phases.yaml', 'helix.yaml', 'scripted.yaml', 'config'])
    cpSync(join(EXAMPLE, name), join(dir, name), { recursive: true });
  const asked = await helix(['run', '--trust'], { cwd: dir });
  const { stdout } = await helix(['inbox', '--json'], { cwd: dir });
  const [request] = (JSON.parse(stdout) as { requests: { id: string; run: string }[] }).requests;
  const decided = await helix(['decide', request?.id ?? '', 'A', '--comment', 'as you say'], { cwd: dir });
  ends = [asked, decided];
  const stage = Stage.at(dir);
  const world = stage.world();
  run = request?.run ?? '';
  events = await stage.events(world, run);
  world.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Where the files of the phase lie that got stuck. */
function place(): string {
  return join(dir, '.helix/runs', run, 'phases', PHASE);
}

function read(path: string): unknown {
  return parse(readFileSync(join(place(), path), 'utf8'));
}

/** The names of all fields of a value, lists as `[]`. */
function fieldsOf(value: unknown, above = ''): string[] {
  if (Array.isArray(value)) return [above, ...value.flatMap((each) => fieldsOf(each, `${above}[]`))];
  if (typeof value !== 'object' || value === null) return [above];
  return [
    above,
    ...Object.entries(value).flatMap(([key, each]) => fieldsOf(each, above === '' ? key : `${above}.${key}`)),
  ];
}

/** Every field that ADR-004 shows, by hand, so that a change of ours cannot change it along. */
const FIELDS: readonly [file: string, format: string, fields: string][] = [
  ['stufe-1/trigger.json', 'trigger', 'timestamp phase level attempts reason findings'],
  [
    'stufe-1/consultant-decision.json',
    'consultant-decision',
    `timestamp analysis.failure_summary analysis.root_cause analysis.attempts_analyzed decision.action
     decision.model_switch.from decision.model_switch.to decision.model_switch.reasoning
     decision.plan_revert.enabled decision.plan_revert.revert_to_task decision.plan_revert.current_task
     decision.plan_revert.reasoning decision.additional_hints[]
     decision.spec_updates.implementation.acceptance_criteria[] decision.additional_skills expected_outcome confidence`,
  ],
  ['stufe-1/updated-config.yaml', 'updated-config', 'phase agent model hints[] spec skills revert_to'],
  ['stufe-2/trigger.json', 'trigger', 'timestamp phase level attempts reason findings'],
  [
    'stufe-2/hil-request.json',
    'hil-request',
    `timestamp project_id phase summary.total_attempts summary.stufe_1_interventions summary.models_tried[]
     summary.time_spent_minutes consultant_analysis.problem consultant_analysis.suspected_cause
     consultant_analysis.learning options[].id options[].description options[].effort
     options[].consultant_recommendation question_for_user attachments.full_logs attachments.code_attempts
     attachments.consultant_transcript`,
  ],
  [
    'stufe-2/user-decision.json',
    'user-decision',
    `timestamp chosen_option user_comment additional_input.spec_override additional_input.manual_code
     additional_input.priority_change`,
  ],
  ['stufe-2/resolution.json', 'resolution', 'timestamp request decision actor applied outcome'],
];

describe('three failures, a consultant who changes the model and goes back, three more, and a human who chooses A', () => {
  it('leave every file of ADR-004 with its fields', () => {
    expect(ends.map(({ code }) => code)).toEqual([3, 0]);
    for (const [file, format, fields] of FIELDS) {
      const value = read(`escalation/${file}`);
      expect(FORMATS[format]?.schema.safeParse(value).error, file).toBeUndefined();
      const wanted = fields.trim().split(/\s+/);
      expect(fieldsOf(value), file).toEqual(expect.arrayContaining(wanted));
    }
    expect(read('escalation/stufe-2/hil-request.json')).toMatchObject({
      project_id: 'parts-export',
      summary: { total_attempts: 6, stufe_1_interventions: 1, models_tried: ['claude-sonnet-5-5', 'claude-opus-5-5'] },
      consultant_analysis: { learning: 'Revisions need a phase of their own' },
      options: expect.arrayContaining([expect.objectContaining({ id: 'A', consultant_recommendation: true })]),
    });
    expect(read('escalation/stufe-2/resolution.json')).toMatchObject({ applied: true, outcome: 'passed' });
    const { attachments } = read('escalation/stufe-2/hil-request.json') as { attachments: Record<string, string> };
    const named = contents(place());
    for (const path of Object.values(attachments)) {
      const below = path.slice(path.indexOf(PHASE) + PHASE.length + 1);
      expect(
        Object.keys(named).filter((name) => name.startsWith(below)),
        path,
      ).not.toEqual([]);
    }
    for (const attempt of [4, 5, 6])
      expect(named).toHaveProperty([`escalation/stufe-1/retry-attempts/attempt-${attempt}/verdicts.json`]);
    expect(contents(join(dir, 'phases', PHASE, 'output'))).toEqual({ 'parts.json': expect.stringContaining('"B"') });
  });

  it('were made with what updated-config.yaml says, and all six lie in the zip', () => {
    const { agent, model, hints, spec, revert_to } = read(
      'escalation/stufe-1/updated-config.yaml',
    ) as UpdatedConfigDocument;
    const made = events.flatMap(({ type, data }) => (type === 'attempt_started' ? [data] : []));
    const by = (phase: string) => made.filter((each) => each.phase === phase).map((each) => [each.agent, each.model]);
    const [first, then] = [
      [agent, 'claude-sonnet-5-5'],
      [agent, `claude-${model}-5-5`],
    ];
    expect(by(PHASE)).toEqual([first, first, first, then, then, then, then]);
    expect(by(revert_to ?? '')).toEqual([first, then]);
    const said = [...hints, ...Object.values(spec).flat()];
    expect(said).toHaveLength(3);
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const brief = readFileSync(join(place(), `logs/attempt-${attempt}/brief.md`), 'utf8');
      const told = said.filter((words) => brief.includes(words));
      expect({ attempt, told }).toEqual({ attempt, told: attempt > 3 ? said : [] });
    }
    const packed = Object.keys(unzipped(join(place(), 'escalation/stufe-2/attachments/all-attempts.zip')));
    for (const attempt of [1, 2, 3, 4, 5, 6])
      for (const name of ['transcript.jsonl', 'verdicts.json', 'changes.patch'])
        expect(packed).toContain(`attempt-${attempt}/${name}`);
    const reverts = events.flatMap(({ type, data }) => (type === 'plan_reverted' ? [data] : []));
    expect(reverts).toEqual([{ phase: PHASE, target: revert_to, voided: [revert_to, PHASE], by: 'consultant' }]);
  });
});

import { z } from 'zod';
import { ApprovalResult } from '../judge/approval.ts';
import { Probe, Reproduction, Tests, Verdict } from '../verdict.ts';
import { CriterionTrace, NamedGate, Quotation, ShownBy } from './criterion-trace.ts';
import { SummaryDocument } from './documents.ts';

/** A part of what was asked, or an acceptance criterion: shown, missing as somebody found, looked at by nobody, or put off by a human. */
const Part = z.strictObject({
  part: z.string(),
  of: z.enum(['task', 'criteria']),
  state: z.enum(['shown', 'missing', 'unchecked', 'put_off']),
  by: z.array(ShownBy),
  /** Of what is missing: what the judge says about it. */
  findings: z.array(z.string()).optional(),
  /** Of a criterion: the gates that name it and have passed. */
  gates: z.array(NamedGate).optional(),
});
export type Part = z.infer<typeof Part>;

const TestsOfPhase = z.strictObject({
  phase: z.string(),
  /** On the tree nobody had worked on. */
  before: Tests.optional(),
  after: Tests,
  /** Failed before, as far as it is known by name, and was seen to pass. */
  mended: z.array(z.string()),
  /** Failed before and is not seen to fail now, but was not seen to pass either. */
  unseen: z.array(z.string()).optional(),
  /** How many more there are than before; absent where nobody counted before. */
  added: z.int().optional(),
});

const Seen = z.strictObject({
  phase: z.string(),
  ...Reproduction.shape,
  /** The last words of the test command while the bug was there. */
  red: z.string(),
  /** The same once it was mended, and by which phase. */
  green: z.strictObject({ phase: z.string(), said: z.string() }).optional(),
});

const Judge = z.strictObject({
  phase: z.string(),
  approval: z.string(),
  type: z.string(),
  result: ApprovalResult.shape.result,
  confidence: z.number(),
  simulated: z.boolean(),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      outcome: ApprovalResult.shape.checks.element.shape.outcome,
      quotes: z.array(Quotation),
    }),
  ),
});

/** final/evidence.json and `helix evidence --format json`: what shows that the work is what was asked for, and what nobody checked. */
export const EvidenceDocument = z.strictObject({
  schema: z.literal('helix.evidence/1'),
  run: z.string(),
  project: z.string(),
  status: SummaryDocument.shape.status,
  simulated: z.boolean(),
  request: z.string().optional(),
  result: SummaryDocument.shape.result,
  parts: z.array(Part),
  /** The acceptance criteria of the specification, where it has any. */
  criteria: z.array(CriterionTrace).optional(),
  tests: z.array(TestsOfPhase),
  reproduced: z.array(Seen),
  probes: z.array(z.strictObject({ phase: z.string(), ...Probe.shape })),
  gates: z.array(
    z.strictObject({
      phase: z.string(),
      gate: z.string(),
      /** Of a gate that is a command of the project or the user: that command. */
      command: z.string().optional(),
      outcome: Verdict.shape.outcome,
      warnings: z.int(),
    }),
  ),
  judges: z.array(Judge),
  /** What nobody looked at, or nobody could tell. */
  unchecked: z.array(z.string()),
  overrides: SummaryDocument.shape.overrides,
  journal: SummaryDocument.shape.journal,
});
export type EvidenceDocument = z.infer<typeof EvidenceDocument>;

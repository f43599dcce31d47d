import { z } from 'zod';
import { BaseFile, RuleEntry, RulesFile } from '../../adr/rules/load/rules-file.ts';
import {
  AdrBaseline,
  AdrCheckDocument,
  AdrExplainDocument,
  ConceptDiffDocument,
} from '../../domain/documents/adr-documents.ts';
import {
  AdrForDocument,
  AdrGraphDocument,
  AdrListDocument,
  AdrNewDocument,
  AdrShowDocument,
} from '../../domain/documents/adr-list-documents.ts';
import { ApprovalDocument, MarkDocument } from '../../domain/documents/approval-document.ts';
import { CalibrationDocument } from '../../domain/documents/calibration-document.ts';
import { Cassette } from '../../domain/documents/cassette.ts';
import {
  BriefDocument,
  DetachedDocument,
  DiffDocument,
  DoctorDocument,
  GateDocument,
  GcDocument,
  InboxDocument,
  ListDocument,
  PlanDocument,
  RunDocument,
  SummaryDocument,
  VerdictsDocument,
} from '../../domain/documents/documents.ts';
import {
  ConsultantDecisionDocument,
  HilRequestDocument,
  ResolutionDocument,
  TriggerDocument,
  UpdatedConfigDocument,
  UserDecisionDocument,
} from '../../domain/documents/escalation-documents.ts';
import { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import { MetricsDocument } from '../../domain/documents/metrics-document.ts';
import { SpecFile } from '../../domain/documents/spec-file.ts';
import { EVENTS } from '../../domain/facts/run-event.ts';
import { ApprovalsFile } from '../../domain/judge/approval.ts';
import { CheckHeader } from '../../domain/judge/check-header.ts';
import { DefectsFile } from '../../domain/judge/defects-file.ts';
import { DomainExpertsFile } from '../../domain/kinds/experts-file.ts';
import { PhaseTypesFile } from '../../domain/kinds/phase-types-file.ts';
import { NoticeDocument } from '../../domain/ladder/notice.ts';
import { EscalationFile } from '../../domain/plan/escalation-file.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { HelixFile } from '../../domain/plan/helix-file.ts';
import { LlmProviders } from '../../domain/plan/llm-providers.ts';
import { PhaseEntry, PhasesFile } from '../../domain/plan/phases-file.ts';
import { Script } from '../../domain/plan/script.ts';

type Format = { readonly about: string; readonly schema: z.ZodType; readonly handWritten?: true };

/** Every format HELIX reads or writes, by the name `helix schema` knows it by. */
export const FORMATS: Readonly<Record<string, Format>> = {
  phases: { about: 'phases.yaml: the plan', schema: phasesSchema(), handWritten: true },
  helix: { about: 'helix.yaml: agents, budget, language and other settings', schema: HelixFile, handWritten: true },
  spec: { about: 'spec.yaml: what is to be built, and by what it is seen that it is there', schema: SpecFile },
  'llm-providers': {
    about: 'config/llm-providers.yaml: names and prices of models',
    schema: LlmProviders,
    handWritten: true,
  },
  approvals: {
    about: 'config/approvals.yaml: how approvals are asked for',
    schema: ApprovalsFile,
    handWritten: true,
  },
  escalation: {
    about: 'config/escalation.yaml: what happens when a gate keeps failing',
    schema: EscalationFile,
    handWritten: true,
  },
  'domain-experts': {
    about: 'config/domain-experts.yaml: whom a meeting can hear',
    schema: DomainExpertsFile,
    handWritten: true,
  },
  'phase-types': {
    about: "config/phase-types.yaml: the project's own types of phases",
    schema: PhaseTypesFile,
    handWritten: true,
  },
  scripted: { about: 'scripted.yaml: what the scripted agent does', schema: Script, handWritten: true },
  'adr-rules': {
    about: 'config/adr-completeness-rules.yaml: what ADRs need in which context',
    schema: adrRulesSchema(),
    handWritten: true,
  },
  defects: {
    about: 'approvals/<type>/defects.yaml: what helix calibrate plants',
    schema: DefectsFile,
    handWritten: true,
  },
  check: {
    about: 'front matter of approvals/<type>/checks/<id>.md: when a check may be not_applicable',
    schema: CheckHeader,
    handWritten: true,
  },
  plan: { about: 'helix plan --format json', schema: PlanDocument },
  run: { about: 'helix status --json', schema: RunDocument },
  inbox: { about: 'helix inbox --json', schema: InboxDocument },
  notice: { about: 'what a webhook or a command of notify is told', schema: NoticeDocument },
  list: { about: 'helix list --json', schema: ListDocument },
  brief: { about: 'helix brief --json', schema: BriefDocument },
  gate: { about: 'helix gate --json', schema: GateDocument },
  diff: { about: 'helix diff --json', schema: DiffDocument },
  gc: { about: 'helix gc --json', schema: GcDocument },
  detached: { about: 'helix run --detach --json', schema: DetachedDocument },
  doctor: { about: 'helix doctor --json', schema: DoctorDocument },
  'adr-check': { about: 'helix adr check --format json', schema: AdrCheckDocument },
  'adr-explain': { about: 'helix adr explain --json', schema: AdrExplainDocument },
  'adr-baseline': { about: 'the file of helix adr check --baseline', schema: AdrBaseline },
  'adr-list': { about: 'helix adr list --json', schema: AdrListDocument },
  'adr-show': { about: 'helix adr show --json', schema: AdrShowDocument },
  'adr-graph': { about: 'helix adr graph --format json', schema: AdrGraphDocument },
  'adr-for': { about: 'helix adr for --json', schema: AdrForDocument },
  'adr-new': { about: 'helix adr new --json', schema: AdrNewDocument },
  'concept-diff': { about: 'helix adr diff-concept --format json', schema: ConceptDiffDocument },
  approval: { about: 'helix approve --format json', schema: ApprovalDocument },
  'approval-mark': { about: 'helix approve mark --json', schema: MarkDocument },
  metrics: { about: 'helix metrics --format json', schema: MetricsDocument },
  calibration: { about: 'helix calibrate --format json', schema: CalibrationDocument },
  evidence: { about: 'final/evidence.json of a run and helix evidence --format json', schema: EvidenceDocument },
  summary: { about: 'final/summary.json of a run', schema: SummaryDocument },
  'hil-request': { about: 'hil-request.json: a question to a human', schema: HilRequestDocument },
  'user-decision': { about: 'user-decision.json: the answer', schema: UserDecisionDocument },
  resolution: { about: 'resolution.json: what came of the answer', schema: ResolutionDocument },
  trigger: { about: 'trigger.json: why the ladder was climbed', schema: TriggerDocument },
  'consultant-decision': {
    about: 'consultant-decision.json: what a consultant decided, and what of it takes effect',
    schema: ConsultantDecisionDocument,
  },
  'updated-config': {
    about: 'updated-config.yaml: what the next attempts of a phase run with',
    schema: UpdatedConfigDocument,
  },
  verdicts: { about: 'verdicts.json: what the gates made of an attempt', schema: VerdictsDocument },
  cassette: { about: 'cassette/<phase>/attempt-N.json of a run: an attempt to be played again', schema: Cassette },
  events: { about: 'one fact of the journal', schema: eventSchema() },
};

/** The JSON Schema of a format, in the draft that editors understand best. */
export function jsonSchema({ about, schema, handWritten }: Format): Record<string, unknown> {
  const { $schema, ...body } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (handWritten && jsonSchema.additionalProperties === false) jsonSchema.patternProperties = OWN_KEYS;
    },
  });
  return { $schema, title: about, ...body };
}

/** In a file of the user's, keys that start with `x-` are the user's own. */
const OWN_KEYS = { '^x-': {} };

/** phases.yaml with the settings of every gate, which the loader checks one by one for better messages. */
function phasesSchema(): z.ZodType {
  const { type: _implied, ...rest } = GATE_SETTINGS.files_exist.shape;
  const gate = z.union([...Object.values(GATE_SETTINGS), z.strictObject(rest)]);
  const phase = PhaseEntry.extend({ quality_gate: z.union([gate, z.array(gate).min(1)]).optional() });
  return PhasesFile.extend({ phases: z.array(phase).min(1) });
}

/** A rule file as a whole; the loader checks it rule by rule for better messages. */
function adrRulesSchema(): z.ZodType {
  return RulesFile.extend({ base_rules: BaseFile.optional(), contextual_rules: z.array(RuleEntry).optional() });
}

function eventSchema(): z.ZodType {
  const facts = Object.entries(EVENTS).map(([type, data]) =>
    z.strictObject({
      seq: z.int().positive(),
      v: z.int().positive(),
      at: z.iso.datetime(),
      hash: z.string(),
      type: z.literal(type),
      data,
    }),
  );
  return z.union(facts);
}

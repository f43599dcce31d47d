import { z } from 'zod';
import { AgentSettings } from './helix-file.ts';
import { Budget, OnRejection, PHASE_ID, PHASE_TYPES, PhaseConfig } from './plan.ts';

const TextOrList = z.union([z.string(), z.array(z.string())]);
const Paths = z.array(z.string().min(1));
const Argv = z.union([z.array(z.string().min(1)).min(1), z.string().min(1)]);

const PhaseConfigEntry = PhaseConfig.extend({ experts: TextOrList.optional(), skills: TextOrList.optional() });

/** A gate as written in phases.yaml; without a type it is files_exist. */
export const GateEntry = z.looseObject({ type: z.string().optional() });
export type GateEntry = z.infer<typeof GateEntry>;

/** A phase as written in phases.yaml; gates are checked one by one against their own settings. */
export const PhaseEntry = z.strictObject({
  id: z.string().regex(PHASE_ID),
  name: z.string().optional(),
  type: z.enum(PHASE_TYPES),
  description: z.string().optional(),
  template: z.string().optional(),
  config: PhaseConfigEntry.optional(),
  depends_on: TextOrList.optional(),
  dependencies: TextOrList.optional(),
  input: z.union([Paths, z.strictObject({ from_phase: z.string().optional(), files: Paths.optional() })]).optional(),
  output: z
    .union([
      Paths,
      z.strictObject({ directory: z.string().optional(), expected_files: Paths.optional(), files: Paths.optional() }),
    ])
    .optional(),
  quality_gate: z.union([GateEntry, z.array(GateEntry).min(1)]).optional(),
  verify_agent: z.boolean().optional(),
  approval_type: z.string().optional(),
  concept: z.string().min(1).optional(),
  on_rejection: OnRejection.optional(),
  max_retries: z.int().min(1).max(100).optional(),
  optional: z.boolean().optional(),
  requires_approval: z.boolean().optional(),
  target: z.string().optional(),
  generates_phases: z.boolean().optional(),
  phase_config: z
    .strictObject({
      min_phases: z.int().positive().optional(),
      max_phases: z.int().positive().optional(),
      phase_template: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    })
    .optional(),
  after_dynamic: z.boolean().optional(),
  timeout: z.number().positive().max(604_800).optional(),
  budget: Budget.optional(),
  agent: z.string().optional(),
  stop_when_stuck: z.union([z.boolean(), z.int().positive()]).optional(),
  rollback: Argv.optional(),
});
export type PhaseEntry = z.infer<typeof PhaseEntry>;

const WorkspaceMode = z.enum(['repo', 'phase-dirs']);

/** phases.yaml as people write it. */
export const PhasesFile = z.strictObject({
  project: z
    .strictObject({
      name: z.string().optional(),
      type: z.string().optional(),
      description: z.string().optional(),
      generated: z.unknown().optional(),
      max_retries: z.int().min(1).max(100).optional(),
    })
    .optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  project_type: z.string().optional(),
  complexity: z.string().optional(),
  max_retries: z.int().min(1).max(100).optional(),
  max_dynamic_phases: z.int().positive().optional(),
  dynamic_phase_template: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  workspace: z
    .union([
      WorkspaceMode,
      z.strictObject({
        mode: WorkspaceMode.optional(),
        root: z.string().min(1).optional(),
        setup: z.union([z.array(z.string().min(1)), z.array(z.array(z.string().min(1)).min(1))]).optional(),
        copy: Paths.optional(),
        cache: Paths.optional(),
        keep_out: Paths.optional(),
      }),
    ])
    .optional(),
  budget: Budget.optional(),
  agents: z.record(z.string(), AgentSettings).optional(),
  concurrency: z.int().min(1).max(64).optional(),
  protected: Paths.optional(),
  unattended: z.enum(['assume', 'wait']).optional(),
  phases: z.array(PhaseEntry).min(1),
});
export type PhasesFile = z.infer<typeof PhasesFile>;

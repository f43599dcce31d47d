import { z } from 'zod';
import { Expert } from '../kinds/experts-file.ts';
import { OwnType } from '../kinds/phase-types-file.ts';
import { Gate } from './gate.ts';

/** What a phase may be called: safe as a file name on every system. */
export const PHASE_ID = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/;

export const PHASE_TYPES = [
  'meeting',
  'consultant',
  'planning',
  'development',
  'review',
  'documentation',
  'research',
  'test',
  'testing',
  'integration',
  'feasibility',
  'deploy',
  'approval',
] as const;

/** Limits on what a run may spend; an absent one does not bind. */
export const Budget = z.strictObject({
  usd: z.number().nonnegative().optional(),
  minutes: z.number().positive().optional(),
  attempts: z.int().positive().optional(),
});
export type Budget = z.infer<typeof Budget>;

/** What a run may spend when nobody said otherwise. */
export const DEFAULT_BUDGET = { usd: 10, minutes: 120 } as const satisfies Budget;

/** What a run names as the source of its plan where `helix do` composed it and no file holds it. */
export const TASK_SOURCE = 'helix do';

/** What a review may be about. */
export const REVIEW_SCOPES = ['code', 'security', 'architecture', 'documentation'] as const;

/** The settings that shape a phase's brief and tools. */
export const PhaseConfig = z.strictObject({
  experts: z.array(z.string()).optional(),
  max_iterations: z.int().positive().optional(),
  template: z.string().optional(),
  skills: z.array(z.string()).optional(),
  model: z.string().optional(),
  review_scope: z.string().optional(),
  doc_types: z.array(z.string()).optional(),
  test_types: z.array(z.string()).optional(),
  tools: z.array(z.string()).optional(),
  focus: z.string().optional(),
  description: z.string().optional(),
});
export type PhaseConfig = z.infer<typeof PhaseConfig>;

/** What a rejected approval phase leads to. */
export const OnRejection = z.strictObject({
  action: z.enum(['retry_phase', 'escalate', 'fail']).default('fail'),
  target_phase: z.string().optional(),
  max_retries: z.int().min(1).max(100).optional(),
  feedback_template: z.string().optional(),
});

/** What a generated phase starts from: a template's name, or fields of a phase. */
const PhaseTemplate = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** One unit of work of a checked plan; all paths are relative to the phase's base directory. */
export const Phase = z.strictObject({
  id: z.string().regex(PHASE_ID),
  name: z.string(),
  type: z.enum(PHASE_TYPES),
  /** The type as the project calls it that has added it; all else treats the phase as one of development. */
  ownType: OwnType.optional(),
  description: z.string().optional(),
  dependsOn: z.array(z.string()),
  config: PhaseConfig,
  input: z.strictObject({ fromPhase: z.string().optional(), files: z.array(z.string()) }).optional(),
  output: z.strictObject({ directory: z.string(), files: z.array(z.string()) }),
  gates: z.array(Gate),
  maxRetries: z.int().positive(),
  optional: z.boolean(),
  requiresApproval: z.boolean(),
  verifyAgent: z.boolean(),
  generatesPhases: z.boolean(),
  approvalType: z.string().optional(),
  onRejection: OnRejection.optional(),
  agent: z.string().optional(),
  timeoutSeconds: z.number().positive().optional(),
  budget: Budget.optional(),
  target: z.string().optional(),
  rollback: z.union([z.array(z.string()), z.string()]).optional(),
  phaseConfig: z
    .strictObject({
      minPhases: z.int().positive().optional(),
      maxPhases: z.int().positive().optional(),
      phaseTemplate: PhaseTemplate.optional(),
    })
    .optional(),
  afterDynamic: z.boolean().optional(),
  stopWhenStuck: z.union([z.boolean(), z.int().positive()]).optional(),
});
export type Phase = z.infer<typeof Phase>;

/** Where phases work: worktrees of the user's repository, or one directory per phase. */
const WorkspaceSettings = z.strictObject({
  mode: z.enum(['repo', 'phase-dirs']),
  /** The directory that is worked on, from the top of the repository, where it is not the one the plan lies in. */
  root: z.string().optional(),
  /** Where the plan lies, seen from that directory. */
  home: z.string().optional(),
  setup: z.array(z.array(z.string())),
  copy: z.array(z.string()),
  cache: z.array(z.string()),
  /** Patterns of files that never reach the result branch; absent: what meeting, planning and review phases write. */
  keepOut: z.array(z.string()).optional(),
});

/** Tells whether two plans work in the same place, so that a path of the one means the same file in the other. */
export function isSamePlace(one: Plan['workspace'], other: Plan['workspace']): boolean {
  return one.mode === other.mode && one.root === other.root;
}

/** Where a plan works, in a word or two. */
export function placeName({ mode, root }: Plan['workspace']): string {
  return root === undefined ? mode : `${mode}, root ${JSON.stringify(root)}`;
}

/** The checked plan a run is frozen to. */
export const Plan = z.strictObject({
  project: z.strictObject({ name: z.string(), type: z.string(), description: z.string().optional() }),
  workspace: WorkspaceSettings,
  concurrency: z.int().positive(),
  budget: Budget,
  protected: z.array(z.string()),
  /** What becomes of a meeting's questions where nobody attends: its recommendations are assumed, or an answer is waited for. */
  unattended: z.enum(['assume', 'wait']).optional(),
  maxDynamicPhases: z.int().positive().optional(),
  dynamicPhaseTemplate: PhaseTemplate.optional(),
  /** Whom its phases can ask, where one of them names experts or leaves the choice to HELIX. */
  experts: z.array(Expert).optional(),
  phases: z.array(Phase),
});
export type Plan = z.infer<typeof Plan>;

import { z } from 'zod';

/** What a type of phase may be called. */
export const TYPE_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/;

const Words = z.array(z.string().min(1).max(200)).max(100);

/** A type of phase as config/phase-types.yaml describes it. */
export const PhaseTypeEntry = z.strictObject({
  description: z.string().max(4000).optional(),
  default_gates: Words.optional(),
  output_pattern: z.string().min(1).optional(),
  timeout: z.number().positive().max(604_800).optional(),
  requires_input_from: Words.optional(),
  can_decompose: z.boolean().optional(),
  max_sub_phases: z.int().positive().optional(),
  tools_required: Words.optional(),
});
export type PhaseTypeEntry = z.infer<typeof PhaseTypeEntry>;

/** config/phase-types.yaml: types of phases of the project's own, and what phases of a type have that say nothing else. */
export const PhaseTypesFile = z.strictObject({
  phase_types: z.record(z.string().regex(TYPE_NAME), PhaseTypeEntry).optional(),
  project_types: z.unknown().optional(),
  retry: z.unknown().optional(),
  models: z.unknown().optional(),
});
export type PhaseTypesFile = z.infer<typeof PhaseTypesFile>;

/** A type that the project has added. */
export const OwnType = z.strictObject({ name: z.string().regex(TYPE_NAME), description: z.string().optional() });
export type OwnType = z.infer<typeof OwnType>;

/** What a phase's type is called by those who wrote the plan. */
export function typeName({ type, ownType }: { readonly type: string; readonly ownType?: OwnType | undefined }): string {
  return ownType?.name ?? type;
}

import { z } from 'zod';

const Text = z.string();
const Lines = z.union([Text, z.array(Text)]);

/** A criterion as people write it: a text, or a map with one beside its id. */
export const SpecCriterion = z.union([
  Text.min(1),
  z.looseObject({
    id: z.union([Text, z.number()]).optional(),
    text: Text.optional(),
    description: Text.optional(),
    criterion: Text.optional(),
    check: Text.optional(),
  }),
]);
export type SpecCriterion = z.infer<typeof SpecCriterion>;

const Criteria = z.array(SpecCriterion);

/** spec.yaml: what is to be built. People and consultants may add places of their own to it. */
export const SpecFile = z.looseObject({
  goal: Text.optional(),
  users: Lines.optional(),
  acceptance_criteria: Criteria.optional(),
  non_goals: Lines.optional(),
  risks: Lines.optional(),
  constraints: Lines.optional(),
  language: Text.optional(),
  domain: Text.optional(),
  assumptions: Lines.optional(),
  answers: Lines.optional(),
  meta: z.looseObject({ domain: Text.optional(), language: Text.optional(), type: Text.optional() }).optional(),
  implementation: z
    .looseObject({ summary: Text.optional(), description: Text.optional(), acceptance_criteria: Criteria.optional() })
    .optional(),
});
export type SpecFile = z.infer<typeof SpecFile>;

import { z } from 'zod';

const Text = z.string().regex(/\S/);
const Texts = z.array(Text);

/** The top level of a rule file; its rules are read one by one. */
export const RulesFile = z.strictObject({
  _meta: z.strictObject({ version: z.string().optional(), description: z.string().optional() }).nullable().optional(),
  base_rules: z.record(z.string(), z.unknown()).nullable().optional(),
  contextual_rules: z.array(z.unknown()).nullable().optional(),
});

/** What every ADR needs. */
export const BaseFile = z.strictObject({
  required_sections: Texts.optional(),
  min_acceptance_criteria: z.int().min(0).optional(),
  min_section_length: z.int().min(0).optional(),
  min_coverage: z.number().min(0).max(100).optional(),
});

/** One context rule; `when` is checked key by key elsewhere. */
export const RuleEntry = z.strictObject({
  id: Text,
  name: Text.optional(),
  when: z.record(z.string(), z.unknown()),
  require: z.strictObject({
    sections: z
      .array(z.strictObject({ name: Text, min_length: z.int().min(0).optional(), required_elements: Texts.optional() }))
      .optional(),
    content_patterns: z
      .array(z.strictObject({ pattern: Text, location: Text.optional(), min_matches: z.int().min(1).optional() }))
      .optional(),
    acceptance_criteria_keywords: Texts.optional(),
  }),
  severity: z.enum(['error', 'warning', 'info']).optional(),
  message: Text,
  in_code: z.boolean().optional(),
  negation: z.enum(['ignore']).optional(),
});

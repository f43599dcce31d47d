import { z } from 'zod';
import { present } from '../present.ts';

/** What of a phase's configuration somebody changed for its next attempts. */
export const Changes = z.strictObject({
  model: z.string().optional(),
  /** An agent of helix.yaml that takes over. */
  agent: z.string().optional(),
  /** Words of a consultant: data to the agent, never orders of HELIX. */
  hints: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  /** What is added to the specification, by the dotted path it belongs to. */
  spec: z.record(z.string(), z.array(z.string())).optional(),
  /** What a human put in the place of what the specification says there; an empty list takes it away. */
  override: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});
export type Changes = z.infer<typeof Changes>;

/** Two changes in a row: later models and agents replace, all else adds up. */
export function mergeChanges(before: Changes, after: Changes): Changes {
  const hints = [...(before.hints ?? []), ...(after.hints ?? [])];
  const skills = [...new Set([...(before.skills ?? []), ...(after.skills ?? [])])];
  const spec = { ...before.spec };
  for (const [path, added] of Object.entries(after.spec ?? {})) spec[path] = [...(spec[path] ?? []), ...added];
  const override = { ...before.override, ...after.override };
  const model = after.model ?? (after.agent === undefined ? before.model : undefined);
  const agent = after.agent ?? before.agent;
  return {
    ...present({ model, agent }),
    ...(hints.length > 0 && { hints }),
    ...(skills.length > 0 && { skills }),
    ...(Object.keys(spec).length > 0 && { spec }),
    ...(Object.keys(override).length > 0 && { override }),
  };
}

/** True when nothing was changed. */
export function isUnchanged(changes: Changes): boolean {
  return Object.keys(changes).length === 0;
}

/** What choosing an option does. */
export const Decision = z.strictObject({
  action: z.enum([
    /** Further attempts, with guidance and changes. */
    'retry',
    /** What was asked about is right: go on. */
    'proceed',
    /** The plan stays as it was, whatever was written. */
    'keep',
    'abort',
    /** What the human put into the phase's directory, or into `files`, is judged like an attempt. */
    'take',
    /** The work is accepted although a gate rejects it; that is an override, never a pass. */
    'accept',
    /** Everything from `phase` on is done again. */
    'revert',
    /** A question of a meeting is answered. */
    'answer',
  ]),
  guidance: z.string().optional(),
  /** The phase the guidance is for, whoever asked. */
  for: z.string().optional(),
  /** Finished work that nobody could judge goes back to its agent, in place of being judged again. */
  rework: z.literal(true).optional(),
  /** The phase everything is done again from. */
  phase: z.string().optional(),
  changes: Changes.optional(),
  /** Files of the human's own change, by their path in the phase's directory. */
  files: z.record(z.string(), z.string()).optional(),
});
export type Decision = z.infer<typeof Decision>;

/** One answer a human can pick. */
export const Option = z.strictObject({
  id: z.string(),
  description: z.string(),
  effort: z.string(),
  recommended: z.boolean(),
  decision: Decision,
  /** Whose idea it is, where it is not one of the standing options. */
  by: z.literal('consultant').optional(),
});
export type Option = z.infer<typeof Option>;

/** What is known of a failure, for the human. */
export const Analysis = z.strictObject({ problem: z.string(), suspected_cause: z.string(), learning: z.string() });
export type Analysis = z.infer<typeof Analysis>;

/** What a consultant wants put before the human. */
export const Advice = z.strictObject({
  analysis: Analysis,
  question: z.string().optional(),
  options: z.array(Option.omit({ id: true, by: true })),
});
export type Advice = z.infer<typeof Advice>;

const Text = z.string().max(20_000);

/** What a consultant answers: ADR-004's consultant-decision.json, and options where it wants a human to choose. */
export const ConsultantAnswer = z.strictObject({
  /** ADR-004 prints one; when it was given, the journal knows. */
  timestamp: z.string().max(100).nullish(),
  analysis: z.strictObject({
    failure_summary: Text,
    root_cause: Text,
    /** What the attempts have taught. */
    learning: Text.optional(),
    attempts_analyzed: z.int().nonnegative().optional(),
  }),
  decision: z.strictObject({
    action: z.enum(['retry_with_changes', 'revert', 'ask_human']),
    model_switch: z.strictObject({ from: z.string().optional(), to: z.string(), reasoning: Text.optional() }).nullish(),
    plan_revert: z
      .strictObject({
        enabled: z.boolean(),
        revert_to_task: z.union([z.string(), z.int()]).nullish(),
        current_task: z.union([z.string(), z.int()]).nullish(),
        reasoning: Text.optional(),
      })
      .nullish(),
    additional_hints: z.array(z.string()).nullish(),
    spec_updates: z.record(z.string(), z.unknown()).nullish(),
    additional_skills: z.array(z.string()).nullish(),
  }),
  /** For the human: what could be done, in the order of preference. */
  options: z
    .array(
      z.strictObject({
        description: z.string().min(1).max(2000),
        effort: z.string().max(200),
        consultant_recommendation: z.boolean().optional(),
        /** What the agent is told when this is chosen. */
        guidance: Text.optional(),
        model: z.string().optional(),
        revert_to_task: z.union([z.string(), z.int()]).optional(),
      }),
    )
    .max(6)
    .nullish(),
  question: z.string().max(2000).nullish(),
  expected_outcome: Text.nullish(),
  confidence: z.number().min(0).max(1).nullish(),
});
export type ConsultantAnswer = z.infer<typeof ConsultantAnswer>;

/** What a consultant is asked for: a decision of its own, or advice for the human who decides next. */
export const Purpose = z.enum(['decide', 'advise']);
export type Purpose = z.infer<typeof Purpose>;

/** What leads to a question to a human. */
export const AskReason = z.enum([
  'exhausted',
  'interrupted',
  'blocked',
  'start',
  'protected',
  'rejected',
  'unsure',
  'stuck',
  'proposal',
  'grown',
  'plan',
  'question',
]);

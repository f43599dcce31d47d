import { z } from 'zod';
import { Verdict } from '../verdict.ts';

/** Words of the work that a judge went by; HELIX has looked them up. */
export const Quotation = z.strictObject({
  file: z.string(),
  line: z.int().positive().optional(),
  quote: z.string(),
});
export type Quotation = z.infer<typeof Quotation>;

/** Who says so: a check of a judge, with what it quoted. */
export const ShownBy = z.strictObject({
  phase: z.string(),
  approval: z.string(),
  check: z.string(),
  quotes: z.array(Quotation),
});

/** A gate of a plan. */
export const NamedGate = z.strictObject({ phase: z.string(), gate: z.string() });

/** An acceptance criterion from the specification to what proves it: the phases it belongs to, gates that name it, words a judge quoted. */
export const CriterionTrace = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** How its author says that it can be seen. */
  check: z.string().optional(),
  phases: z.array(z.string()),
  /** `open`: it has not judged the work as it is now. */
  gates: z.array(NamedGate.extend({ outcome: z.enum([...Verdict.shape.outcome.options, 'open']) })),
  judges: z.array(ShownBy),
  /** What judges said against it. */
  against: z.array(z.string()),
  state: z.enum(['proven', 'failed', 'unproven']),
});
export type CriterionTrace = z.infer<typeof CriterionTrace>;

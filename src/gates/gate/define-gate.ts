import { z } from 'zod';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { FailureClass, Verdict } from '../../domain/verdict.ts';
import type { AskingContext, GateAnswer, GateContext, ToAsk } from './gate-context.ts';

const Answer = z.discriminatedUnion('kind', [
  Verdict.omit({ gate: true, tree: true, durationMs: true }).extend({ kind: z.literal('judged') }),
  z.strictObject({
    kind: z.literal('interrupted'),
    failure: FailureClass,
    message: z.string(),
    final: z.boolean().optional(),
  }),
]);

/** A kind of gate: what it may be told, and how it turns an output into an answer. */
export type GateDefinition = {
  readonly type: string;
  readonly settings: z.ZodType;
  /** Paths that count only when this very attempt wrote them; they are removed before it starts. */
  readonly fresh: (settings: unknown, phase: Phase) => readonly string[];
  /** The command it runs, if it runs one: tried on the untouched tree first, and run again where two trees join. */
  readonly command: (settings: unknown) => unknown;
  /** What it would ask a judge, if it asks one; undefined where it would not. */
  readonly asks: (settings: unknown, context: AskingContext) => Promise<ToAsk | undefined>;
  readonly judge: (settings: unknown, context: GateContext) => Promise<GateAnswer>;
};

/** Makes a gate of your own: its settings are checked by `settings` in phases.yaml and arrive typed in `judge`. */
export function defineGate<S extends z.ZodType>(gate: {
  type: string;
  settings: S;
  fresh?: (settings: z.infer<S>, phase: Phase) => readonly string[];
  command?: (settings: z.infer<S>) => unknown;
  asks?: (settings: z.infer<S>, context: AskingContext) => Promise<ToAsk | undefined>;
  judge: (settings: z.infer<S>, context: GateContext) => Promise<GateAnswer>;
}): GateDefinition {
  return {
    type: gate.type,
    settings: gate.settings,
    fresh: (settings, phase) => gate.fresh?.(settings as z.infer<S>, phase) ?? [],
    command: (settings) => gate.command?.(settings as z.infer<S>),
    asks: async (settings, context) => gate.asks?.(settings as z.infer<S>, context),
    judge: (settings, context) => answerOf(gate.type, () => gate.judge(settings as z.infer<S>, context)),
  };
}

/** A gate that breaks down has no opinion, and an answer nobody can read is none. */
async function answerOf(type: string, judge: () => Promise<GateAnswer>): Promise<GateAnswer> {
  try {
    const answer = Answer.safeParse(await judge());
    return answer.success ? answer.data : brokenDown(type, `its answer is none: ${z.prettifyError(answer.error)}`);
  } catch (error) {
    if (error instanceof HelixError) throw error;
    return brokenDown(type, error instanceof Error ? error.message : String(error));
  }
}

function brokenDown(type: string, why: string): GateAnswer {
  return { kind: 'interrupted', failure: 'crash', message: `the gate ${type} broke down: ${why}` };
}

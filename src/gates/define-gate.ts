import type { z } from 'zod';
import type { Phase } from '../domain/plan.ts';
import type { GateAnswer, GateContext } from '../ports.ts';

/** A kind of gate: what it may be told, and how it turns an output into an answer. */
export type GateDefinition = {
  readonly type: string;
  readonly settings: z.ZodType;
  /** Paths that count only when this very attempt wrote them; they are removed before it starts. */
  readonly fresh: (settings: unknown, phase: Phase) => readonly string[];
  readonly judge: (settings: unknown, context: GateContext) => Promise<GateAnswer>;
};

/** Makes a gate of your own: its settings are checked by `settings` in phases.yaml and arrive typed in `judge`. */
export function defineGate<S extends z.ZodType>(gate: {
  type: string;
  settings: S;
  fresh?: (settings: z.infer<S>, phase: Phase) => readonly string[];
  judge: (settings: z.infer<S>, context: GateContext) => Promise<GateAnswer>;
}): GateDefinition {
  return {
    type: gate.type,
    settings: gate.settings,
    fresh: (settings, phase) => gate.fresh?.(settings as z.infer<S>, phase) ?? [],
    judge: (settings, context) => gate.judge(settings as z.infer<S>, context),
  };
}

import { z } from 'zod';
import { hasError } from '../../domain/finding.ts';
import { PLAN_GATE } from '../../domain/plan-growth.ts';
import { defineGate } from '../gate/define-gate.ts';

/** Passes when the plan that a phase wrote could take the place of what has not begun: HELIX gives it to each phase that writes one. */
export const planValid = defineGate({
  type: PLAN_GATE,
  settings: z.strictObject({}),
  judge: async (_settings, { grown }) => {
    if (grown === undefined) {
      const message = 'a plan that was written can be judged only as part of the run it was written in';
      return { kind: 'interrupted', failure: 'setup', message };
    }
    const { findings, growth } = await grown();
    return { kind: 'judged', outcome: hasError(findings) ? 'reject' : 'pass', findings, growth };
  },
});

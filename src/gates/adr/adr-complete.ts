import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { defineGate } from '../gate/define-gate.ts';

/** Passes when every ADR is complete: its structure, the rules its context calls for, what its concept promised, and what it means. */
export const adrComplete = defineGate({
  type: 'adr_complete',
  settings: GATE_SETTINGS.adr_complete,
  asks: async (settings, context) => (await import('./judge-adrs.ts')).adrRequest(settings, context),
  judge: async (settings, context) => (await import('./judge-adrs.ts')).judgeAdrs(settings, context, true),
});

/** Passes when every ADR has the structure it needs and follows the rules. */
export const adrValid = defineGate({
  type: 'adr_valid',
  settings: GATE_SETTINGS.adr_complete,
  judge: async (settings, context) => (await import('./judge-adrs.ts')).judgeAdrs(settings, context, false),
});

import { GATE_SETTINGS } from '../domain/gate.ts';
import { defineGate } from './define-gate.ts';

/** Passes when every ADR is complete: its structure, the rules its context calls for, and what its concept promised. */
export const adrComplete = defineGate({
  type: 'adr_complete',
  settings: GATE_SETTINGS.adr_complete,
  judge: async (settings, context) =>
    (await import('./judge-adrs.ts')).judgeAdrs(settings, context, { type: 'adr_complete', concept: settings.concept }),
});

/** Passes when every ADR has the structure it needs and follows the rules. */
export const adrValid = defineGate({
  type: 'adr_valid',
  settings: GATE_SETTINGS.adr_complete,
  judge: async (settings, context) =>
    (await import('./judge-adrs.ts')).judgeAdrs(settings, context, { type: 'adr_valid' }),
});

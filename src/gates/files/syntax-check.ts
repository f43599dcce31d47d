import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { defineGate } from '../gate/define-gate.ts';
import { judgeSyntax } from './judge-syntax.ts';

/** Passes when every file that is named or, where none is named, new or changed follows the syntax of its language. */
export const syntaxCheck = defineGate({
  type: 'syntax_check',
  settings: GATE_SETTINGS.syntax_check,
  judge: (settings, context) => judgeSyntax(settings, context, 'syntax_check'),
});

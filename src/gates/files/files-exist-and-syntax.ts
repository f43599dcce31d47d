import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { defineGate } from '../gate/define-gate.ts';
import { judgeSyntax } from './judge-syntax.ts';

/** Passes when files_exist and syntax_check both would. */
export const filesExistAndSyntax = defineGate({
  type: 'files_exist_and_syntax',
  settings: GATE_SETTINGS.files_exist_and_syntax,
  judge: (settings, context) => judgeSyntax(settings, context, 'files_exist'),
});

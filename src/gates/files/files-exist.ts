import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { defineGate } from '../gate/define-gate.ts';
import { wantedFiles } from '../gate/wanted-files.ts';

/** Passes when every declared file is there or, where none is declared, when the attempt made something at all. */
export const filesExist = defineGate({
  type: 'files_exist',
  settings: GATE_SETTINGS.files_exist,
  judge: async ({ files }, context) => {
    const { absent } = wantedFiles(files, context);
    const findings = absent.map((absence) => ({ severity: 'error' as const, check: 'files_exist', ...absence }));
    return { kind: 'judged', outcome: findings.length > 0 ? 'reject' : 'pass', findings };
  },
});

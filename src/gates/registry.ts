import { adrComplete, adrValid } from './adr/adr-complete.ts';
import { custom } from './commands/custom.ts';
import { testsPass } from './commands/tests-pass.ts';
import { filesExist } from './files/files-exist.ts';
import { filesExistAndSyntax } from './files/files-exist-and-syntax.ts';
import { planValid } from './files/plan-valid.ts';
import { specValid } from './files/spec-valid.ts';
import { syntaxCheck } from './files/syntax-check.ts';
import type { GateDefinition } from './gate/define-gate.ts';
import { approval } from './judge/approval.ts';
import { approvalPassed } from './judge/approval-passed.ts';
import { reviewApproved } from './judge/review-approved.ts';
import { verification } from './judge/verification.ts';

/** The gates that are built, by type. */
export const GATES: ReadonlyMap<string, GateDefinition> = new Map(
  [
    filesExist,
    syntaxCheck,
    filesExistAndSyntax,
    specValid,
    testsPass,
    reviewApproved,
    adrComplete,
    adrValid,
    approval,
    approvalPassed,
    verification,
    planValid,
    custom,
  ].map((gate) => [gate.type, gate]),
);

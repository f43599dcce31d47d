import { adrComplete, adrValid } from './adr-complete.ts';
import { approval } from './approval.ts';
import { approvalPassed } from './approval-passed.ts';
import { custom } from './custom.ts';
import type { GateDefinition } from './define-gate.ts';
import { filesExist } from './files-exist.ts';
import { filesExistAndSyntax } from './files-exist-and-syntax.ts';
import { reviewApproved } from './review-approved.ts';
import { syntaxCheck } from './syntax-check.ts';
import { testsPass } from './tests-pass.ts';
import { verification } from './verification.ts';

/** The gates that are built, by type. */
export const GATES: ReadonlyMap<string, GateDefinition> = new Map(
  [
    filesExist,
    syntaxCheck,
    filesExistAndSyntax,
    testsPass,
    reviewApproved,
    adrComplete,
    adrValid,
    approval,
    approvalPassed,
    verification,
    custom,
  ].map((gate) => [gate.type, gate]),
);

import { custom } from './custom.ts';
import type { GateDefinition } from './define-gate.ts';
import { filesExist } from './files-exist.ts';
import { reviewApproved } from './review-approved.ts';
import { testsPass } from './tests-pass.ts';

/** The gates that are built, by type. */
export const GATES: ReadonlyMap<string, GateDefinition> = new Map(
  [filesExist, testsPass, reviewApproved, custom].map((gate) => [gate.type, gate]),
);

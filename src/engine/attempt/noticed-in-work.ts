import type { Finding } from '../../domain/finding.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { INSTRUCTIONS } from '../../domain/plan/protected.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import { checkPapers } from '../../gates/papers/check-papers.ts';
import type { Tree } from '../../ports/tree.ts';
import { gatePrograms } from './gate-programs.ts';
import { leakedSecrets } from './leaked-secrets.ts';
import { lookAlikes } from './look-alikes.ts';
import { otherBytes } from './other-bytes.ts';
import { declaredBy } from './protected-paths.ts';

type Work = {
  readonly tree: Tree;
  readonly base: Tree;
  readonly phase: Phase;
  readonly plan: Plan;
  /** The paths of what the phase was given. */
  readonly inputs: readonly string[];
};

/** What is told of a phase's work whatever its gates are: secrets in it, other bytes than users get, names that mislead, papers that lead nowhere. */
export async function noticedInWork({ tree, base, phase, plan, inputs }: Work, secrets: Redactor): Promise<Finding[]> {
  if (tree.id === base.id) return [];
  const programs = await gatePrograms(
    plan.phases.flatMap(({ gates }) => gates),
    base,
  );
  return [
    ...(await leakedSecrets({ tree, base }, secrets)),
    ...(await otherBytes({ tree, base })),
    ...lookAlikes({ tree, base, guarded: [...misread(plan), ...programs], isDeclared: declaredBy(phase, plan) }),
    ...(await checkPapers({ phase, tree, base, inputs, whole: plan.workspace.mode === 'repo' })),
  ];
}

/** What must not be mistaken for another path; a page `agents.md` in some folder of a project is nobody's disguise. */
function misread({ protected: patterns }: Plan): string[] {
  return patterns.filter((pattern) => pattern !== INSTRUCTIONS);
}

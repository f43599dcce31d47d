import { didYouMean, suggestion } from '../../text/did-you-mean.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import { projectType } from '../build/build-plan.ts';
import { checkApprovals } from './check-approvals.ts';
import { checkCommands, type FindProgram } from './check-commands.ts';
import { checkGraph } from './check-graph.ts';
import { checkInputs } from './check-inputs.ts';
import { checkKeepOut } from './check-keep-out.ts';
import { checkNames, type ShippedNames } from './check-names.ts';
import { checkPaths } from './check-paths.ts';
import { checkReviews } from './check-reviews.ts';
import type { PlanCheck } from './plan-check.ts';

type Known = {
  readonly findProgram: FindProgram;
  readonly types: readonly string[];
  readonly shippedNames: () => ShippedNames;
};

/** Everything that can be known to be wrong with a plan before its first agent starts. */
export async function checkPlan(check: PlanCheck, { findProgram, types, shippedNames }: Known): Promise<void> {
  checkProjectType(check, types);
  checkGraph(check);
  checkPaths(check);
  checkReviews(check);
  checkTemplates(check);
  await checkNames(check, shippedNames);
  await checkApprovals(check);
  await checkInputs(check);
  await checkCommands(check, findProgram);
  await checkCopies(check);
  checkKeepOut(check);
}

/** A file that is not there cannot be copied; its absence would only show in tests that fail. */
async function checkCopies({ header, files, findings }: PlanCheck): Promise<void> {
  const { copy = [] } = typeof header.workspace === 'object' ? header.workspace : {};
  for (const [index, path] of copy.entries()) {
    if (unsafePath(path) !== undefined || (await files.find(path)).found) continue;
    const message = `"${oneLine(path, 80)}" is to be copied, and the project does not have it`;
    findings.warning(['workspace', 'copy', index], {
      check: 'missing-copy',
      message,
      hint: 'make it, or mend the name',
    });
  }
}

/** A type without a template is the user's business, unless it looks like a typing error. */
function checkProjectType({ header, findings }: PlanCheck, types: readonly string[]): void {
  const type = projectType(header);
  if (types.includes(type)) return;
  const at = header.project?.type === undefined ? ['project_type'] : ['project', 'type'];
  const note = {
    check: 'project-type',
    message: `unknown project type "${oneLine(type, 60)}"`,
    hint: suggestion(type, types),
  };
  if (didYouMean(type, types) === undefined) findings.warning(at, note);
  else findings.error(at, note);
}

function checkTemplates({ phases, findings }: PlanCheck): void {
  for (const { draft } of phases) {
    const { template, config } = draft.entry;
    if (template === undefined || config?.template === undefined || template === config.template) continue;
    const message = '"template" has no effect beside "config.template"';
    findings.warningAtKey([...draft.path, 'template'], { check: 'no-effect', message, hint: 'keep one of them' });
  }
}

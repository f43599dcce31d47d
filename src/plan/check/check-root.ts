import type { Project, WorkedDirectory } from '../../ports/project.ts';
import { normaliseDirectory, unsafePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import type { Mode } from '../build/build-plan.ts';
import type { PlanHeader } from '../build/parse-phases.ts';

/** The directory a plan works on, where the plan lies elsewhere in the repository. */
export type CheckedRoot = WorkedDirectory & { readonly root: string };

type Around = { readonly mode: Mode; readonly project: Project; readonly findings: FileFindings };

const AT = ['workspace', 'root'];
const HINT = 'name a directory from the top of the repository, such as "packages/app", or "." for the top itself';

/** Finds the directory that `workspace.root` names; undefined where the plan works where it lies, or names none that can be worked on. */
export async function checkRoot(
  { workspace }: PlanHeader,
  { mode, project, findings }: Around,
): Promise<CheckedRoot | undefined> {
  const written = typeof workspace === 'object' ? workspace.root : undefined;
  if (written === undefined) return undefined;
  const wrong = (check: string, why: string, hint = HINT) =>
    void findings.error(AT, { check, message: `the root "${oneLine(written, 80)}" ${why}`, hint });
  if (mode !== 'repo') return wrong('no-effect', 'belongs to mode: repo', 'leave it out, or write mode: repo');
  const reason = unsafePath(written);
  if (reason !== undefined) return wrong('unsafe-path', reason);
  const root = normaliseDirectory(written);
  const found = await project.fromTop(root);
  if ('problem' in found) return wrong('missing-root', oneLine(found.problem, 200));
  return found.home === '' ? undefined : { ...found, root };
}

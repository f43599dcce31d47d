import { APPROVALS_PATH } from '../../approval/approval-settings.ts';
import { linkedFiles } from '../../approval/linked-files.ts';
import { isDefinitionPlace } from '../../approval/load-definition.ts';
import { CONVENTION_GLOBS } from '../../brief/conventions.ts';
import { APPROVAL_TYPE } from '../../domain/judge/approval-type.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { linkedConventions } from '../step/linked-conventions.ts';
import { projectFiles } from '../step/question-source.ts';

/** What skills consist of beside their text. */
const SKILL_FILES = ['skills/*/**', '.claude/skills/*/**', '.agents/skills/*/**'];

/** What judges and agents go by: definitions, settings of approvals, and conventions. */
const GUIDELINES = ['approvals/**', APPROVALS_PATH, ...CONVENTION_GLOBS, ...SKILL_FILES];

/** Freezes what judges and agents of a run go by, where they work beside it; in a repository the tree it began with has it. */
export async function pinGuidelines(
  { workspace: { mode } }: Plan,
  { workspace, project }: { readonly workspace: Workspace; readonly project: Project },
): Promise<string | undefined> {
  if (mode === 'repo') return undefined;
  const found = await Promise.all(GUIDELINES.map((glob) => project.match(glob)));
  const linked = await linkedFiles('approvals', projectFiles(project), isDefined);
  const skills = await linkedConventions(projectFiles(project));
  return (await workspace.pin([...new Set([...found.flat(), ...linked.keys(), ...skills.keys()])])).id;
}

/** Tells whether a link below `approvals/` is a definition, or part of one. */
function isDefined(path: string): boolean {
  const [, type = '', ...rest] = path.split('/');
  return APPROVAL_TYPE.test(type) && (rest.length === 0 || isDefinitionPlace(rest.join('/')));
}

import { APPROVALS_PATH } from '../../approval/approval-settings.ts';
import { CONVENTION_GLOBS } from '../../brief/conventions.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';

/** What skills consist of beside their text. */
const SKILL_FILES = ['skills/*/**', '.claude/skills/*/**'];

/** What judges and agents go by: definitions, settings of approvals, and conventions. */
const GUIDELINES = ['approvals/**', APPROVALS_PATH, ...CONVENTION_GLOBS, ...SKILL_FILES];

/** Freezes what judges and agents of a run go by, where they work beside it; in a repository the tree it began with has it. */
export async function pinGuidelines(
  { workspace: { mode } }: Plan,
  { workspace, project }: { readonly workspace: Workspace; readonly project: Project },
): Promise<string | undefined> {
  if (mode === 'repo') return undefined;
  const found = await Promise.all(GUIDELINES.map((glob) => project.match(glob)));
  return (await workspace.pin([...new Set(found.flat())])).id;
}

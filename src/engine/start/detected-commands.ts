import type { Plan } from '../../domain/plan/plan.ts';
import { detectedHarm, unseenHarm } from '../../domain/plan/trust.ts';
import { detectTools } from '../../gates/detect/detect-tools.ts';
import { scriptsBehind } from '../../gates/found/behind-command.ts';
import { findsCommand } from '../../gates/found/found-command.ts';
import type { Project } from '../../ports/project.ts';
import { workedIn } from '../step/worked.ts';

const READ_LIMIT = 256 * 1024;

/**
 * The test commands that gates of a plan would find in the project as it is, each with the scripts it runs, and the gates
 * that find none yet: nobody wrote these commands into the plan, and they are started all the same.
 */
export async function detectedHarms(
  { phases, workspace }: Plan,
  project: Pick<Project, 'match' | 'read' | 'fromTop'>,
): Promise<string[]> {
  const detecting = phases.filter(({ gates }) => gates.some(findsCommand));
  if (detecting.length === 0) return [];
  if (workspace.mode !== 'repo') return detecting.map(({ id }) => unseenHarm(id));
  const worked = await workedIn(project, workspace);
  if (worked === undefined) return detecting.map(({ id }) => unseenHarm(id));
  const look = { paths: await worked.match('**/*'), read: (path: string) => worked.read(path, READ_LIMIT) };
  const { test } = await detectTools(look);
  if (test === undefined) return detecting.map(({ id }) => unseenHarm(id));
  const scripts = await scriptsBehind(test, look);
  return detecting.map(({ id }) => detectedHarm(id, test, scripts));
}

import type { LinkedSource } from '../../approval/linked-files.ts';
import { definitionPlaces } from '../../approval/make-question.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { projectFiles } from '../../engine/step/question-source.ts';
import type { Before } from '../../ports/pinned-project.ts';
import type { Project } from '../../ports/project.ts';
import { count } from '../../report/words/count.ts';
import { oneLine } from '../../text/sanitise.ts';

const LIMIT = 1024 * 1024;
const NAMED = 5;
/** What judges go by beside the definition of their type. */
const SETTINGS = ['helix.yaml', 'config/approvals.yaml', 'config/llm-providers.yaml', 'AGENTS.md', 'CLAUDE.md'];

type Subject = { readonly type: string; readonly project: Project; readonly before: LinkedSource };

/** The files judges go by that lie there otherwise than they are used. */
export async function ignoredEdits({ type, project, before }: Subject): Promise<string[]> {
  const folder = `approvals/${type}`;
  const linked = [...(await placesIn(before, type)), ...(await placesIn(projectFiles(project), type))];
  const own = new Set([...(await before.list(folder)), ...(await project.match(`${folder}/**`)), ...linked]);
  const edited: string[] = [];
  for (const path of [...SETTINGS, ...[...own].sort()]) {
    if ((await textIn(project, path)) !== (await textIn(before, path))) edited.push(path);
  }
  return edited;
}

/** The sentence about them. */
export function ignoredText(edited: readonly string[], commit: string): string {
  const names = edited.slice(0, NAMED).map((path) => oneLine(path, 200));
  const more = edited.length > NAMED ? ` and ${edited.length - NAMED} more` : '';
  const are = edited.length === 1 ? 'is' : 'are';
  return `using ${names.join(', ')}${more} from ${commit}; ${count(edited.length, 'later edit')} ${are} ignored`;
}

/** What is wrong with a link is said where a judge is asked. */
async function placesIn(source: LinkedSource, type: string): Promise<string[]> {
  try {
    return [...(await definitionPlaces(type, source)).values()];
  } catch (error) {
    if (error instanceof HelixError && (error.code === 'config' || error.code === 'io')) return [];
    throw error;
  }
}

/** A file that cannot be read is another one than any that can. */
async function textIn(source: Pick<Before, 'read'>, path: string): Promise<string | symbol | undefined> {
  try {
    return await source.read(path, LIMIT);
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return Symbol(path);
    throw error;
  }
}

import { readStable } from '../../adapters/disk/read-stable.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Answer } from '../../domain/ladder/answer.ts';
import { answerFrom, parseUserDecision } from '../../engine/ladder/user-decision.ts';
import type { World } from '../../ports/world.ts';
import { USER_DECISION_BYTES } from '../../report/words/run-paths.ts';
import { projectOption } from '../call/open-project.ts';
import { treeOf } from '../human/attend-all.ts';

/** The answer in a user-decision.json that `--file` names. */
export async function answerInFile(
  path: string,
  { world, state, request }: { readonly world: World; readonly state: RunState; readonly request: RequestState },
): Promise<Answer> {
  const document = parseUserDecision(textOf(path), path);
  const named = document.request ?? request.id;
  if (named !== request.id) {
    throw new HelixError('usage', `${path} answers ${named}, not ${request.id}`, {
      hint: `Answer that one with: helix decide ${named} --file ${path}${projectOption(world.project.dir)}`,
    });
  }
  return answerFrom(document, { state, phase: request.phase, tree: (id) => treeOf(world, state, id) });
}

function textOf(path: string): string {
  try {
    const found = readStable(path, USER_DECISION_BYTES);
    if (found === undefined) throw new Error('there is no plain file there, and links are not followed');
    return found.content.toString('utf8');
  } catch (error) {
    throw new HelixError('usage', `${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

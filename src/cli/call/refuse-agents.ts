import { homedir } from 'node:os';
import { directoriesIn, starterOfAgent } from '../../adapters/programs/started-by-agent.ts';
import { isSameState, knowsProject, stateDirectory } from '../../adapters/secrets/trust-store.ts';
import { HelixError } from '../../domain/helix-error.ts';

/**
 * Refuses a command of the user's to what an agent or gate of a run has started, where it would act on the user's state or on a project
 * they trusted: else agents could answer, trust and spend in their name. Throws HelixError `usage`.
 */
export function refuseAgents(command: string, words: readonly string[]): void {
  const starter = starterOfAgent(process.env);
  if (starter === undefined) return;
  const theirs = stateDirectory(starter, starter.HOME);
  const isOwn = !isSameState(stateDirectory(process.env, homedir()), theirs);
  if (isOwn && !directoriesIn(words, process.cwd()).some((dir) => knowsProject(theirs, dir))) return;
  throw new HelixError('usage', `helix ${command} is for people, and an agent or gate of a run has started this one`, {
    hint: 'Nothing was done. Call it from a terminal of your own; what an agent needs to know stands in its brief.',
  });
}

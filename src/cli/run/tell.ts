import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import { isTask } from '../../engine/start/require-task.ts';
import type { World } from '../../ports/world.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { phaseOf } from '../call/find-phase.ts';
import { pickRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf, projectOption } from '../call/open-project.ts';

const LONGEST = 8 * 1024;

/** `helix tell` */
export const tell: Command = {
  usage: 'tell <run> [phase] "<words>"',
  about: `Says something to the agents of a run in flight. It becomes a fact of the journal and is delivered with the next brief of the
phase, or of every phase that is not accepted yet, under "What a human decided". An attempt under way does not hear it, it
answers no question and approves nothing. Judges are never told.`,
  positionals: { min: 2, max: 3 },
  options: { dir: DIR_OPTION },
  examples: [
    'helix tell 20261115-1a2b3c4d "keep the old option, too"',
    'helix tell 20261115-1a2b3c4d 02-developer "the API is frozen"',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const [wanted, second = '', third] = call.positionals;
    const words = checked(third ?? second);
    const run = await pickRun(world, wanted);
    const told = await tellRun(world, run, { words, ...(third !== undefined && { phase: second }) });
    call.terminal.err(`${toldWords(told)}\n`);
    const open = openRequests(told.state);
    if (open.length > 0) {
      const at = projectOption(world.project.dir);
      call.terminal.err(`this answers no question; ${open.length} waiting: helix decide ${open[0]?.id}${at}\n`);
    }
    return EXIT.passed;
  },
};

/** Who will be told, and the state of their run. */
export type Told = { readonly phases: readonly string[]; readonly state: RunState };

/** Says something to a phase of a run or, where none is named, to all that are not accepted yet; throws HelixError `usage` where nobody would hear it. */
export async function tellRun(
  world: World,
  run: string,
  said: { readonly words: string; readonly phase?: string },
): Promise<Told> {
  const words = checked(said.words);
  let phases: readonly string[] = [];
  const state = await addFact(world, run, (before) => {
    phases = addressees(before, said.phase);
    return { type: 'guidance_given', data: { phases: [...phases], words, actor: world.actor } };
  });
  return { phases, state };
}

/** What becomes of words that were said. */
export function toldWords({ phases, state }: Told): string {
  const busy = phases.filter((id) => state.phases.get(id)?.current?.stage === 'open');
  const now = busy.length === 0 ? '' : `; the attempt of ${busy.join(', ')} under way does not hear it`;
  return `${phases.join(', ')} will be told with the next attempt${now}`;
}

function checked(text: string): string {
  const words = sanitise(text).trim();
  if (!isTask(words)) throw new HelixError('usage', 'there is nothing to tell', { hint: `Usage: helix ${tell.usage}` });
  if (Buffer.byteLength(words) <= LONGEST) return words;
  throw new HelixError('usage', `the words are longer than ${LONGEST / 1024} KB, which no brief has room for`, {
    hint: 'Put long material into a file of the project and name it.',
  });
}

/** The phases whose agents will read it; throws where nobody would. */
function addressees({ run, plan, phases, ended }: RunState, wanted: string | undefined): string[] {
  if (ended !== undefined) {
    throw new HelixError('usage', `run ${run} has ended (${ended.status}), so nobody would hear it`, {
      hint: `See what came of it: helix status ${run}`,
    });
  }
  const isOpen = (id: string) => phases.get(id)?.accepted === undefined && phases.get(id)?.status !== 'skipped';
  if (wanted === undefined) {
    const open = plan.phases.filter((phase) => !isJudge(phase) && isOpen(phase.id)).map(({ id }) => id);
    if (open.length > 0) return open;
    throw new HelixError('usage', `all work of run ${run} is accepted, so nobody would hear it`);
  }
  const phase = phaseOf(plan, wanted);
  if (isJudge(phase)) {
    throw new HelixError('usage', `${wanted} judges the work of others, and judges are told by nobody what to think`, {
      hint: 'Tell the phase that makes the work.',
    });
  }
  if (isOpen(wanted)) return [wanted];
  throw new HelixError('usage', `${wanted} is accepted, so nobody would hear it`, {
    hint: 'Tell a phase that is still to come, or leave the phase out.',
  });
}

import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { decisionOf } from '../../domain/ladder/answer.ts';
import { notifyHarm } from '../../domain/plan/trust.ts';
import { replay } from '../../domain/run/evolve.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import { Messenger } from '../../engine/ladder/messenger.ts';
import type { WaitingRow } from '../../ports/journal.ts';
import type { HeardAnswer } from '../../ports/notifier.ts';
import type { World } from '../../ports/world.ts';

/** A command has something else to do, so that nobody is waited for longer than that. */
const PATIENCE_MS = 5000;

/**
 * Does for a run that nobody works on what its own process would do: tells people of open questions they have not been told of,
 * and takes the answers that have come. Resolves to those answers.
 */
export async function deliverPending(
  world: World,
  run: string,
  onNotice: (text: string) => void,
): Promise<readonly HeardAnswer[]> {
  const journal = await world.journal();
  const state = replay(await journal.read(run));
  if (state === undefined || state.notify.length === 0 || openRequests(state).length === 0) return [];
  if ((await journal.owner(run)) !== undefined || !(await isTrusted(world, state))) return [];
  const messenger = new Messenger({
    notifier: await world.notifier(),
    clock: world.clock,
    record: (think) => addFact(world, run, think),
    redact: world.secrets(Object.values(state.agents)).redact,
    onNotice,
    retry: false,
  });
  await messenger.look(state);
  const taken: HeardAnswer[] = [];
  for (const answer of await messenger.close(PATIENCE_MS)) {
    if (await isTaken(world, run, { answer, onNotice })) taken.push(answer);
  }
  return taken;
}

/** More runs than that wait only where nobody looks after them, and no command should take its time for them all. */
const RUNS = 20;

/** The same for the runs that asked last, but for the one that the command goes on with anyway. */
export async function deliverAll(
  world: World,
  rows: readonly WaitingRow[],
  { going, onNotice }: { readonly going?: string | undefined; readonly onNotice: (text: string) => void },
): Promise<readonly HeardAnswer[]> {
  const told = rows.filter(({ notify }) => notify);
  const newest = told.toSorted((a, b) => (a.askedAt < b.askedAt ? 1 : -1)).map(({ run }) => run);
  const runs = [...new Set(newest)].filter((run) => run !== going).slice(0, RUNS);
  return (await Promise.all(runs.map((run) => deliverPending(world, run, onNotice)))).flat();
}

/** A journal may have come with somebody else's files, and what is in it starts programs. */
async function isTrusted(world: World, { notify }: RunState): Promise<boolean> {
  const trusted = await (await world.trust()).trusted(world.project.dir);
  return notify.every((settings) => trusted?.includes(notifyHarm(settings)));
}

type Heard = { readonly answer: HeardAnswer; readonly onNotice: (text: string) => void };

async function isTaken(world: World, run: string, { answer, onNotice }: Heard): Promise<boolean> {
  const { actor, ...said } = answer;
  try {
    await addFact(world, run, (state) => decisionOf(state, said, actor));
    return true;
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'usage') throw error;
    onNotice(`${answer.request} stays open, whatever ${actor} said: ${error.message}`);
    return false;
  }
}

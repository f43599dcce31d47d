import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { RunRow } from '../../ports/journal.ts';
import type { World } from '../../ports/world.ts';

/** A run with everything known about it. */
export type OpenRun = { readonly state: RunState; readonly events: readonly RunEvent[]; readonly owned: boolean };

/** The id of the run a command is about: by id or unique beginning, else the newest that fits. */
export async function pickRun(
  world: World,
  wanted: string | undefined,
  fits: (row: RunRow) => boolean = () => true,
): Promise<string> {
  const rows = world.hasJournal() ? await (await world.journal()).list() : [];
  if (rows.length === 0) {
    const command = (await hasBeginning(world)) ? 'helix run' : 'helix do "what you want changed"';
    throw new HelixError('not_found', `there is no run in ${world.project.dir} yet`, { hint: `Start one: ${command}` });
  }
  if (wanted === undefined) return (rows.find(fits) ?? rows[0])?.run ?? '';
  const found = rows.filter((row) => row.run === wanted || row.run.startsWith(wanted));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new HelixError(
      'not_found',
      found.length === 0 ? `there is no run ${wanted}` : `${wanted} could be ${found.length} runs`,
      {
        hint: 'List the runs: helix list',
      },
    );
  }
  return only.run;
}

/** What `helix run` begins with; without any of these it refuses. */
const BEGINNINGS = ['phases.yaml', 'phases/01-consultant/output/phases.yaml', 'state.json', 'request.md'];

/** Tells whether a project has anything of its own that `helix run` could begin with. */
export async function hasBeginning({ project }: World): Promise<boolean> {
  const found = await Promise.all(BEGINNINGS.map((path) => project.match(path)));
  return found.some((paths) => paths.length > 0);
}

/** Reads a run and whether somebody is working on it. */
export async function readRun(world: World, run: string): Promise<OpenRun> {
  const journal = await world.journal();
  const events = await journal.read(run);
  const state = replay(events);
  if (state === undefined) throw new HelixError('journal', `run ${run} has no facts`);
  return { state, events, owned: (await journal.owner(run)) !== undefined };
}

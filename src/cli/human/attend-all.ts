import { statSync } from 'node:fs';
import type { RunState } from '../../domain/facts/run-state.ts';
import { isSilence } from '../../domain/ladder/direction.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import { Attendant, type AttendPorts } from '../../engine/ladder/attend.ts';
import type { Tree } from '../../ports/tree.ts';
import type { World } from '../../ports/world.ts';
import { sanitise } from '../../text/sanitise.ts';
import { readRun } from '../call/find-run.ts';
import { projectOption } from '../call/open-project.ts';
import type { Terminal } from '../call/terminal.ts';
import type { deliverAll } from './deliver-pending.ts';

/**
 * Takes up what has come in for the open questions of all runs: answers laid down as files or given from afar, and deadlines that
 * have passed; and tells those who have not been told. `going` is the run that the command goes on with anyway.
 * Resolves to how many questions are open then.
 */
export async function attendAll(world: World, terminal: Terminal, going?: string): Promise<number> {
  if (!world.hasJournal()) return 0;
  const journal = await world.journal();
  const rows = await journal.waiting();
  if (rows.length === 0) return 0;
  const ports = portsOf(world, terminal);
  const heard = rows.some(({ notify }) => notify) ? await fromAfar(world, rows, { going, onNotice: ports.notice }) : [];
  const taken = [...heard, ...(await new Attendant(ports).look(rows)).map(({ data }) => data)];
  const runs = new Map(rows.map(({ request, run }) => [request, run]));
  for (const { request, option, actor } of taken) {
    const run = runs.get(request) ?? '';
    const why = isSilence({ actor }) ? 'nobody answered in time' : `answered by ${actor}`;
    const owned = run === going || (await journal.owner(run)) !== undefined;
    const next = owned ? '' : `; go on with: helix resume ${run}${projectOption(world.project.dir)}`;
    terminal.err(`${sanitise(`${request}: ${why}, so ${option} is taken${next}`)}\n`);
  }
  return rows.length - taken.length;
}

/** What tells people elsewhere and hears them is loaded only where there is somebody. */
async function fromAfar(...told: Parameters<typeof deliverAll>): ReturnType<typeof deliverAll> {
  return (await import('./deliver-pending.ts')).deliverAll(...told);
}

function portsOf(world: World, terminal: Terminal): AttendPorts {
  return {
    now: () => world.clock.now(),
    writtenAt: (run, path) => writtenAt(`${world.project.dir}/.helix/runs/${run}/${path}`),
    read: async (run, path, limit) => (await world.files(run)).read(path, limit),
    state: async (run) => (await readRun(world, run)).state,
    tree: (state, id) => treeOf(world, state, id),
    journal: () => world.journal(),
    record: async (run, make) => {
      let made: ReturnType<typeof make>;
      await addFact(world, run, (state) => {
        made = make(state);
        return made;
      });
      return made;
    },
    actor: world.actor,
    notice: (text) => terminal.err(`${terminal.paint('warn', sanitise(text))}\n`),
  };
}

/** In one call of the system for each question: with thousands of them all else takes longer than that. */
function writtenAt(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ctimeMs;
  } catch (error) {
    // What cannot be looked at is told of by whoever reads it.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return 0;
  }
}

/** A frozen tree of a run that somebody else may be working on: only read, never laid out. */
export async function treeOf(world: World, state: RunState, id: string): Promise<Tree> {
  const { scopeOf } = await import('../../engine/run.ts');
  return (await world.workspace(scopeOf(state))).tree(id);
}

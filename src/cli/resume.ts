import { resumeRun } from '../engine/run.ts';
import { accompany, WAIT_OPTION } from './accompany.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { pickRun } from './find-run.ts';
import { DIR_OPTION, openWorldOf } from './open-project.ts';
import { requireTrustOfRun } from './require-trust.ts';
import { budgetOption } from './run.ts';

/** `helix resume` */
export const resume: Command = {
  usage: 'resume [run] [options]',
  about: `Goes on with a run from its journal: what was accepted stays, what was cut short is done again in a clean directory.
Without a run it takes the newest unfinished one; a finished one prints its outcome.`,
  positionals: { min: 0, max: 1 },
  options: {
    budget: { type: 'string', value: 'USD', help: 'what the run may spend in all: 5, or 60min, or 20attempts' },
    script: { type: 'string', value: 'FILE', help: 'what the scripted agent says and does' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    wait: WAIT_OPTION,
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: ['helix resume', 'helix resume 20261115-1a2b3c4d', 'helix resume --budget 20'],
  run: async (call) => {
    const world = openWorldOf(call);
    const budget = budgetOption(call);
    const id = await pickRun(world, call.positionals[0], (row) => row.status === 'open');
    await requireTrustOfRun(world, id, call.flag('trust'));
    return accompany(call, world, (company) =>
      resumeRun(world, id, { ...company, ...(budget !== undefined && { budget }) }),
    );
  },
};

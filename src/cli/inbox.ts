import { replay } from '../domain/evolve.ts';
import { openRequests, type RunState } from '../domain/run-state.ts';
import { renderJson } from '../report/json.ts';
import { inboxDocument } from '../report/run-document.ts';
import { renderTime } from '../report/time.ts';
import { oneLine } from '../text/sanitise.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import { DIR_OPTION, openWorldOf } from './open-project.ts';

/** `helix inbox` */
export const inbox: Command = {
  usage: 'inbox [--json]',
  about: 'The questions that wait for a human, over all runs of this project.',
  positionals: { min: 0, max: 0 },
  options: { dir: DIR_OPTION, json: JSON_OPTION },
  examples: ['helix inbox', 'helix inbox --json'],
  run: async (call) => {
    const world = openWorldOf(call);
    const journal = world.hasJournal() ? await world.journal() : undefined;
    const waiting = (await journal?.list())?.filter((row) => row.status === 'open' && row.openRequests > 0) ?? [];
    const states: RunState[] = [];
    for (const { run } of waiting) {
      const state = replay((await journal?.read(run)) ?? []);
      if (state !== undefined) states.push(state);
    }
    const { terminal } = call;
    if (call.flag('json')) terminal.out(renderJson(inboxDocument(states)));
    else if (states.length === 0) terminal.err('nothing waits for you\n');
    else
      for (const state of states)
        for (const request of openRequests(state)) {
          terminal.out(
            `${terminal.paintOut('strong', request.id)}  ${renderTime(request.askedAt)}\n  ${oneLine(request.question, 2000)}\n`,
          );
          for (const { id, description } of request.options) terminal.out(`    ${id}  ${oneLine(description)}\n`);
          terminal.out(`  helix decide ${request.id} ${request.options[0]?.id ?? ''}\n`);
        }
    return EXIT.passed;
  },
};

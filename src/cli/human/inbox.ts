import { inboxDocument } from '../../report/run/run-document.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { DIR_OPTION, openWorldOf, projectOption } from '../call/open-project.ts';
import { attendAll } from './attend-all.ts';
import { renderOpenRequest } from './inbox-text.ts';

const SHOWN = 50;

/** `helix inbox` */
export const inbox: Command = {
  usage: 'inbox [--all] [--json]',
  about: `The questions that wait for a human, over all runs of this project, newest first; of more than ${SHOWN} the newest.`,
  positionals: { min: 0, max: 0 },
  options: { all: { type: 'boolean', help: 'show all of them, however many' }, dir: DIR_OPTION, json: JSON_OPTION },
  examples: ['helix inbox', 'helix inbox --all', 'helix inbox --json'],
  run: async (call) => {
    const { terminal } = call;
    const world = openWorldOf(call);
    const open = await attendAll(world, terminal);
    const journal = world.hasJournal() ? await world.journal() : undefined;
    const whole = call.flag('json') || call.flag('all');
    const questions = (await journal?.questions(whole ? undefined : SHOWN)) ?? [];
    if (call.flag('json')) terminal.out(renderJson(inboxDocument(questions)));
    else if (questions.length === 0) terminal.err('nothing waits for you\n');
    else {
      const at = projectOption(world.project.dir);
      const view = { now: world.clock.now(), at, width: terminal.columns(), paint: terminal.paintOut };
      for (const { request } of questions) terminal.out(`${renderOpenRequest(request, view)}\n`);
      const more = open - questions.length;
      if (more > 0) terminal.out(`and ${more} more: helix inbox --all${at}, or helix inbox --json${at}\n`);
    }
    return EXIT.passed;
  },
};

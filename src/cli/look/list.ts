import { type ListedRun, listRuns } from '../../engine/list-runs.ts';
import { pad } from '../../report/words/columns.ts';
import { renderJson } from '../../report/words/json.ts';
import { renderTime } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { attendAll } from '../human/attend-all.ts';

/** `helix list` */
export const list: Command = {
  usage: 'list [--json]',
  about: 'The runs of this project, newest first.',
  positionals: { min: 0, max: 0 },
  options: { dir: DIR_OPTION, json: JSON_OPTION },
  examples: ['helix list', 'helix list --json'],
  run: async (call) => {
    const world = openWorldOf(call);
    await attendAll(world, call.terminal);
    const runs = await listRuns(world);
    if (call.flag('json')) call.terminal.out(renderJson({ schema: 'helix.list/1', runs }));
    else if (runs.length === 0) call.terminal.err('no run yet; start one: helix run\n');
    for (const each of call.flag('json') ? [] : runs) {
      call.terminal.out(`${each.run}  ${pad(each.status, 11)}  ${renderTime(each.startedAt)}  ${whatOf(each)}\n`);
    }
    return EXIT.passed;
  },
};

/** Of a `helix do` its task and branch: the repository is the same for all of them. */
function whatOf({ project, task, branch }: ListedRun): string {
  if (task === undefined) return oneLine(project, 60);
  return `${oneLine(task, 40)}${branch === undefined ? '' : `  ${oneLine(branch, 60)}`}`;
}

import { say, use } from './loopback/answer.ts';
import type { Scenario } from './loopback-model.ts';

/** Long, and not one of the commands that are refused for being so. */
const FOREVER = `sh -c 'tail -f /dev/null & tail -f /dev/null' "$PWD" >/dev/null 2>&1`;

/** A model whose agent starts processes that fork and leave their session, takes a moment and writes out.txt. */
export const FORKING = scenario(`setsid ${FOREVER} & nohup ${FOREVER}`);

/** As before, and one of them clears its environment, so that only walls can hold it. */
export const HIDING = scenario(`setsid ${FOREVER} & env -i setsid ${FOREVER}`);

function scenario(forks: string): Scenario {
  return [
    use('Bash', { command: `${forks} & timeout 0.4 tail -f /dev/null; true` }),
    use('Write', { file_path: 'out.txt', content: 'done\n' }),
    say('Done.'),
  ];
}

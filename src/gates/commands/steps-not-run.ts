import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Look } from '../detect/place.ts';
import { scriptsBehind } from '../found/behind-command.ts';

const READ_LIMIT = 256 * 1024;
/** A step that is only run if the one before it passed: in a shell, or as lines of a recipe. */
const SEVERAL = /&&|\n\t[^\n]{1,1000}\n\t/;

/** Warns where a command that fails because of known failures has more steps: those after the tests may not have been run. */
export async function stepsNotRun(
  command: string | readonly string[],
  { tree }: { readonly tree: Tree },
): Promise<Finding[]> {
  const words = typeof command === 'string' ? command.split(/\s+/) : command;
  const written = [...(typeof command === 'string' ? [command] : []), ...(await scriptsBehind(words, lookAt(tree)))];
  const several = written.find((text) => SEVERAL.test(text));
  if (several === undefined) return [];
  return [
    {
      severity: 'warning',
      check: 'baseline',
      message: `tests fail as they did before, so what the command runs after them may not have been run: ${oneLine(several, 300)}`,
      hint: 'Give each step a gate of its own in the plan: baseline: true excuses known failures of tests, and nobody sees what comes after them.',
    },
  ];
}

/** A tree as detection looks at it. */
export function lookAt(tree: Tree): Look {
  return {
    paths: tree.files.map(({ path }) => path),
    read: async (path) => (await tree.read(path, READ_LIMIT))?.toString('utf8'),
  };
}

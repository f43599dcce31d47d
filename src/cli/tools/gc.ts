import { homedir } from 'node:os';
import { projectCache } from '../../adapters/disk/cache-directory.ts';
import { collectGarbage } from '../../adapters/gc/collect-garbage.ts';
import type { GcDocument } from '../../domain/documents/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderGc } from '../../report/words/gc-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DEFAULT_AGE = '30d';

/** `helix gc` */
export const gc: Command = {
  usage: 'gc [--older-than 30d] [--dry-run] [--branches] [--json]',
  about: `Clears up: ends processes, and removes worktrees, copies, indexes and locks that were left when something was killed;
removes runs that ended long ago with all that belongs to them, and installed dependencies nobody has used since. The
branch with a run's result is deleted only once it is merged, or with --branches. Nothing of a run that somebody works
on is touched, no run that has not ended is removed, and files of yours in .helix/aside are only named.`,
  positionals: { min: 0, max: 0 },
  options: {
    'older-than': {
      type: 'string',
      value: 'AGE',
      help: `what is old, such as 12h, 30d or 8w (default ${DEFAULT_AGE})`,
    },
    'dry-run': { type: 'boolean', help: 'only tell what would be removed' },
    branches: { type: 'boolean', help: 'delete the branches of old runs although they are not merged' },
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: ['helix gc', 'helix gc --dry-run', 'helix gc --older-than 1w --branches'],
  run: async (call) => {
    const world = openWorldOf(call);
    const dryRun = call.flag('dry-run');
    const options = { olderThanMs: ageOption(call), dryRun, branches: call.flag('branches') };
    const cache = projectCache(world.project.dir, process.env, homedir());
    const { removed, kept } = await collectGarbage(world, cache, options);
    const freedBytes = removed.reduce((total, { bytes }) => total + bytes, 0);
    const document: GcDocument = { schema: 'helix.gc/1', dryRun, freedBytes, removed, kept };
    const { terminal } = call;
    terminal.out(call.flag('json') ? renderJson(document) : renderGc(document, terminal.paintOut));
    return EXIT.passed;
  },
};

function ageOption(call: Call): number {
  const text = call.text('older-than') ?? DEFAULT_AGE;
  const [, number, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const ms = UNITS[unit];
  if (number !== undefined && ms !== undefined) return Number(number) * ms;
  throw new HelixError('usage', `--older-than takes an age such as 12h, 30d or 8w, not ${JSON.stringify(text)}`);
}

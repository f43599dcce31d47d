import { channelsOf } from '../../domain/plan/notify-settings.ts';
import { normalisePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { LoadedSettings } from '../read/load-settings.ts';
import type { ProjectFiles } from '../read/project-files.ts';
import type { FindProgram } from './check-commands.ts';

/** Checks the channels of helix.yaml: that each has a name of its own, and that the programs they need are there. */
export async function checkNotify(
  { settings: { notify = [] }, findings }: LoadedSettings,
  { files, findProgram }: { readonly files: ProjectFiles; readonly findProgram: FindProgram },
): Promise<void> {
  const names = new Set<string>();
  for (const [index, { name, settings }] of channelsOf(notify).entries()) {
    if (names.has(name)) {
      const message = `two channels are called "${name}"`;
      findings.error(['notify', index], { check: 'duplicate-name', message, hint: 'give one of them another name' });
    }
    names.add(name);
    if ('webhook' in settings && URL.parse(settings.webhook)?.username) {
      const hint = 'keep the whole address in a variable: webhook: $NAME';
      findings.error(['notify', index, 'webhook'], { check: 'login', message: 'the address has a login in it', hint });
    }
    const program = 'command' in settings ? settings.command[0] : 'github' in settings ? 'gh' : undefined;
    if (program === undefined || (await isThere(program, { files, findProgram }))) continue;
    // Only a warning: the run itself does without it, and whoever is at the keyboard sees the question.
    findings.warning('github' in settings ? ['notify', index, 'github'] : ['notify', index, 'command', 0], {
      check: 'missing-command',
      message: `the program "${oneLine(program, 80)}" was not found`,
      hint: 'github' in settings ? 'install the GitHub command line' : 'install it, or mend the name',
    });
  }
}

async function isThere(
  program: string,
  { files, findProgram }: { readonly files: ProjectFiles; readonly findProgram: FindProgram },
): Promise<boolean> {
  if (!program.includes('/') || program.startsWith('/')) return (await findProgram(program)) !== undefined;
  const { found, problem } = await files.find(normalisePath(program));
  return found || problem !== undefined;
}

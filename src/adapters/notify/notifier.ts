import type { Notifier } from '../../ports/notifier.ts';
import { ringBell } from './bell.ts';
import { GitHub } from './github.ts';
import { type Programs, startCommand } from './start-command.ts';
import { postWebhook } from './webhook.ts';

/** The ways to people from this machine. */
export function openNotifier(programs: Programs): Notifier {
  return {
    tell: async (settings, notice, signal) => {
      if ('bell' in settings) return ringBell();
      if ('webhook' in settings) await postWebhook(settings, notice.document, signal);
      else if ('command' in settings) await startCommand(settings.command, notice.document, { programs, signal });
      else await new GitHub(settings.github, programs).tell(notice, signal);
      return true;
    },
    hear: async (settings, told, signal) =>
      'github' in settings ? new GitHub(settings.github, programs).hear(told, signal) : { answers: [], ignored: [] },
  };
}

import { isGuard } from '../../domain/plan/trust-guards.ts';
import { harmsOf } from '../../engine/start/prepare-run.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { load, refuseErrors } from '../call/load.ts';
import { openWorldOf } from '../call/open-project.ts';

/** `helix trust` */
export const trust: Command = {
  usage: 'trust [dir]',
  about: `Shows what a plan could do to your machine (commands, agents, environment, network) and trusts exactly that. When any
of it changes, HELIX asks again.`,
  positionals: { min: 0, max: 1 },
  options: {},
  examples: ['helix trust', 'helix trust ../other-project'],
  run: async (call) => {
    const world = openWorldOf(call, call.positionals[0]);
    const loaded = await load(world);
    const plan = refuseErrors(loaded, call.terminal);
    const { agents, settings, escalation } = loaded;
    const creator = settings.roles?.creator ?? 'default';
    const lines = await harmsOf({ plan, agents, settings, escalation, creator }, world.project);
    const before = await (await world.trust()).trusted(world.project.dir);
    await (await world.trust()).trust(world.project.dir, lines);
    const { terminal } = call;
    // What looks at the work wants nothing; it is shown where it is gone.
    const wanted = lines.filter((line) => !isGuard(line));
    for (const line of wanted)
      terminal.out(`${before?.includes(line) ? ' ' : terminal.paintOut('warn', '+')} ${line}\n`);
    for (const line of before ?? [])
      if (!lines.includes(line)) terminal.out(`${terminal.paintOut('dim', '-')} ${line}\n`);
    terminal.err(
      wanted.length === 0 ? 'this plan wants nothing that needs trust\n' : `trusted: ${world.project.dir}\n`,
    );
    return EXIT.passed;
  },
};

import { HelixError } from '../../domain/helix-error.ts';
import { isProtection, lostProtections } from '../../domain/plan/trust.ts';
import { harmsOf, type Wanting } from '../../engine/start/prepare-run.ts';
import { refuseSecrets } from '../../engine/start/refuse-secrets.ts';
import type { World } from '../../ports/world.ts';
import { readRun } from './find-run.ts';

/** Lets a run go on only if the user trusted all that it could do; `grant` remembers it as trusted. */
export async function requireTrust(world: World, prepared: Wanting, grant: boolean): Promise<void> {
  // What is trusted is written down as well.
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const lines = await harmsOf(prepared, world.project);
  if (grant) return (await world.trust()).trust(world.project.dir, lines);
  const trusted = await (await world.trust()).trusted(world.project.dir);
  const fresh = [
    ...lines.filter((line) => !isProtection(line) && !trusted?.includes(line)).map((line) => `+ ${line}`),
    ...lostProtections(trusted ?? [], lines).map((line) => `- ${line}`),
  ];
  if (fresh.length === 0) return;
  const what =
    trusted === undefined
      ? 'you have not trusted this project yet; it wants'
      : 'since you trusted it, this project also wants';
  throw new HelixError('not_trusted', `${what}:\n${fresh.map((line) => `  ${line}`).join('\n')}`, {
    hint: 'If you know these are harmless, say so once with helix trust, or with --trust where a command has it.',
  });
}

/** The same for a run that was started before: its journal may have come with somebody else's files. */
export async function requireTrustOfRun(world: World, run: string, grant: boolean): Promise<void> {
  const { state } = await readRun(world, run);
  if (state.ended !== undefined) return;
  const settings = { ...state.isolation, notify: [...state.notify] };
  await requireTrust(world, { ...state, settings }, grant);
}

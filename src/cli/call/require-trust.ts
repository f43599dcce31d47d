import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { isProtection, lostBeside, lostProtections } from '../../domain/plan/trust.ts';
import { scopeOf } from '../../engine/run.ts';
import { harmsIn, withPlainEnds } from '../../engine/start/detected-commands.ts';
import { harmsOf, type Wanting } from '../../engine/start/prepare-run.ts';
import { refuseSecrets } from '../../engine/start/refuse-secrets.ts';
import { lookAt } from '../../gates/commands/steps-not-run.ts';
import type { World } from '../../ports/world.ts';
import { readRun } from './find-run.ts';

/**
 * Lets a run go on only if the user trusted all that it could do; `grant` remembers it as trusted. `found` is what its gates
 * find where the run began, in place of what they would find in the checkout; `lostOf` says what is missed.
 */
export async function requireTrust(
  world: World,
  prepared: Wanting,
  grant: boolean,
  { found, lostOf = lostProtections }: { found?: readonly string[] | undefined; lostOf?: typeof lostProtections } = {},
): Promise<void> {
  // What is trusted is written down as well.
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const lines = await harmsOf(prepared, world.project, found);
  if (grant) return (await world.trust()).trust(world.project.dir, lines);
  const trusted = await (await world.trust()).trusted(world.project.dir);
  const known = new Set(trusted?.map(withPlainEnds));
  const fresh = [
    ...lines.filter((line) => !isProtection(line) && !known.has(withPlainEnds(line))).map((line) => `+ ${line}`),
    ...lostOf(trusted ?? [], lines).map((line) => `- ${line}`),
  ];
  if (fresh.length === 0) return;
  const what =
    trusted === undefined
      ? 'you have not trusted this project yet; it wants'
      : 'since you trusted it, this project also wants';
  throw new HelixError('not_trusted', `${what}:\n${fresh.map((line) => `  ${line}`).join('\n')}`, {
    hint:
      found === undefined
        ? 'If you know these are harmless, say so once with helix trust, or with --trust where a command has it.'
        : 'If you know these are harmless, say so once: --trust. What gates find is that of the commit the run began with.',
  });
}

/**
 * The same for a run that was started before, with its own plan or an edited one: its journal may have come with somebody
 * else's files.
 */
export async function requireTrustOfRun(world: World, run: string, grant: boolean, replan?: Wanting): Promise<void> {
  const { state } = await readRun(world, run);
  if (state.ended !== undefined) return;
  const wanting = replan ?? { ...state, settings: { ...state.isolation, notify: [...state.notify] } };
  const found = await foundAtBase(world, state, wanting);
  await requireTrust(world, wanting, grant, {
    found,
    ...(state.source.path === TASK_SOURCE && { lostOf: lostBeside }),
  });
}

/** What gates find where a run in a repository began: its own tree, whatever the checkout has become. */
async function foundAtBase(world: World, state: RunState, { plan }: Wanting): Promise<string[] | undefined> {
  if (state.base === undefined) return undefined;
  const workspace = await world.workspace(scopeOf(state));
  return harmsIn(lookAt(await workspace.tree(state.base.tree)), plan, state.source.path === TASK_SOURCE);
}

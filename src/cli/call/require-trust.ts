import type { RunState } from '../../domain/facts/run-state.ts';
import { isGrown } from '../../domain/growing/growth-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { isProtection, lostBeside, lostProtections, ofAnyPhase } from '../../domain/plan/trust.ts';
import { isGuard } from '../../domain/plan/trust-guards.ts';
import { present } from '../../domain/present.ts';
import { scopeOf } from '../../engine/run.ts';
import { foundInRun } from '../../engine/start/found-in-run.ts';
import { type Found, harmsOf, type Wanting } from '../../engine/start/prepare-run.ts';
import { refuseSecrets } from '../../engine/start/refuse-secrets.ts';
import { untrusted } from '../../engine/start/untrusted.ts';
import type { Trust } from '../../ports/trust.ts';
import type { World } from '../../ports/world.ts';
import { readableHarms } from '../../report/words/harm-lines.ts';
import { readRun } from './find-run.ts';

/**
 * Lets a run go on only if the user trusted all that it could do; `grant` remembers it as trusted. `found` is what lies where the
 * run began, in place of what lies in the checkout; `lostOf` says what is missed, `likeness` which lines are the same to it.
 */
export async function requireTrust(
  world: World,
  prepared: Wanting,
  grant: boolean,
  { found, lostOf = lostProtections, likeness }: Known = {},
): Promise<void> {
  // What is trusted is written down as well.
  refuseSecrets(prepared, world.secrets(Object.values(prepared.agents)));
  const lines = await harmsOf(prepared, world.project, found);
  const store = await world.trust();
  const { dir } = world.project;
  const isOfPlan = lostOf === lostProtections;
  // How another plan has its work looked at is nothing that this project's could lose.
  if (grant) return store.trust(dir, isOfPlan ? lines : lines.filter((line) => !isGuard(line)));
  const trusted = await store.trusted(dir);
  const fresh = untrusted(lines, trusted ?? [], { lostOf, ...present({ likeness }) });
  if (fresh.length === 0) return isOfPlan && found === undefined ? remember(store, dir, { trusted, lines }) : undefined;
  const what =
    trusted === undefined
      ? 'you have not trusted this project yet; it wants'
      : 'since you trusted it, this project also wants';
  throw new HelixError(
    'not_trusted',
    `${what}:\n${readableHarms(fresh)
      .map((line) => `  ${line}`)
      .join('\n')}`,
    {
      hint:
        found === undefined
          ? 'If you know these are harmless, say so once with helix trust, or with --trust where a command has it.'
          : 'If you know these are harmless, say so once: --trust. What gates find is that of the commit the run began with, and of its work since.',
    },
  );
}

/** What guards a trusted plan by now can be missed from now on. */
async function remember(
  store: Trust,
  dir: string,
  { trusted, lines }: { readonly trusted: readonly string[] | undefined; readonly lines: readonly string[] },
): Promise<void> {
  const more = lines.filter((line) => isProtection(line) && trusted?.includes(line) === false);
  if (trusted !== undefined && more.length > 0) await store.trust(dir, [...trusted, ...more].sort());
}

type Known = {
  readonly found?: Found | undefined;
  readonly lostOf?: typeof lostProtections;
  readonly likeness?: (line: string) => string;
};

/**
 * The same for a run that was started before, with its own plan or an edited one: its journal may have come with somebody
 * else's files.
 */
export async function requireTrustOfRun(world: World, run: string, grant: boolean, replan?: Wanting): Promise<void> {
  const { state } = await readRun(world, run);
  if (state.ended !== undefined) return;
  const settings = { ...state.isolation, notify: [...state.notify] };
  const wanting = replan ?? { ...state, plan: withoutLeave(state), settings };
  const found = await foundInRun(state, wanting.plan, await world.workspace(scopeOf(state)));
  await requireTrust(world, wanting, grant, {
    found,
    ...((state.source.path === TASK_SOURCE || hasGrown(state)) && { lostOf: lostBeside }),
    // What its plan has grown by was held against what it could do before, whichever phase did it.
    ...(hasGrown(state) && { likeness: ofAnyPhase }),
  });
}

/** What an agent declares for a phase is no leave to write it, what it says there is not said in the user's name, and skipping it loses nothing of theirs. */
function withoutLeave(state: RunState): RunState['plan'] {
  const { plan } = state;
  const phases = plan.phases.map((phase) => {
    if (!isGrown(phase.id, state)) return phase;
    const { description: _told, config, output, ...rest } = phase;
    const { description: _more, ...settings } = config;
    return { ...rest, config: settings, output: { ...output, files: [] }, optional: false };
  });
  return { ...plan, phases };
}

/** By what a grown plan is looked at, its user was asked when it grew. */
function hasGrown({ growths = [] }: RunState): boolean {
  return growths.some(({ added, changed, dropped }) => added.length + changed.length + dropped.length > 0);
}

import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MARKER_VARIABLE } from '../../adapters/programs/environment.ts';
import { runInForeground } from '../../adapters/programs/foreground.ts';
import { type LastTree, lastTree } from '../../domain/facts/last-tree.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { lostBeside } from '../../domain/plan/trust.ts';
import { scopeOf } from '../../engine/run.ts';
import type { World } from '../../ports/world.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Call, Command } from '../call/command.ts';
import { phaseOf, phaseStateOf } from '../call/find-phase.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { requireTrust } from '../call/require-trust.ts';
import { stoppable } from '../call/stop-signal.ts';
import { withVisit } from '../call/with-visit.ts';

/** `helix shell` */
export const shell: Command = {
  usage: 'shell <run> <phase> [options] [-- program args…]',
  about: `Opens your shell where a phase works, with what its last attempt has made and what set-up installs. In a repository it
is a worktree of its own, gone when you leave, so that a run can go on meanwhile; else it is phases/<id> itself, which
no run may be using. Nothing you do there is taken over. With a program after --, that runs instead of a shell, and its
exit code is passed on.`,
  positionals: { min: 2, max: Number.POSITIVE_INFINITY },
  options: {
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    dir: DIR_OPTION,
  },
  examples: [
    'helix shell 20261115-1a2b3c4d 02-write',
    'helix shell 20261115-1a2b3c4d tests -- npm test',
    'helix shell 20261115-1a2b3c4d tests -- git log --oneline',
  ],
  run: async (call) => {
    const [run, id = '', ...argv] = call.positionals;
    const world = openWorldOf(call);
    const { state } = await readRun(world, await pickRun(world, run));
    const last = lastTree(phaseStateOf(state, id));
    if (last === undefined) {
      throw new HelixError('not_found', `${id} in run ${state.run} has come to nothing yet`, {
        hint: `See how far it is: helix status ${state.run}`,
      });
    }
    const stay: Stay = { world, state, phase: phaseOf(state.plan, id), last, argv };
    return state.plan.workspace.mode === 'repo' ? inWorktree(call, stay) : inDirectory(call, stay);
  },
};

type Stay = {
  readonly world: World;
  readonly state: RunState;
  readonly phase: Phase;
  readonly last: LastTree;
  readonly argv: readonly string[];
};

async function inWorktree(call: Call, stay: Stay): Promise<number> {
  const { world, state, phase, last } = stay;
  await trusted(call, stay);
  return withVisit(world, { kind: 'shell', scope: scopeOf(state) }, async ({ workspace }) => {
    const { tree, inputs } = last;
    const { dir, dispose } = await stoppable((stop) => workspace.checkout(phase, tree, inputs, stop));
    try {
      greet(call, stay, [
        `in a worktree of its own: ${dir}`,
        'Nothing you do here is taken over; it is removed when you leave.',
      ]);
      return await open(stay, dir);
    } finally {
      await dispose();
    }
  });
}

/** Only set-up is started here; the rest of what the plan wants needs no trust for that. */
async function trusted(call: Call, { world, state }: Stay): Promise<void> {
  const wanting = { ...state, settings: {} };
  if (call.flag('trust')) return requireTrust(world, wanting, true);
  await requireTrust(world, { ...wanting, plan: { ...state.plan, phases: [] }, agents: {} }, false, {
    lostOf: lostBeside,
  });
}

async function inDirectory(call: Call, stay: Stay): Promise<number> {
  const { world, state, phase } = stay;
  const dir = join(world.project.dir, 'phases', phase.id);
  const leave = await (await world.workspace(scopeOf(state))).take();
  try {
    if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
      throw new HelixError('not_found', `${dir} is not there any more`, {
        hint: `See what it made: helix diff ${state.run} ${phase.id}`,
      });
    }
    greet(call, stay, [
      `in its own directory: ${dir}`,
      'This run takes over nothing you do here, its next attempt moves it to .helix/aside; no run works here meanwhile.',
    ]);
    return await open(stay, dir);
  } finally {
    await leave();
  }
}

function greet({ terminal }: Call, { state, phase, last, argv }: Stay, lines: readonly string[]): void {
  if (argv.length > 0) return;
  const [where = '', rest = ''] = lines;
  terminal.err(
    `attempt ${last.attempt} of ${phase.id} in run ${state.run}, ${sanitise(where)}\n${rest}\nLeave with: exit\n`,
  );
}

function open({ world, phase, last, argv }: Stay, cwd: string): Promise<number> {
  const own = process.env.SHELL ?? '';
  const env = {
    ...process.env,
    HELIX_PROJECT_DIR: world.project.dir,
    HELIX_PHASE: phase.id,
    HELIX_ATTEMPT: String(last.attempt),
    [MARKER_VARIABLE]: undefined,
  };
  return runInForeground(argv.length > 0 ? argv : [isAbsolute(own) ? own : '/bin/sh'], { cwd, env });
}

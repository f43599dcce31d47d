import type { UserRepository } from '../../adapters/repo/user/user-repository.ts';
import { openWorld } from '../../adapters/world.ts';
import { askedOnTop } from '../../domain/facts/asked-on-top.ts';
import { openRequests, type RunState, resultOf } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { decidedScope } from '../../domain/ladder/growth.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { requireShort } from '../../domain/request-limit.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Project } from '../../ports/project.ts';
import type { World } from '../../ports/world.ts';
import { count } from '../../report/words/count.ts';
import type { Call } from '../call/command.ts';

/** What a task goes on from: a run that came to a result, its branch and the newest commit there. */
export type EarlierTask = { readonly state: RunState; readonly branch: string; readonly commit: string };

/** Finds what `--again` goes on from; throws HelixError `usage` where there is nothing, or where others have changed it since. */
export async function findEarlier(call: Call, project: Project, user: UserRepository): Promise<EarlierTask> {
  for (const [option, why] of [
    ['branch', '--again goes on on the branch of the last one'],
    ['include-dirty', '--again begins with the last result, not with your checkout'],
  ] as const) {
    if (call.text(option) !== undefined || call.flag(option))
      throw new HelixError('usage', `${why}, so --${option} does not go with it`, { hint: 'Leave one of them out.' });
  }
  const world = openWorld(project);
  try {
    const earlier = await lastResult(world);
    await requireBranch(user, earlier);
    return earlier;
  } finally {
    world.close();
  }
}

/** The first task, how much of it was wanted, and all that was asked for on top of it, in order; throws HelixError `usage` where that is too long for a brief. */
export function requestAfter({ state }: EarlierTask, words: string): string {
  const all = askedOnTop(state.request ?? '', decidedScope(state), words);
  return requireShort(all, 'task together with all that it goes on from');
}

/** The commands that were to pass for the task before. */
export function checksOf({ state }: Pick<EarlierTask, 'state'>): string[] {
  const gates = state.plan.phases.flatMap((phase) => phase.gates).filter(({ type }) => type === 'custom');
  return [
    ...new Set(gates.flatMap(({ settings }) => (typeof settings.command === 'string' ? [settings.command] : []))),
  ];
}

async function lastResult(world: World): Promise<EarlierTask> {
  const journal = world.hasJournal() ? await world.journal() : undefined;
  for (const { run } of (await journal?.list()) ?? []) {
    const state = replay((await journal?.read(run)) ?? []);
    if (state?.source.path !== TASK_SOURCE) continue;
    if (state.ended === undefined) throw notEnded(state);
    const result = resultOf(state);
    if (state.ended.status === 'passed' && result !== undefined) return { state, ...result };
  }
  throw new HelixError('usage', 'there is nothing to go on from: no helix do has come to a result here yet', {
    hint: 'Begin with: helix do "…"',
  });
}

function notEnded(state: RunState): HelixError {
  const { run } = state;
  const [open] = openRequests(state);
  const why = open === undefined ? 'it was cut short or is under way' : 'it waits for an answer';
  const way = open === undefined ? `Go on with it: helix resume ${run}` : `Answer it: helix decide ${open.id}`;
  return new HelixError('usage', `run ${run} has not ended: ${why}`, {
    hint: `${way}. Or give it up: helix cancel ${run}`,
  });
}

/** What lies on the branch has to be what was accepted, and nothing else. */
async function requireBranch(user: UserRepository, { branch, commit }: EarlierTask): Promise<void> {
  const { commit: now, place } = await user.branch(`refs/heads/${branch}`);
  const short = commit.slice(0, 12);
  if (now === undefined) {
    throw new HelixError('usage', `the branch ${branch} is gone, so there is nothing to go on from`, {
      hint: `Bring it back: git branch ${branch} ${short}. Or begin anew: helix do "…"`,
    });
  }
  if (now !== commit) throw await moved(user, { branch, commit, now });
  if (place !== undefined) {
    throw new HelixError('usage', `the branch ${branch} is checked out in ${place}, so it cannot move forward`, {
      hint: 'Switch to another branch there: git switch -',
    });
  }
  const head = await user.commit();
  if (head === undefined || !(await isWithin(user, commit, head))) return;
  throw new HelixError('usage', `the branch ${branch} is merged already, so there is nothing to go on from`, {
    hint: 'Begin from your checkout, which has it: helix do "…"',
  });
}

type Moved = { readonly branch: string; readonly commit: string; readonly now: string };

async function moved(user: UserRepository, { branch, commit, now }: Moved): Promise<HelixError> {
  const place = { gitDir: user.gitDir };
  const more = (await isWithin(user, commit, now))
    ? Number(await user.git.text(['rev-list', '--count', `${commit}..${now}`], place))
    : 0;
  if (more > 0) {
    const words = `${count(more, 'commit')} that ${more === 1 ? 'is' : 'are'} not HELIX's`;
    return new HelixError('usage', `the branch ${branch} has ${words}`, {
      hint: `To go on from there, on a branch of its own: git switch ${branch}, then helix do "…"`,
    });
  }
  return new HelixError('usage', `the branch ${branch} was moved to ${now.slice(0, 12)}, away from the result`, {
    hint: `Let it point there again: git branch -f ${branch} ${commit.slice(0, 12)}. Or begin anew: helix do "…"`,
  });
}

/** Tells whether a commit is part of the history of another. */
async function isWithin({ git, gitDir }: UserRepository, commit: string, of: string): Promise<boolean> {
  const { code } = await git.run(['merge-base', '--is-ancestor', commit, of], { gitDir, answers: [1, 128] });
  return code === 0;
}

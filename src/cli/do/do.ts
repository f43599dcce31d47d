import { basename, resolve } from 'node:path';
import { openProject } from '../../adapters/disk/project-directory.ts';
import { Git } from '../../adapters/repo/git/git.ts';
import { UserRepository } from '../../adapters/repo/user/user-repository.ts';
import { clearReservation, type Held } from '../../adapters/repo/work/reserved-branch.ts';
import { openWorld } from '../../adapters/world.ts';
import type { Size } from '../../domain/facts/change-size.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { type HelixFile, MOST_IN_ONE_CHANGE } from '../../domain/plan/helix-file.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { startRun } from '../../engine/run.ts';
import { type PreparedRun, prepareRun, type RunOptions } from '../../engine/start/prepare-run.ts';
import { GATES } from '../../gates/registry.ts';
import type { Project } from '../../ports/project.ts';
import type { World } from '../../ports/world.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { cutShortEarly } from '../call/cut-short-early.ts';
import { load, refuseErrors } from '../call/load.ts';
import { repositoryRoot } from '../call/nearest-project.ts';
import { attendAll } from '../human/attend-all.ts';
import { accompany } from '../run/accompany.ts';
import { DETACH_OPTION, detach } from '../run/detach.ts';
import { budgetOption } from '../run/run.ts';
import { askTrust } from './ask-trust.ts';
import { composePlan, type Parts } from './compose-plan.ts';
import { checksOf, type EarlierTask, findEarlier, requestAfter } from './earlier-task.ts';
import { excludeState } from './exclude-state.ts';
import { likeRuns } from './like-runs.ts';
import { nameBranch, reserveBranch } from './name-branch.ts';
import { renderOpening, type Start } from './opening.ts';
import { readTask } from './read-task.ts';
import { repositoryParts } from './repository-parts.ts';
import { taskProject } from './task-project.ts';
import { findTooLarge, requestOf, type TooLarge } from './too-large.ts';

/** `helix do` */
export const doTask: Command = {
  usage: 'do "<task>" [options]',
  about: `Does one task in the git repository you stand in, with no file to write first. An agent works on a copy; its change has to
pass a syntax check, the tests of the repository as far as they can be detected, and an independent judge, and comes back to
the agent with what they found until it does. It ends with a branch to look at and to merge; your checkout stays as it is.
With --plan a meeting comes first: it reads the repository, asks you what that does not answer, and cuts the task into phases.
The task is a sentence in quotes, a file, or - for stdin. Killed at any moment, it goes on with: helix resume`,
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  options: {
    agent: { type: 'string', value: 'A', help: 'who does it: an agent of helix.yaml, or claude-code, codex, scripted' },
    model: { type: 'string', value: 'M', help: 'the model all agents use' },
    budget: {
      type: 'string',
      value: 'USD',
      help: 'what it may spend (default: 2, with --plan 10, or as helix.yaml says)',
    },
    check: {
      type: 'string',
      multiple: true,
      value: 'CMD',
      help: 'a command that has to pass as well; can be repeated',
    },
    tests: {
      type: 'string',
      value: 'CMD',
      help: 'the command for the tests, in place of the detected one; none leaves tests out',
    },
    judge: { type: 'boolean', help: 'have the change judged (default; --no-judge leaves the judge out)' },
    branch: { type: 'string', value: 'B', help: 'the branch to make (default: helix/ and a few words of the task)' },
    type: { type: 'string', value: 'T', help: 'bugfix: first a test that shows the bug, then the mending of it' },
    plan: { type: 'boolean', help: 'a meeting first: it asks what it has to, and makes a plan of phases' },
    again: { type: 'boolean', help: 'go on from the result of the last helix do, on its branch' },
    'include-dirty': { type: 'boolean', help: 'take along what you have not committed (default: start from HEAD)' },
    script: { type: 'string', value: 'FILE', help: 'what the scripted agent says and does' },
    trust: { type: 'boolean', help: 'trust the programs it starts, and remember it (default: asked on a terminal)' },
    wait: {
      type: 'boolean',
      help: 'stay while a question is open or a quota is used up (default on a terminal; --no-wait leaves)',
    },
    yes: { type: 'boolean', help: 'agree to the question about these programs, as y on a terminal would' },
    detach: DETACH_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix do "the CSV export loses umlauts; add a test for it"',
    'helix do "say hello" --agent scripted    shows it without an agent',
    'helix do task.md --check "npm run lint" --budget 1',
    'helix do --type bugfix "negative numbers are sorted the wrong way round"',
    'helix do --again "also handle a byte order mark"',
    'helix do --plan "users can share a list by a link"',
    'helix do --plan --again    makes a plan of a task that turned out too large',
    'gh issue view 7 | helix do - --branch issue-7',
  ],
  run: async (call) => {
    const project = openProject(requireRepository());
    const user = await UserRepository.open(new Git(process.env, 'helix-do'), project.dir);
    await requireCommit(user);
    const wanted = await whatIsWanted(call, project, user);
    const { words, task, earlier, large } = wanted;
    const world = await taskWorld(call, project.dir, wanted);
    for (const { dead, isOfRun } of await cutShortEarly(world)) await clearReservation(user, dead, isOfRun);
    const branch = earlier?.branch ?? (await nameBranch(user, task, call.text('branch')));
    const origin = present({ continues: earlier?.state.run, learned: large?.learned });
    const prepared = await prepareTask(call, world, { branch, ...origin });
    const start = { prepared, user, branch, onto: earlier?.commit, like: await likeRuns(world, prepared) };
    // A background process says it itself.
    if (!call.flag('json') && !call.flag('detach'))
      call.terminal.err(await renderOpening(start, call.terminal.columns()));
    await requireAgent(world, prepared);
    await askTrust(call, world, prepared);
    if (call.flag('detach')) {
      await excludeState(user);
      return detach(call, world, { command: doTask, words: words === undefined ? [] : [words] });
    }
    await attendAll(world, call.terminal);
    const named = call.text('branch') !== undefined;
    return carryOut(call, world, {
      ...start,
      task,
      ...(!named && { rename: () => nameBranch(user, task, undefined) }),
    });
  },
};

type Begun = Start & {
  readonly task: string;
  /** Another free name, where nobody has named the branch. */
  readonly rename?: () => Promise<string>;
};

async function carryOut(call: Call, world: World, start: Begun): Promise<number> {
  const { user, onto } = start;
  await excludeState(user);
  // Somebody may have committed while the question of trust stood.
  const commit = await requireCommit(user);
  const { branch, held }: Reserved = onto === undefined ? await reserved(start, commit) : start;
  if (branch !== start.branch) call.terminal.err(`branch     ${branch}: somebody has just taken ${start.branch}\n`);
  const prepared = { ...start.prepared, options: { ...start.prepared.options, branch } };
  let open = held;
  return accompany(call, world, (company) =>
    startRun(world, prepared, {
      ...company,
      onEvent: (event, now) => {
        open?.settle();
        open = undefined;
        company.onEvent?.(event, now);
      },
    }),
  ).finally(() => open?.giveBack());
}

type Reserved = { readonly branch: string; readonly held?: Held };

/** Others may take a name between its choice and its use: then there is a next one, unless the user chose it. */
async function reserved(
  { user, branch, task, rename }: Pick<Begun, 'user' | 'branch' | 'task' | 'rename'>,
  commit: string,
): Promise<Reserved> {
  try {
    return { branch, held: await reserveBranch(user, branch, { commit, task }) };
  } catch (error) {
    const next = await rename?.();
    if (next === undefined || next === branch || !(error instanceof HelixError)) throw error;
    return reserved({ user, branch: next, task, ...present({ rename }) }, commit);
  }
}

function requireRepository(): string {
  const here = process.cwd();
  const top = repositoryRoot(here);
  if (top !== undefined) return top;
  throw new HelixError('usage', `helix do works in a git repository, and ${here} is in none`, {
    hint: 'Make one: git init && git add --all && git commit -m start. Elsewhere: helix new <name> --request "…"',
  });
}

async function requireCommit(user: UserRepository): Promise<string> {
  const commit = await user.commit();
  if (commit !== undefined) return commit;
  throw new HelixError('usage', `the repository in ${user.top} has no commit yet, so there is nothing to change`, {
    hint: 'Make the first one: git add --all && git commit -m start',
  });
}

type Wanted = {
  /** What was said now, if anything, what is to be done now, and all that was asked for. */
  readonly words: string | undefined;
  readonly task: string;
  readonly request: string;
  readonly earlier: EarlierTask | undefined;
  readonly large: TooLarge | undefined;
};

/** What the call asks for, with the run it goes on from: one that came to a result, or one that was too large and is to be planned. */
async function whatIsWanted(call: Call, project: Project, user: UserRepository): Promise<Wanted> {
  const isAgain = call.flag('again');
  const large = isAgain && call.flag('plan') ? await findTooLarge(project) : undefined;
  const words = large !== undefined && call.positionals.length === 0 ? undefined : await readTask(call);
  // What was too large may itself have gone on from a result.
  const goesOn = isAgain && (large === undefined || large.state.continues !== undefined);
  const earlier = goesOn ? await findEarlier(call, project, user) : undefined;
  const before = earlier === undefined ? (words ?? '') : requestAfter(earlier, words ?? '');
  const request = large === undefined ? before : requestOf(large, words);
  return { words, task: words ?? request, request, earlier, large };
}

/** The world of a repository in which the plan and the request of this task stand, though no file holds them. */
async function taskWorld(call: Call, top: string, { task, request, earlier, large }: Wanted): Promise<World> {
  const project = openProject(top);
  const tests = call.text('tests');
  const planned = call.flag('plan');
  const { budget, ...found } = await repositoryParts(openWorld(project));
  const parts = {
    ...found,
    // A plan is a run like any other, and may spend what one may.
    ...(!planned && present({ budget })),
    ...(tests !== undefined && { tests: tests.trim() === 'none' ? undefined : requireCommand('tests', tests) }),
    ...{ name: basename(top) || 'repository', title: task, type: typeOf(call), planned },
    checks: [
      ...new Set([
        ...[earlier, large].flatMap((before) => (before === undefined ? [] : checksOf(before))),
        ...call.texts('check').map((command) => requireCommand('check', command)),
      ]),
    ],
    judge: call.choice('judge') ?? true,
  };
  requireTests(parts, tests !== undefined);
  const script = call.text('script');
  const texts = {
    'phases.yaml': composePlan(parts),
    'request.md': request,
  };
  return openWorld(taskProject(project, texts), script === undefined ? {} : { script: resolve(script) });
}

function typeOf(call: Call): Parts['type'] {
  const type = call.text('type') ?? 'feature';
  if (type === 'bugfix' && call.flag('plan')) {
    throw new HelixError('usage', '--plan and --type bugfix do not go together: a bug is shown and mended at once', {
      hint: 'Leave one of them out.',
    });
  }
  if (type === 'feature' || type === 'bugfix') return type;
  throw new HelixError('usage', `--type takes feature (the default) or bugfix, not ${JSON.stringify(type)}`);
}

/** A command that somebody typed has to say something. */
function requireCommand(option: string, command: string): string {
  if (command.trim() !== '') return command;
  throw new HelixError('usage', `--${option} names no command`, { hint: `For example: --${option} "npm test"` });
}

function requireTests({ type, tests }: Parts, leftOut: boolean): void {
  if (type !== 'bugfix' || tests !== undefined) return;
  const why = leftOut ? '--tests none leaves the tests out' : 'there is no command for tests in this repository';
  throw new HelixError('usage', `a bug is shown by a test that fails, and ${why}`, {
    hint: 'Name the command (--tests "CMD"), or leave out --type bugfix.',
  });
}

type Place = Pick<RunOptions, 'branch' | 'continues' | 'learned'>;

async function prepareTask(call: Call, world: World, place: Place): Promise<PreparedRun> {
  const loaded = await load(world);
  refuseErrors(loaded, call.terminal);
  const [agent, model, script] = ['agent', 'model', 'script'].map(call.text);
  const options = {
    ...present({ agent, model, budget: budgetOption(call) }),
    ...place,
    // What is planned may be as large as its plan says.
    ...(!call.flag('plan') && { growth: growthOf(loaded.settings) }),
    ...(call.text('tests') !== undefined && { namedTests: true }),
    ...(call.flag('include-dirty') && { includeDirty: true }),
    ...(call.flag('trust') && { trust: true }),
    ...(script !== undefined && { script: resolve(script) }),
  };
  const prepared = prepareRun(loaded, options, GATES);
  return { ...prepared, source: { ...loaded.source, sha256: loaded.source.sha256, path: TASK_SOURCE } };
}

/** Above which size it is asked whether a change may be that large. */
function growthOf({ do: own }: HelixFile): Size {
  return { files: own?.max_files ?? MOST_IN_ONE_CHANGE.files, lines: own?.max_lines ?? MOST_IN_ONE_CHANGE.lines };
}

/** An agent that is not installed is said before anybody is asked anything; nothing of it is started for that. */
async function requireAgent(world: World, { agents, creator }: PreparedRun): Promise<void> {
  const { driver, command } = agents[creator] ?? {};
  const program = driver === 'claude-code' ? 'claude' : driver === 'codex' ? 'codex' : undefined;
  if (program === undefined || command !== undefined || (await world.findProgram(program)) !== undefined) return;
  throw new HelixError('config', `there is no agent: ${program} is not in PATH`, {
    hint: 'Install it, or name another with --agent. To see how it goes without one: helix do "…" --agent scripted',
  });
}

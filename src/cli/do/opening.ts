import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UserRepository } from '../../adapters/repo/user/user-repository.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { agentsOf, type PreparedRun } from '../../engine/start/prepare-run.ts';
import { expectationWords, type Sample } from '../../report/run/expectation.ts';
import { uncheckedByGates } from '../../report/run/unchecked.ts';
import { oneLine } from '../../text/sanitise.ts';

const UNDER_WAY = [
  ['MERGE_HEAD', 'a merge'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
] as const;

const LONGEST = 200;
const AGENT_AT = 49;
const PROGRAMS: Readonly<Record<string, string>> = { 'claude-code': 'claude', codex: 'codex' };

/** What a task is started with. */
export type Start = {
  readonly prepared: PreparedRun;
  readonly user: UserRepository;
  readonly branch: string;
  /** The commit on that branch the work goes on from. */
  readonly onto?: string | undefined;
  /** What like runs took and cost. */
  readonly like: readonly Sample[];
};

/** What is said before a task starts: where, on what, by whom, for how much, and what the result must pass. */
export async function renderOpening({ prepared, user, branch, onto, like }: Start, width: number): Promise<string> {
  const { commit = '', branch: head } = await user.head();
  const where = [
    oneLine(prepared.plan.project.name, 60),
    `${head === undefined ? 'detached HEAD' : oneLine(head.replace(/^refs\/heads\//, ''), LONGEST)} @ ${commit.slice(0, 7)}`,
    ...UNDER_WAY.filter(([file]) => existsSync(join(user.gitDir, file))).map(
      ([, what]) => `${what} is under way: the work starts from your last commit`,
    ),
  ];
  const from = onto === undefined ? '' : `, going on from ${onto.slice(0, 7)}`;
  const place = `works on   a copy, branch ${oneLine(branch, LONGEST)}${from}`;
  const agent = agentWords(prepared);
  const together = `${place.padEnd(AGENT_AT)} agent  ${agent}`;
  const gates = prepared.plan.phases.at(-1)?.gates ?? [];
  return [
    [...new Set(where)].join(' · '),
    ...(together.length <= width ? [together] : [place, `agent      ${agent}`]),
    ...firstOf(prepared),
    ...mustPass(gates),
    `expect     ${expectationWords(like)}`,
    ...uncheckedByGates(gates, TASK_SOURCE).map((what) => `not judged ${what}`),
    '',
  ].join('\n');
}

/** Every program a task starts, as one would type it; long ones by their beginning. */
export function programsOf(prepared: PreparedRun): string[] {
  const { plan, agents } = prepared;
  const gates = plan.phases.flatMap((phase) => phase.gates).map(({ settings }) => settings.command);
  const workers = [...agentsOf(prepared)].flatMap((name) => agents[name] ?? []);
  const own = workers.map(({ command, driver }) => command ?? PROGRAMS[driver]);
  const commands = [...plan.workspace.setup, ...gates, ...own].filter((command) => command !== undefined);
  return [...new Set(commands.map((command) => oneLine(written(command), LONGEST)))];
}

function written(command: unknown): string {
  return Array.isArray(command) ? command.join(' ') : String(command);
}

/** What has to be seen before anything is mended, or agreed on before anything is built. */
function firstOf({ plan }: PreparedRun): string[] {
  if (plan.phases.some(({ generatesPhases }) => generatesPhases))
    return ['first      a meeting: it reads, asks you what it has to, and cuts the task into phases'];
  const red = plan.phases.flatMap((phase) => phase.gates).find(({ settings }) => settings.expect === 'red');
  if (red === undefined) return [];
  const command = oneLine(written(red.settings.command), LONGEST);
  return [`first      a new test that fails with ${command}, and nothing else changed`];
}

/** What comes with HELIX in a line, and each command of the user's own in one of its own: it can be long. */
function mustPass(gates: readonly Gate[]): string[] {
  const isOwn = ({ type }: Gate) => type === 'custom';
  const shipped = gates.filter((gate) => !isOwn(gate)).map(gateWords);
  const [first = '', ...more] = [shipped.join(' · '), ...gates.filter(isOwn).map(gateWords)].filter(
    (line) => line !== '',
  );
  return [`must pass  ${first}`, ...more.map((line) => `           ${line}`)];
}

function gateWords({ type, settings }: Gate): string {
  if (type === 'syntax_check') return 'syntax';
  if (type === 'approval') return 'an independent judge of the change';
  return oneLine(written(settings.command), LONGEST);
}

function agentWords({ agents, creator, options, budget, simulated }: PreparedRun): string {
  const settings = agents[creator];
  const model = options.model ?? settings?.model;
  const who = `${settings?.driver ?? creator}${model === undefined ? '' : ` (${oneLine(model, 60)})`}`;
  if (simulated) return `${who}, simulated`;
  return budget.usd === undefined ? who : `${who}, up to ${budget.usd.toFixed(2)} USD`;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UserRepository } from '../../adapters/repo/user/user-repository.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { agentsOf, type PreparedRun } from '../../engine/start/prepare-run.ts';
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
export type Start = { readonly prepared: PreparedRun; readonly user: UserRepository; readonly branch: string };

/** What is said before a task starts: where, on what, by whom, for how much, and what the result must pass. */
export async function renderOpening({ prepared, user, branch }: Start, width: number): Promise<string> {
  const { commit = '', branch: head } = await user.head();
  const where = [
    oneLine(prepared.plan.project.name, 60),
    `${head === undefined ? 'detached HEAD' : oneLine(head.replace(/^refs\/heads\//, ''), LONGEST)} @ ${commit.slice(0, 7)}`,
    ...UNDER_WAY.filter(([file]) => existsSync(join(user.gitDir, file))).map(
      ([, what]) => `${what} is under way: the work starts from your last commit`,
    ),
  ];
  const place = `works on   a copy, branch ${oneLine(branch, LONGEST)}`;
  const agent = agentWords(prepared);
  const together = `${place.padEnd(AGENT_AT)} agent  ${agent}`;
  const gates = prepared.plan.phases.at(-1)?.gates ?? [];
  return [
    [...new Set(where)].join(' · '),
    ...(together.length <= width ? [together] : [place, `agent      ${agent}`]),
    `must pass  ${gates.map(gateWords).join(' · ')}`,
    ...unchecked(gates).map((what) => `not judged ${what}`),
    '',
  ].join('\n');
}

/** What nobody looks at, and why, in a few words each. */
export function unchecked(gates: readonly Gate[]): string[] {
  const types = new Set(gates.map(({ type }) => type));
  return [
    ...(types.has('tests_pass') ? [] : ['tests: none were found in this repository (--check "CMD" adds a command)']),
    ...(types.has('approval') ? [] : ['the change itself: --no-judge']),
  ];
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

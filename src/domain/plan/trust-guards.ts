import type { ApprovalsFile } from '../judge/approval.ts';
import { json, plain } from '../plain-line.ts';
import type { Gate } from './gate.ts';
import { isJudge } from './judging-phase.ts';
import type { Phase, Plan } from './plan.ts';

/** The line of work in worktrees: in directories of their own phases are judged by less, and walled in otherwise. */
const WORKTREES = 'works in worktrees of its repository';
const GATES = 'looked at by ';
const JUDGES = 'looks at work: ';
const ROLES = 'role of ';
const APPROVALS = 'how approvals ';

/** What every phase has in some form, and what the plan itself adds. */
const UNSAID: ReadonlySet<string> = new Set(['files_exist', 'plan_valid']);
/** What has lines of its own, takes no work for good, or only warns. */
const ELSEWHERE: ReadonlySet<string> = new Set(['command', 'network', 'timeout', 'probe']);

/** Tells whether a line says who or what looks at the work of a plan: it is missed where it is gone. */
export function isGuard(line: string): boolean {
  return line === WORKTREES || [GATES, JUDGES, ROLES].some((begin) => line.startsWith(begin));
}

/** Tells whether a line says how the work of one plan is looked at, and nothing of what another one is. */
export function isJudging(line: string): boolean {
  return isGuard(line) || line.startsWith(APPROVALS);
}

/** Tells whether what a trusted line guards is looked at by less. */
export function isMissed(line: string, lines: readonly string[]): boolean {
  // Whom a user names for everything has no role.
  if (line.startsWith(ROLES) && !lines.some((each) => each.startsWith(ROLES))) return false;
  return !lines.some((each) => each === line || looksAtMore(each, line));
}

/** The lines of what looks at the work of a plan; `before` tells what a phase comes after. */
export function guards({ phases, workspace }: Plan, before: (phase: Phase) => readonly Phase[]): string[] {
  return [
    ...(workspace.mode === 'repo' ? [WORKTREES] : []),
    ...phases.flatMap(({ id, gates }) =>
      gates.filter(({ type }) => !UNSAID.has(type)).map((gate) => `${GATES}${gateWords(gate)}: ${id}`),
    ),
    ...phases.filter(isJudge).map((phase) => {
      const work = before(phase).filter((each) => !isJudge(each));
      return `${JUDGES}${phase.id} (${phase.type}) of ${work.map(({ id }) => id).join(', ')}`;
    }),
  ];
}

function gateWords({ type, settings }: Gate): string {
  const told = Object.entries(settings)
    .filter(([key, value]) => value !== undefined && !ELSEWHERE.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return told.length === 0 ? plain(type) : `${plain(type)} ${json(Object.fromEntries(told))}`;
}

const JUDGE = /^looks at work: (\S+ \(\w+\)) of (.*)$/;

function looksAtMore(line: string, than: string): boolean {
  const [, who, now = ''] = JUDGE.exec(line) ?? [];
  const [, other, then = ''] = JUDGE.exec(than) ?? [];
  const work = new Set(now.split(', '));
  return who !== undefined && who === other && then.split(', ').every((id) => id === '' || work.has(id));
}

/** The line of who has a role, or does a judge's phase. */
export function roleGuard(whose: string, name: string): string {
  return `${ROLES}${whose}: ${plain(name)}`;
}

/** The line of a phase that need not pass: where it fails, the rest of the plan goes on without it. */
export function skippableHarm({ id }: Pick<Phase, 'id'>): string {
  return `may be skipped: ${id}`;
}

/** The line of a plan whose meetings are answered by nobody. */
export function assumedHarm({ unattended }: Pick<Plan, 'unattended'>): string[] {
  return unattended === 'assume' ? ['takes what meetings recommend for your answer where nobody attends'] : [];
}

/** The line of a model that a consultant may let take over. */
export function substituteHarm(model: string): string {
  return `a consultant may let the model ${plain(model)} take over`;
}

/** What of config/approvals.yaml decides who judges, what is asked and what counts; the rest takes no work for good. */
const DECIDING = ['agent', 'model', 'fallback_model', 'required_confidence', 'checks'] as const;

/** The lines of how a project has its approvals judged. */
export function approvalHarms({ approvals = {}, defaults = {} }: ApprovalsFile): string[] {
  const said = (of: string, entry: NonNullable<ApprovalsFile['defaults']>) =>
    DECIDING.flatMap((key) =>
      entry[key] === undefined ? [] : [`${APPROVALS}${of}are judged: ${key} ${json(entry[key])}`],
    );
  return [
    ...said('', defaults),
    ...Object.entries(approvals).flatMap(([type, entry]) => said(`of ${plain(type)} `, entry)),
  ];
}

/** The line of words of a project that its judges, or the checks of its ADRs, go by: other words are another line. */
export function ownWordsHarm(what: string, path: string, digest: string): string {
  return `${what} by words of the project: ${plain(path)} (sha256 ${digest.slice(0, 16)})`;
}

/** The agents that a project has judge its approvals. */
export function approvalAgents({ approvals = {}, defaults = {} }: ApprovalsFile): string[] {
  return [defaults, ...Object.values(approvals)].flatMap(({ agent }) => agent ?? []);
}

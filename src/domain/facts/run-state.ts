import type { Finding } from '../finding.ts';
import type { ApprovalResult } from '../judge/approval.ts';
import type { ErrorPattern, EscalationSettings } from '../plan/escalation-settings.ts';
import type { AgentSettings, Isolation } from '../plan/helix-file.ts';
import type { NotifySettings } from '../plan/notify-settings.ts';
import type { Budget, Plan } from '../plan/plan.ts';
import type { Sandbox } from '../plan/sandbox.ts';
import type { FailureClass, Verdict } from '../verdict.ts';
import { type AcceptedState, publishedOf } from './accepted-state.ts';
import type { Learned, Size, SplitProposal } from './change-size.ts';
import type { Advice, Analysis, Changes, Decision, Option } from './consultation.ts';
import type { Growth } from './grown-plan.ts';
import type { MeetingState } from './meeting.ts';
import type { PhaseTable } from './phase-table.ts';
import type { KeptFile, RunBase } from './result-branch.ts';
import type { Author, InputFile, Judges, NewEvent, Tried } from './run-event.ts';
import type { Spending } from './spending.ts';

/** Where a phase stands, as people see it. */
export type PhaseStatus = 'pending' | 'running' | 'passed' | 'failed' | 'waiting' | 'parked' | 'skipped' | 'voided';

/** Where a run stands, as people see it. */
export type RunStatus = 'running' | 'passed' | 'failed' | 'waiting' | 'parked' | 'interrupted' | 'cancelled';

/** One try: open while an agent works on it, then finished, judged or interrupted. */
export type AttemptState = {
  readonly attempt: number;
  readonly start: string;
  readonly inputs: readonly InputFile[];
  readonly startedAt: string;
  readonly agent: string;
  readonly stage: 'open' | 'finished' | 'judged' | 'interrupted';
  readonly tree?: string;
  readonly verdicts?: readonly Verdict[];
  /** What gates said of it before its judging was cut short. */
  readonly heard?: readonly Verdict[];
  /** Why the last answer about it of a judge of each type could not be used. */
  readonly unusable?: Readonly<Record<string, string>>;
  readonly failure?: FailureClass;
  readonly durationMs?: number;
  /** Dollars that are kept for it while it is open. */
  readonly reserved?: number;
  /** Milliseconds of agent time that are kept for it while it is open. */
  readonly reservedMs?: number;
  readonly notices?: readonly Finding[];
  readonly size?: Size;
  /** Its agent says that the request is too large for one change. */
  readonly split?: SplitProposal;
  readonly protected?: readonly string[];
  /** The test command that gates found in the work, and the one they would find now. */
  readonly foundCommand?: { readonly before: string; readonly after: string };
  /** The phases its work was merged with; their commands have a say, too. */
  readonly joined?: readonly string[];
  /** The phases whose work it had conflicts with when it was merged: their gates are asked of what comes of it, too. */
  readonly besides?: readonly string[];
  readonly manual?: boolean;
  /** Of a review that rejects: whose work it rejects. */
  readonly authors?: readonly Author[];
  readonly specChanges?: number;
  /** Of a review: nobody was asked, what was said of the same work stands. */
  readonly standing?: true;
};

/** A judge or consultant at work. */
export type Asking = {
  readonly approval: string;
  readonly of: string;
  readonly agent: string;
  readonly startedAt: string;
  readonly reserved?: number;
  readonly reservedMs?: number;
};

/** What an approval of a run came to, and what it was asked for. */
type GivenApproval = {
  readonly phase: string;
  readonly attempt: number;
  /** What it judged. */
  readonly tree?: string;
  readonly key: string;
  readonly mergeKey?: string | undefined;
  readonly result: ApprovalResult;
  /** What it judged was sent back, so that it counts no more; the opinion about that content stands. */
  readonly void?: boolean;
};

/** What a phase has gone through: it outlives its work, however often that is done again. */
export type PhaseHistory = {
  /** Tries that ended by themselves: the number of moves a scripted agent has used up. */
  readonly turns: number;
  /** Judged attempts over the whole run. */
  readonly judged: number;
  /** What all its attempts have used, as far as it is known, and what was kept for those whose cost is not. */
  readonly spent: { readonly usd: number; readonly ms: number; readonly kept: number };
  /** How often it has sent work back. */
  readonly reworks: number;
  /** How often a consultant has decided. */
  readonly interventions: number;
  /** What people told its agents. */
  readonly guidance: readonly string[];
  /** How many of these words the brief of its last attempt knew. */
  readonly told: number;
  /** What its attempts run with beside what the plan says. */
  readonly changes: Changes;
  /** How far its meeting has come, where one is held. */
  readonly meeting?: MeetingState;
};

/** How far up the ladder a phase is: work that is sent back begins at its foot, a revert does not lead down. */
type Climbed = {
  /** A consultant has decided how to go on. */
  readonly consulted: boolean;
  /** A human granted further attempts. */
  readonly granted: boolean;
};

/** What counts on the rung a phase stands on: the decision of a consultant or a human to go on begins a new one. */
export type RungState = {
  /** Judged attempts on this rung. */
  readonly judged: number;
  /** How often a review has sent work back on this rung. */
  readonly reworks: number;
  /** Counted interruptions of the attempt at hand. */
  readonly interruptions: number;
  /** What its judging was interrupted by last. */
  readonly judgingBroke?: string;
  /** What the consultant was interrupted by last, until it answers or somebody else goes on. */
  readonly consultantBroke?: FailureClass;
  /** What only a human can put right. */
  readonly blocked?: { readonly failure: FailureClass; readonly message: string };
  /** How many answers of a consultant in a row could not be used, and why the last one could not. */
  readonly refusals: number;
  readonly refused?: readonly string[];
  /** What a consultant wants put before a human. */
  readonly advice?: Advice;
  /** A human's own change is to be judged. */
  readonly taking?: { readonly request: string; readonly files?: Readonly<Record<string, string>> };
  /** In how many judgements in a row a finding has stood, by its fingerprint. */
  readonly seen: Readonly<Record<string, number>>;
};

/** What a human has ruled about work as it lies there; other work, or other gates, need another ruling. */
export type Rulings = {
  /** The tree whose changes to protected paths a human let pass, or wants undone. */
  readonly consent?: { readonly tree: string; readonly given: boolean };
  /** The tree a human vouched for, where a judge was not sure, or did not. */
  readonly vouched?: { readonly tree: string; readonly given: boolean };
  /** How large a human lets the change become. */
  readonly room?: Size;
  /** What a human said of the plan that was written in a tree, and to those who work by it. */
  readonly plan?: { readonly tree: string; readonly answer: 'take' | 'keep' | 'back'; readonly words?: string };
  /** A human let an attempt pass: so many of its verdicts do not hold it up. */
  readonly override?: {
    readonly request: string;
    readonly actor: string;
    readonly reason: string;
    readonly attempt: number;
    readonly waived: number;
  };
};

/** All that is known of one phase: groups with a lifetime of their own, then what is void together with its work. */
export type PhaseState = {
  readonly id: string;
  readonly status: PhaseStatus;
  readonly history: PhaseHistory;
  readonly climbed: Climbed;
  readonly rung: RungState;
  readonly rulings: Rulings;
  readonly current?: AttemptState;
  readonly lastVerdicts: readonly Verdict[];
  /** The tree the last gate judged, from which the next attempt starts. */
  readonly judgedTree?: string;
  /** The tree the first attempt started from. */
  readonly baseTree?: string;
  /** The commit its attempts build on. */
  readonly base?: string;
  /** Files that were left with conflict markers when its work was merged. */
  readonly conflicted?: readonly string[];
  /** Judges that have been asked and have not answered yet. */
  readonly asking: readonly Asking[];
  /** A human wants work that was rejected to be mended. */
  readonly overruled: boolean;
  /** What the judge said that sent it back, for the agent that mends it. */
  readonly feedback?: string;
  /** Why its work is done again, where it was not its own gate that said so. */
  readonly returns?: readonly Return[];
  /** What was found before the last judgement and looked at again in it, and was not found any more. */
  readonly mended: readonly Finding[];
  /** What gates said last that the last judgement did not come to. */
  readonly unasked: readonly Verdict[];
  /** Its last verdicts are those of other judges. */
  readonly returned?: true;
  readonly rejected?: AttemptState;
  readonly accepted?: {
    readonly attempt: number;
    readonly tree: string;
    readonly inputs: readonly InputFile[];
    readonly commit?: string;
    /** A human accepted it although a gate rejects it. */
    readonly override?: { readonly request: string; readonly actor: string; readonly reason: string };
  };
  /** The accepted tree by which the plan has grown, or was found not to. */
  readonly grown?: string;
  /** The tree that was accepted before it was to be judged anew. */
  readonly former?: string;
  /** A human let the phase start. */
  readonly cleared: boolean;
  /** The pattern of config/escalation.yaml that the last judgement matches. */
  readonly matched?: ErrorPattern;
  /** Why it failed or was skipped. */
  readonly reason?: string;
};

type Asked = Extract<NewEvent, { type: 'human_asked' }>['data'];

/** A question to a human and, once given, the answer. */
export type RequestState = {
  readonly id: string;
  readonly phase: string;
  readonly level: 'stufe-2' | 'start';
  readonly reason: Asked['reason'];
  /** Why it is asked, as a sentence; older journals have none. */
  readonly because?: string;
  readonly question: string;
  readonly options: readonly Option[];
  /** The protected files it is about. */
  readonly protected?: readonly string[];
  readonly askedAt: string;
  readonly analysis?: Analysis;
  readonly deadline?: string;
  /** The option that is taken when the deadline has passed. */
  readonly onTimeout?: string;
  /** Where somebody was told of it. */
  readonly told: readonly string[];
  readonly answer?: {
    readonly option: string;
    readonly decision: Decision;
    readonly comment?: string;
    readonly actor: string;
    readonly at: string;
  };
  /** The plan was changed or the work sent back, so nobody needs the answer any more. */
  readonly withdrawn?: boolean;
  /** The question of a meeting it is, by its place among them. */
  readonly meeting?: number;
};

/** Why a phase is done again: who wanted it, on account of which phase, in which words and with which findings. */
export type Return = {
  readonly by: 'consultant' | 'human' | 'approval' | 'review' | 'merge' | 'no_answer';
  readonly from: string;
  /** The phase it begins with; `beside`: it does not build on that by the plan, and stood in one line with it in a repository. */
  readonly target: string;
  readonly beside?: boolean;
  readonly reason?: string;
  /** What a consultant takes for the cause, where a human decided. */
  readonly cause?: string;
  readonly verdicts: readonly Verdict[];
};

/** One change of the specification that somebody decided: what is added at a place, or what stands there instead. */
export type SpecChange = { readonly path: string; readonly by: 'consultant' | 'human' | 'helix' } & (
  | { readonly adds: readonly string[] }
  | { readonly instead: string | readonly string[] }
);

/** Somebody decided that everything from `target` on is done again. */
export type Reverting = {
  /** The phase whose failure led to it, and the agent that worked on it then. */
  readonly phase: string;
  readonly agent: string;
  readonly target: string;
  readonly by: 'consultant' | 'human';
  readonly changes: Changes;
  /** Why, in the words of whoever decided it. */
  readonly reason?: string;
  /** What a consultant takes for the cause, where a human decided. */
  readonly cause?: string;
  /** What was found wrong with the phase whose failure led to it. */
  readonly verdicts: readonly Verdict[];
};

/** A run as computed from its facts; nothing else is remembered anywhere. */
export type RunState = {
  readonly run: string;
  readonly plan: Plan;
  readonly contract: number;
  readonly source: { readonly path: string; readonly sha256: string };
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly creator: string;
  readonly judges: Judges;
  readonly language?: string;
  readonly model?: string;
  readonly only?: string;
  readonly budget: Budget;
  readonly request?: string;
  readonly marker: string;
  /** How its agents and commands are to be walled in, and how they are. */
  readonly isolation: Isolation;
  readonly sandbox?: Sandbox;
  /** Where it started in its repository. */
  readonly base?: RunBase;
  /** The tree with what its judges and agents go by. */
  readonly guidelines?: string;
  /** The run on whose result this one builds, and the tree that the first of them began with. */
  readonly continues?: { readonly run: string; readonly tree: string };
  /** Above this a human is asked whether a change may be that large. */
  readonly growth?: Size;
  readonly learned?: Learned;
  /** What has been accepted so far. */
  readonly tip?: AcceptedState;
  /** In a repository: all that was ever accepted on the way to its tip, oldest first; a phase can stand there twice. */
  readonly line: readonly (AcceptedState & { readonly phase: string })[];
  readonly tried: readonly Tried[];
  /** Accepted phases, in the order of their acceptance. */
  readonly order: readonly string[];
  readonly simulated: boolean;
  /** Cassettes are kept of its attempts. */
  readonly recorded?: boolean;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly seq: number;
  readonly head: string;
  readonly phases: PhaseTable<PhaseState>;
  readonly requests: ReadonlyMap<string, RequestState>;
  /** All opinions that were given, oldest first. */
  readonly approvals: readonly GivenApproval[];
  /** How many judges of each type were asked; those that HELIX itself cut short do not count. */
  readonly asked: Readonly<Record<string, number>>;
  readonly spent: Spending & { readonly attempts: number; readonly ms: number };
  /** What people and consultants have changed in the specification, oldest first: it holds for the whole run. */
  readonly specChanges: readonly SpecChange[];
  readonly escalation: EscalationSettings;
  /** How people are told of its questions. */
  readonly notify: readonly NotifySettings[];
  /** What is to be done again, as soon as nothing of it is under way; there can be several. */
  readonly reverting: readonly Reverting[];
  /** How the plan has grown, oldest first. */
  readonly growths?: readonly Growth[];
  readonly cancelRequested: boolean;
  readonly aborting?: string;
  readonly parked?: {
    readonly reason: 'budget' | 'quota';
    readonly message: string;
    /** When it is worth another try. */
    readonly until?: string;
  };
  readonly interrupted: boolean;
  /** Somebody sits there who can be asked. */
  readonly attended?: boolean;
  /** They see a plan that grows before it is worked on. */
  readonly showsPlans?: boolean;
  readonly ended?: {
    readonly status: 'passed' | 'failed' | 'cancelled';
    readonly reason?: string;
    readonly at: string;
  };
};

/** Tells whether something of a phase was made, which can become void. */
export function isBegun(at: PhaseState | undefined): boolean {
  return at?.current !== undefined || at?.accepted !== undefined;
}

/** The questions nobody has answered yet. */
export function openRequests(state: RunState): RequestState[] {
  if (state.ended !== undefined) return [];
  return [...state.requests.values()].filter((request) => request.answer === undefined && request.withdrawn !== true);
}

/** In a repository: the branch with the accepted work and its newest commit, once there is any. */
export function resultOf({ base, tip }: RunState): { branch: string; commit: string } | undefined {
  if (base === undefined || tip === undefined) return undefined;
  const { commit } = publishedOf(tip);
  if (commit === undefined || commit === publishedOf(base).commit) return undefined;
  return { branch: base.branch.replace(/^refs\/heads\//, ''), commit };
}

/** In a repository: what was accepted and is kept off its branch, where there is any. */
export function keptOutOf({ tip }: RunState): KeptFile[] | undefined {
  const kept = tip?.published?.keptOut ?? [];
  return kept.length === 0 ? undefined : [...kept];
}

/** The findings of a phase's last judgement. */
export function findingsOf(phase: PhaseState): Finding[] {
  return phase.lastVerdicts.flatMap((verdict) => verdict.findings);
}

/** Where the run stands; `owned` says whether somebody is working on it right now. */
export function runStatus(state: RunState, owned: boolean): RunStatus {
  if (state.ended !== undefined) return state.ended.status;
  const active = [...state.phases.values()].some((phase) => phase.status === 'running');
  if (owned && active) return 'running';
  if (state.parked !== undefined) return 'parked';
  if (!active && !state.interrupted && openRequests(state).length > 0) return 'waiting';
  return owned ? 'running' : 'interrupted';
}

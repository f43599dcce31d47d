import { z } from 'zod';
import { Finding } from '../finding.ts';
import { ApprovalResult } from '../judge/approval.ts';
import { ApprovalMark } from '../judge/approval-mark.ts';
import { ErrorPattern, EscalationSettings } from '../plan/escalation-settings.ts';
import { AgentSettings, Isolation } from '../plan/helix-file.ts';
import { NotifySettings } from '../plan/notify-settings.ts';
import { Budget, Plan } from '../plan/plan.ts';
import { Sandbox } from '../plan/sandbox.ts';
import { Tests, Verdict } from '../verdict.ts';
import { Learned, Size, SplitProposal } from './change-size.ts';
import { Advice, Analysis, AskReason, Changes, ConsultantAnswer, Decision, Option, Purpose } from './consultation.ts';
import { attempt, Cost, cut, reserved, worker } from './event-parts.ts';
import { GrownPlan } from './grown-plan.ts';
import { MEETING_EVENTS } from './meeting.ts';
import { Published, RunBase } from './result-branch.ts';

export { Cost };

/** The rules a run was started under; a HELIX that does not know a run's contract refuses to continue it. */
export const CONTRACT = 1;

/** A file a phase was given: where it lies for the agent, and where it came from. */
export const InputFile = z.strictObject({
  path: z.string(),
  /** As in the tree it comes from: a sha256, or `git:` and the blob. */
  digest: z.string(),
  from: z.strictObject({ phase: z.string().optional(), tree: z.string(), path: z.string() }),
});
export type InputFile = z.infer<typeof InputFile>;

/** How a gate's command fared on the untouched tree. */
export const Tried = z.strictObject({
  command: z.string(),
  outcome: Verdict.shape.outcome,
  tests: Tests.optional(),
});
export type Tried = z.infer<typeof Tried>;

/** A phase whose result is taken over from another run. */
export const Adopted = z.strictObject({
  phase: z.string(),
  attempt: z.int().positive(),
  tree: z.string(),
  base: z.string().optional(),
  inputs: z.array(InputFile),
  verdicts: z.array(Verdict),
});
export type Adopted = z.infer<typeof Adopted>;

/** Who holds or held a run: enough to tell a living owner from a reused process number. */
export const Owner = z.strictObject({
  host: z.string(),
  pid: z.int(),
  start: z.string(),
  boot: z.string(),
});
export type Owner = z.infer<typeof Owner>;

/** The agents that judge, by role; the consultant is asked where attempts do not help. */
export const Judges = z.strictObject({
  reviewer: z.string(),
  verifier: z.string(),
  consultant: z.string(),
  /** The user named one agent for everything, whatever else is written. */
  fixed: z.boolean().optional(),
});
export type Judges = z.infer<typeof Judges>;

/** A phase whose work a review objects to, and the fingerprints of the findings that are about it. */
export const Author = z.strictObject({ phase: z.string(), findings: z.array(z.string()) });
export type Author = z.infer<typeof Author>;

/** Every fact a run can consist of, by type. */
export const EVENTS = {
  ...MEETING_EVENTS,
  run_started: z.strictObject({
    run: z.string(),
    /** What set-up and the first run of the gates' commands took before it. */
    preparedMs: z.int().nonnegative().optional(),
    contract: z.int(),
    helix: z.string(),
    plan: Plan,
    source: z.strictObject({ path: z.string(), sha256: z.string() }),
    agents: z.record(z.string(), AgentSettings),
    creator: z.string(),
    judges: Judges.optional(),
    /** The language judges answer in. */
    language: z.string().optional(),
    model: z.string().optional(),
    only: z.string().optional(),
    budget: Budget,
    request: z.string().optional(),
    marker: z.string(),
    simulated: z.boolean(),
    /** Cassettes are kept of its attempts. */
    recorded: z.boolean().optional(),
    owner: Owner,
    isolation: Isolation.optional(),
    sandbox: Sandbox.optional(),
    base: RunBase.optional(),
    /** The tree with what judges and agents go by, where that is not in the tree the run began with. */
    guidelines: z.string().optional(),
    tried: z.array(Tried).optional(),
    escalation: EscalationSettings.optional(),
    notify: z.array(NotifySettings).optional(),
    from: z.strictObject({ run: z.string(), phase: z.string(), adopted: z.array(Adopted) }).optional(),
    /** The run on whose result this one builds, and the tree that the first of them began with. */
    continues: z.strictObject({ run: z.string(), tree: z.string() }).optional(),
    /** Above this a human is asked whether a change may be that large. */
    growth: Size.optional(),
    /** What an earlier run showed that turned out too large. */
    learned: Learned.optional(),
    /** Somebody sits there who can be asked. */
    attended: z.boolean().optional(),
    /** They see a plan that grows before it is worked on. */
    showsPlans: z.boolean().optional(),
  }),
  run_resumed: z.strictObject({
    owner: Owner,
    budget: Budget.optional(),
    sandbox: Sandbox.optional(),
    /** Somebody sits there who can be asked. */
    attended: z.boolean().optional(),
    /** They see a plan that grows before it is worked on. */
    showsPlans: z.boolean().optional(),
  }),
  run_replanned: z.strictObject({
    plan: Plan,
    source: z.strictObject({ path: z.string(), sha256: z.string() }),
    agents: z.record(z.string(), AgentSettings),
    creator: z.string(),
    judges: Judges.optional(),
    language: z.string().optional(),
    isolation: Isolation.optional(),
    /** Phases to be done again, because their work or what it builds on was changed. */
    voided: z.array(z.string()),
    /** Phases whose work stands, to be judged again by their new gates. */
    rejudged: z.array(z.string()),
    tried: z.array(Tried).optional(),
    escalation: EscalationSettings.optional(),
    notify: z.array(NotifySettings).optional(),
    actor: z.string(),
  }),
  plan_grown: z.strictObject({ ...GrownPlan.shape, tried: z.array(Tried).optional() }),
  attempt_started: z.strictObject({
    ...attempt,
    turn: z.int().nonnegative(),
    start: z.string(),
    /** The commit it builds on. */
    base: z.string().optional(),
    inputs: z.array(InputFile),
    brief: z.string(),
    agent: z.string(),
    model: z.string().optional(),
    /** A human's own change, taken as it lay there. */
    manual: z.boolean().optional(),
    /** How many of the words that people had for the phase its brief knew; older journals do not say. */
    told: z.int().nonnegative().optional(),
    /** Roughly how many tokens of its brief are HELIX's own words: neither the request nor the owner's conventions. */
    ownTokens: z.int().nonnegative().optional(),
    /** How long its directory took to get ready: copies and set-up, before the agent was started. */
    preparedMs: z.int().nonnegative().optional(),
    ...reserved,
  }),
  attempt_finished: z.strictObject({
    ...attempt,
    tree: z.string(),
    files: z.int().nonnegative(),
    /** How many files it changed, added or removed; older journals do not tell. */
    changed: z.int().nonnegative().optional(),
    cost: Cost,
    ...worker,
    /** What the agent tried and was not allowed to do. */
    denied: z.array(z.string()).optional(),
    simulated: z.boolean(),
    standing: z.literal(true).optional(),
    transcript: z.string().optional(),
    durationMs: z.number(),
    /** What the workspace noticed: what it could not keep, and what it had to put right. */
    notices: z.array(Finding).optional(),
    /** How much the run has changed with it, where somebody is asked above some size. */
    size: Size.optional(),
    /** The agent says that the request is too large for one change. */
    split: SplitProposal.optional(),
    protected: z.array(z.string()).optional(),
    /** The test command that gates found in the work, and the one they would find now. */
    foundCommand: z.strictObject({ before: z.string(), after: z.string() }).optional(),
  }),
  attempt_interrupted: z.strictObject({
    ...attempt,
    ...cut,
    ...worker,
    cost: Cost.optional(),
    denied: z.array(z.string()).optional(),
    until: z.string().optional(),
    durationMs: z.number(),
    notices: z.array(Finding).optional(),
  }),
  attempt_judged: z.strictObject({
    ...attempt,
    verdicts: z.array(Verdict),
    /** The pattern of config/escalation.yaml that one of its errors matches. */
    matched: ErrorPattern.optional(),
    /** Of a review that rejects: whose work it rejects, none where no phase of the run made it. */
    authors: z.array(Author).optional(),
  }),
  attempt_joined: z.strictObject({
    ...attempt,
    /** The merged tree. */
    tree: z.string(),
    /** The commit it now builds on. */
    base: z.string(),
    /** The phases whose work it was merged with. */
    with: z.array(z.string()),
    conflicts: z.array(Finding),
  }),
  judging_interrupted: z.strictObject({
    ...attempt,
    ...cut,
    gate: z.string(),
    /** What the gates before it said. */
    heard: z.array(Verdict).optional(),
    /** It is not tried again by itself, whatever it was. */
    final: z.boolean().optional(),
    until: z.string().optional(),
  }),
  approval_started: z.strictObject({
    ...attempt,
    approval: z.string(),
    of: z.string(),
    role: z.enum(['reviewer', 'verifier']),
    agent: z.string(),
    model: z.string().optional(),
    ...reserved,
  }),
  approval_finished: z.strictObject({
    ...attempt,
    approval: z.string(),
    /** The key an equal question is known by: within a run it is never asked twice. */
    key: z.string(),
    /** The key of the question without what a merge with the work of others changes around it. */
    mergeKey: z.string().optional(),
    result: ApprovalResult,
    cost: Cost,
    durationMs: z.number(),
  }),
  approval_interrupted: z.strictObject({
    ...attempt,
    approval: z.string(),
    ...cut,
    cost: Cost.optional(),
    durationMs: z.number(),
  }),
  /** What people found out later about a verdict. */
  approval_marked: z.strictObject({ ...ApprovalMark.shape, actor: z.string() }),
  /** A judge that rejects sends work back: the target and all that depends on it are done again. */
  phase_sent_back: z.strictObject({
    phase: z.string(),
    target: z.string(),
    rework: z.int().positive(),
    feedback: z.string(),
    voided: z.array(z.string()),
    /** Other phases that get work back with it, each with what is said of its own. */
    others: z.array(z.strictObject({ target: z.string(), feedback: z.string() })).optional(),
  }),
  phase_accepted: z.strictObject({
    ...attempt,
    tree: z.string(),
    commit: z.string().optional(),
    note: z.string().optional(),
    /** What of it the branch holds, where that is not all of it. */
    published: Published.optional(),
    /** It was accepted by a human although a gate rejects it. */
    override: z.strictObject({ request: z.string(), actor: z.string(), reason: z.string() }).optional(),
  }),
  phase_failed: z.strictObject({ phase: z.string(), reason: z.string() }),
  phase_skipped: z.strictObject({ phase: z.string(), reason: z.string() }),
  consultation_started: z.strictObject({
    ...attempt,
    consultation: z.string(),
    purpose: Purpose,
    /** Why the ladder was climbed. */
    because: z.string(),
    agent: z.string(),
    model: z.string().optional(),
    ...reserved,
  }),
  consultation_finished: z.strictObject({
    ...attempt,
    ...worker,
    consultation: z.string(),
    purpose: Purpose,
    /** As it was given, for people to read. */
    answer: ConsultantAnswer,
    /** What of it takes effect: further attempts, a revert before them, or a question to a human. */
    outcome: z.enum(['retry', 'revert', 'ask']),
    changes: Changes,
    /** With the outcome `revert`: the phase everything is done again from. */
    target: z.string().optional(),
    /** With the outcome `ask`: what is put before the human. */
    advice: Advice.optional(),
    cost: Cost,
    durationMs: z.number(),
    simulated: z.boolean(),
  }),
  /** An answer that is none, or that wants what is not allowed. */
  consultation_refused: z.strictObject({
    ...attempt,
    ...worker,
    consultation: z.string(),
    purpose: Purpose,
    reasons: z.array(z.string()),
    /** What was answered, as JSON or as it stands, for people to read. */
    answer: z.string().optional(),
    cost: Cost.optional(),
    durationMs: z.number(),
  }),
  consultation_interrupted: z.strictObject({
    ...attempt,
    ...cut,
    consultation: z.string(),
    cost: Cost.optional(),
    until: z.string().optional(),
    durationMs: z.number(),
  }),
  /** Everything from `target` on is void and done again from the tree that was accepted before it. */
  plan_reverted: z.strictObject({
    /** The phase whose failure led to it. */
    phase: z.string(),
    target: z.string(),
    voided: z.array(z.string()),
    by: z.enum(['consultant', 'human']),
  }),
  human_asked: z.strictObject({
    request: z.string(),
    phase: z.string(),
    level: z.enum(['stufe-2', 'start']),
    reason: AskReason,
    /** Why, as a sentence. */
    because: z.string().optional(),
    question: z.string(),
    options: z.array(Option),
    /** The protected files it is about, all that could be named. */
    protected: z.array(z.string()).optional(),
    analysis: Analysis.optional(),
    /** The question of a meeting it is, by its place among them. */
    meeting: z.int().nonnegative().optional(),
    deadline: z.string().optional(),
    /** How long an answer is waited for, and the option that is taken then. */
    waitHours: z.number().positive().optional(),
    onTimeout: z.string().optional(),
  }),
  decision_taken: z.strictObject({
    request: z.string(),
    option: z.string(),
    decision: Decision,
    comment: z.string().optional(),
    actor: z.string(),
  }),
  /** Somebody was told of a question; `channel` names where in helix.yaml. */
  notification_sent: z.strictObject({ request: z.string(), channel: z.string(), tries: z.int().positive() }),
  /** Somebody said something to agents while the run went on; it decides nothing. */
  guidance_given: z.strictObject({ phases: z.array(z.string()).min(1), words: z.string(), actor: z.string() }),
  cancel_requested: z.strictObject({ actor: z.string() }),
  run_parked: z.strictObject({
    reason: z.literal('budget'),
    message: z.string(),
    /** The phase whose own limit it is. */
    limitOf: z.string().optional(),
  }),
  run_interrupted: z.strictObject({ signal: z.string() }),
  run_finished: z.strictObject({ status: z.enum(['passed', 'failed', 'cancelled']), reason: z.string().optional() }),
} as const;

/** The name of a fact. */
export type RunEventType = keyof typeof EVENTS;

/** A fact before it is journaled. */
export type NewEvent = {
  [T in RunEventType]: { readonly type: T; readonly data: z.infer<(typeof EVENTS)[T]> };
}[RunEventType];

/** A journaled fact: numbered, dated, and chained to the one before it. */
export type RunEvent = NewEvent & {
  readonly seq: number;
  readonly v: number;
  readonly at: string;
  readonly hash: string;
};

/** Facts that people add while somebody else owns the run. */
export const EXTERNAL_EVENTS: ReadonlySet<RunEventType> = new Set([
  'decision_taken',
  'guidance_given',
  'cancel_requested',
  'notification_sent',
  'approval_marked',
]);

import { z } from 'zod';
import { attempt, Cost, cut, reserved, worker } from './event-parts.ts';

const Line = z.string().min(1).max(2000);
const Lines = z.array(Line).max(20);

/** What an expert says about the matter of a meeting; it is an opinion, and marked as one wherever it is told. */
export const ExpertWords = z.strictObject({
  matters: Lines.min(1),
  risks: Lines,
  disagreements: Lines,
  questions: Lines,
});
export type ExpertWords = z.infer<typeof ExpertWords>;

const Coverage = z.strictObject({
  topic: Line,
  state: z.enum(['clear', 'partly', 'missing']),
  /** Where that was found, or where it was looked for. */
  found: Line.nullish(),
});

const Choice = z.strictObject({
  answer: Line,
  recommended: z.boolean().nullish(),
  /** Why it is recommended. */
  reason: Line.nullish(),
});

const Question = z.strictObject({
  /** The topic of the coverage map it is about. */
  topic: Line,
  question: Line,
  options: z.array(Choice).min(2).max(5),
});

/** What a consultant found in the repository, and what it has to ask. */
export const Preparation = z.strictObject({
  coverage: z.array(Coverage).max(60),
  questions: z.array(Question).max(50),
});
export type Preparation = z.infer<typeof Preparation>;
export type MeetingQuestion = Preparation['questions'][number];

/** An acceptance criterion, and how somebody can see that it is met. */
const Criterion = z.strictObject({
  id: z.string().regex(/^C[1-9]\d{0,2}$/),
  text: Line,
  check: Line,
});

/** A gate of quality-gates.yaml, for one phase or for all that build. */
const PlannedGate = z.strictObject({
  id: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/),
  type: z.string().min(1).max(80),
  phase: z.string().min(1).max(64).nullish(),
  criteria: z.array(z.string().min(1).max(200)).max(40).nullish(),
  files: z.array(z.string().min(1).max(500)).max(100).nullish(),
});

/** What somebody else than the author of a specification wants to see before it counts as met. */
export const CriteriaAnswer = z.strictObject({
  criteria: z.array(Criterion).min(1).max(40),
  quality_gates: z.array(PlannedGate).max(40).nullish(),
});
export type CriteriaAnswer = z.infer<typeof CriteriaAnswer>;

/** Somebody who is heard in a meeting, and why. */
export const MeetingExpert = z.strictObject({
  id: z.string(),
  name: z.string(),
  because: z.string(),
  description: z.string(),
  skills: z.array(z.string()),
});
export type MeetingExpert = z.infer<typeof MeetingExpert>;

const call = { ...attempt, call: z.string() };

/** Whom a call of a meeting is for. */
const whom = {
  part: z.enum(['expert', 'questions', 'criteria']),
  /** The expert it is for. */
  expert: z.string().optional(),
};

/** What was said in a meeting. */
const Said = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('expert'), expert: z.string(), words: ExpertWords }),
  z.strictObject({ part: z.literal('questions'), ...Preparation.shape }),
  z.strictObject({
    part: z.literal('criteria'),
    criteria: z.array(Criterion),
    /** The tree that was looked at, and the same with the criteria written into it. */
    from: z.string(),
    tree: z.string(),
  }),
]);

/** The facts of a meeting, by type. */
export const MEETING_EVENTS = {
  experts_chosen: z.strictObject({ phase: z.string(), experts: z.array(MeetingExpert) }),
  meeting_asked: z.strictObject({
    ...call,
    ...whom,
    agent: z.string(),
    model: z.string().optional(),
    ...reserved,
  }),
  meeting_answered: z.strictObject({
    ...call,
    ...worker,
    said: Said,
    cost: Cost,
    durationMs: z.number(),
    simulated: z.boolean(),
  }),
  /** An answer that is none, or that is not what was asked for. */
  meeting_refused: z.strictObject({
    ...call,
    ...whom,
    ...worker,
    reasons: z.array(z.string()),
    /** What was answered, as JSON or as it stands, for people to read. */
    answer: z.string().optional(),
    cost: Cost.optional(),
    durationMs: z.number(),
  }),
  meeting_interrupted: z.strictObject({
    ...call,
    ...whom,
    ...cut,
    cost: Cost.optional(),
    until: z.string().optional(),
    durationMs: z.number(),
  }),
  /** An expert could not be heard, and the meeting goes on without. */
  expert_left_out: z.strictObject({ phase: z.string(), expert: z.string(), reason: z.string() }),
  /** Nobody attends, so the recommended answer is taken; that is HELIX's doing, and nobody's decision. */
  answer_assumed: z.strictObject({
    phase: z.string(),
    question: z.int().nonnegative(),
    answer: z.string(),
    because: z.string(),
  }),
  /** There was nothing that criteria could be written into. */
  criteria_skipped: z.strictObject({ ...attempt, tree: z.string(), reason: z.string() }),
} as const;

/** What was answered to a question of a meeting. */
export type MeetingAnswer = {
  /** Its place among the questions. */
  readonly question: number;
  /** The option that was chosen, word for word; absent where somebody answered in words of their own. */
  readonly answer?: string;
  /** What a human added or said instead. */
  readonly words?: string;
  readonly by: 'human' | 'helix';
};

/** How far the meeting of a phase has come; it outlives the work that is made of it. */
export type MeetingState = {
  readonly experts?: readonly MeetingExpert[];
  readonly heard: readonly { readonly expert: string; readonly words: ExpertWords }[];
  readonly leftOut: readonly { readonly expert: string; readonly reason: string }[];
  /** How often an expert could not be heard, and why the last time. */
  readonly missed: Readonly<Record<string, { readonly times: number; readonly why: string }>>;
  readonly preparation?: Preparation;
  readonly answers: readonly MeetingAnswer[];
  /** The tree whose criteria somebody else has written, or could not write. */
  readonly criteriaIn?: string;
};

/** A meeting at which nothing has happened yet. */
export const NO_MEETING: MeetingState = { heard: [], leftOut: [], missed: {}, answers: [] };

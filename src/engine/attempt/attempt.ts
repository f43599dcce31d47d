import { join } from 'node:path';
import type { Cost, InputFile, NewEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { isAffordable, reservation } from '../../domain/ladder/budget.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { setUpPrograms } from '../../domain/plan/set-up-programs.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { Agent, AgentEnd, AgentTask, Worker } from '../../ports/agent.ts';
import type { Tip } from '../../ports/workspace.ts';
import { briefPath, transcriptPath } from '../../report/words/run-paths.ts';
import { sha256 } from '../../text/digest.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import { countChanged } from '../difference/count-changed.ts';
import { sizeOf } from '../difference/size-of.ts';
import { withAutoChosen } from '../step/auto-choices.ts';
import { setupOf } from '../step/changed-phase.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { failureOf, wordsOf } from '../step/failure.ts';
import { resolveInputs } from '../step/inputs.ts';
import { standsAsReviewed } from '../step/standing-review.ts';
import { wallLimit } from '../step/wall-limit.ts';
import { creatorWalls } from '../step/walls.ts';
import { withoutVerdicts } from '../step/without-verdicts.ts';
import { takeSplit, withSplitFile } from '../words/split-proposal.ts';
import { AgentTime } from './agent-time.ts';
import { isApproval, prepareApproval } from './approval-attempt.ts';
import { renderAttempt } from './attempt-brief.ts';
import { startWithoutFeedback, withFeedback, withoutFeedback } from './feedback-file.ts';
import { givenSkills } from './given-skills.ts';
import { changedProtected } from './protected.ts';
import { isAnswered, openReading, type Reading } from './reading.ts';
import { recordAttempt } from './record.ts';
import { reviewMaterial } from './review-material.ts';
import { asReview, earlierReviews } from './review-outputs.ts';

type AttemptStep = Extract<Step, { do: 'attempt' }>;
type Timed = StepContext & { readonly time: AgentTime };

/** Lets an agent try a phase, from a clean directory to a frozen tree; every way it can end is a recorded fact. */
export async function performAttempt(step: AttemptStep, around: StepContext): Promise<void> {
  const time = new AgentTime(around.ports.clock);
  const context: Timed = { ...around, time };
  context.watchers.onPreparing?.(step.phase.id, step.attempt);
  try {
    if (isApproval(step.phase)) {
      const { missing } = await prepareApproval(step, context);
      if (missing.length === 0) return;
      const message = `input not found: ${missing.join(', ')}`;
      return await interrupted(step, context, { failure: 'inputs', message, durationMs: 0 });
    }
    if (await standsAsReviewed(step, context)) return;
    const prepared = await prepare(step, context);
    if ('failure' in prepared) return await interrupted(step, context, { ...prepared, durationMs: 0 });
    const end = await letAgentWork(step, context, prepared).finally(() => prepared.reading?.dispose());
    if (end === undefined) return void (await context.ports.workspace.abandon(step.phase, prepared.seen));
    if (end.kind === 'interrupted') {
      const notices = await context.ports.workspace.abandon(step.phase, prepared.seen);
      await recordAttempt(recordOf(step, { ...prepared, end }), context);
      return await interrupted(step, context, { ...end, notices, durationMs: time.workedMs });
    }
    await freeze(step, context, { ...prepared, end, durationMs: time.workedMs });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    await interrupted(step, context, { failure, message: wordsOf(error), durationMs: time.workedMs });
  }
}

function tipOf(tree: string, commit: string | undefined, { tip }: RunState): Tip {
  return { tree, ...present({ commit, published: tip?.published }) };
}

type Prepared = {
  dir: string;
  start: string;
  /** The tree that was laid out; a reviewer does not see what other judges left in it. */
  seen: string;
  /** The same without what HELIX itself put there. */
  began: string;
  base?: string;
  inputs: InputFile[];
  brief: string;
  /** Where it reads, if it is to answer as a judge. */
  reading?: Reading;
  agent: string;
  /** As the user calls it. */
  model?: string;
  worker: Agent;
  turn: number;
  /** How many words of people its brief knew. */
  told: number;
  ownTokens: number;
  /** What HELIX itself put there to be read; it is no change of the agent's that it goes away. */
  feedbackFile?: string;
  /** What a reviewer could not be shown. */
  unseen: readonly Finding[];
};

async function prepare(
  step: AttemptStep,
  { ports, recorder, signal }: StepContext,
): Promise<Prepared | { failure: FailureClass; message: string }> {
  const { state } = recorder;
  const { phase, languages } = await withAutoChosen(step.phase, { ports, state });
  const { agent, model, skills } = setupOf(phase, state);
  const worker = await ports.agent(agent);
  const sources = { state, workspace: ports.workspace, project: ports.project };
  const { inputs, missing } = await resolveInputs(phase, sources, step.start);
  if (missing.length > 0) return { failure: 'inputs', message: `input not found: ${missing.join(', ')}` };
  const fresh = phase.gates.flatMap((gate) => ports.gates.get(gate.type)?.fresh(gate.settings, phase) ?? []);
  const omit = [...fresh, ...(await earlierReviews(phase, { ports, state }))];
  const at = state.phases.get(phase.id);
  const tip = step.start === undefined ? state.tip : tipOf(step.start, at?.base, state);
  const skilled = await givenSkills(await ports.conventions(skills), { workspace: ports.workspace, state });
  const from = isReview(phase) ? (step.start ?? state.tip?.tree) : step.start;
  const content = {
    start: isReview(phase) && from !== undefined ? await withoutVerdicts(from, { ports, state }) : from,
    inputs: [...inputs, ...skilled.files],
    omit,
    onlyRead: isReview(phase),
    signal,
    ...(state.tip !== undefined && tip !== undefined && { tip }),
  };
  const noted = await withFeedback(phase, content, { ports, state });
  const { dir, start: seen, base } = await ports.workspace.prepare(phase, noted.content);
  const start = isReview(phase) ? (from ?? seen) : seen;
  const { conventions } = skilled;
  const { feedbackFile } = noted;
  const reviewed = isReview(phase) ? await reviewMaterial({ phase, start, inputs }, { ports, state }) : undefined;
  const reading = isAnswered(phase, state)
    ? await openReading({ phase, start: seen, inputs: content.inputs }, ports, signal)
    : undefined;
  try {
    const { attempt } = step;
    const about = { feedbackFile, reviewed, reading, languages };
    const told = { state, phase, attempt, inputs, conventions, base, ...about };
    const brief = ports.secrets.redact(await renderAttempt(told, ports));
    await ports.files.write(`phases/${phase.id}/CLAUDE.md`, brief);
    await ports.files.write(briefPath(phase.id, attempt), brief);
    const { turns: turn, guidance } = at?.history ?? { turns: 0, guidance: [] };
    const known = { ...present({ base, model, feedbackFile, reading }) };
    return {
      dir,
      start,
      seen,
      began: await startWithoutFeedback(start, feedbackFile, ports.workspace),
      ...known,
      inputs,
      brief,
      agent,
      worker,
      turn,
      told: guidance.length,
      ownTokens: ownTokens(brief, [state.request ?? '', ...conventions.texts.map(({ text }) => text)]),
      unseen: reviewed?.notices ?? [],
    };
  } catch (error) {
    await reading?.dispose();
    throw error;
  }
}

const BYTES_PER_TOKEN = 4;

/** Roughly how many tokens of a brief are not somebody else's. */
function ownTokens(brief: string, others: readonly string[]): number {
  const bytes = others.reduce((sum, text) => sum - Buffer.byteLength(text), Buffer.byteLength(brief));
  return Math.max(0, Math.ceil(bytes / BYTES_PER_TOKEN));
}

async function letAgentWork(
  step: AttemptStep,
  context: Timed,
  prepared: Prepared,
): Promise<(AgentEnd & { transcript: string }) | undefined> {
  const { ports, recorder, signal, watchers, time } = context;
  const { phase, attempt } = step;
  const { state } = recorder;
  const model = prepared.model === undefined ? undefined : await ports.modelId(prepared.model);
  const transcript = await ports.files.lines(transcriptPath(phase.id, attempt));
  const started = await recorder.inThatState((now) =>
    isAffordable(phase, now) ? startedAt({ step, prepared, model, preparedMs: time.preparedMs }, now) : undefined,
  );
  if (started === undefined) return undefined;
  const { reserved, reservedMs } = started.data;
  const limit = wallLimit(phase, reservedMs);
  const seen = prepared.reading?.dir ?? prepared.dir;
  const asked = {
    turn: prepared.turn,
    brief: prepared.brief,
    ...present({ model }),
    marker: `${state.marker}:${phase.id}:${attempt}`,
    wallMs: limit.ms,
    ...present({ spendUsd: reserved }),
    signal,
    onLine: (raw: string, text?: string) => {
      transcript.line(raw);
      if (text !== undefined) watchers.onText?.(phase.id, withoutDirectory(ports.secrets.redact(text), seen));
    },
    onSpent: (usd: number) => watchers.onSpent?.(phase.id, usd),
  };
  const { reading, worker, dir, inputs } = prepared;
  const task: AgentTask =
    reading === undefined
      ? {
          role: 'creator',
          ...creatorWalls({ ...ports, isolation: state.isolation }, dir),
          ...{ phase, attempt, inputs, dir, ...asked },
          binaries: setUpPrograms(state.plan.workspace).map((folder) => join(dir, folder)),
        }
      : { ...asked, ...reading.task, sandbox: ports.sandbox };
  const done = await time.during(() => worker.perform(task));
  const end = reading === undefined ? done : await reading.checked(done);
  return { ...limit.explain(end), transcript: await transcript.close() };
}

type Started = Extract<NewEvent, { type: 'attempt_started' }>;
type Start = {
  readonly step: AttemptStep;
  readonly prepared: Prepared;
  readonly model: string | undefined;
  readonly preparedMs: number;
};

/** What is reserved is reckoned in the state it is recorded in: others may have started meanwhile. */
function startedAt({ step, prepared, model, preparedMs }: Start, state: RunState): Started {
  const { phase, attempt } = step;
  return {
    type: 'attempt_started',
    data: {
      ...{ phase: phase.id, attempt, turn: prepared.turn, start: prepared.began },
      ...present({ base: prepared.base }),
      inputs: prepared.inputs,
      brief: sha256(prepared.brief),
      agent: prepared.agent,
      ...present({ model }),
      preparedMs,
      ownTokens: prepared.ownTokens,
      ...((state.phases.get(phase.id)?.history.guidance.length ?? 0) > 0 && { told: prepared.told }),
      ...reservation(phase, state),
    },
  };
}

async function freeze(
  { phase, attempt }: AttemptStep,
  context: StepContext,
  work: Prepared & { end: Extract<AgentEnd, { kind: 'done' }> & { transcript: string }; durationMs: number },
): Promise<void> {
  const { ports, recorder } = context;
  const around = { ports, state: recorder.state };
  const captured = await ports.workspace.capture(withSplitFile(phase, around.state), work.seen);
  const { split, ...made } = await takeSplit(captured, phase, around);
  const left = await withoutFeedback(made, phase, around);
  const { start, seen, inputs } = work;
  const {
    tree,
    notices: noticed,
    broken,
  } = await asReview(left, { phase, start, seen, inputs, ...present({ answer: work.end.answer }) }, around);
  const notices = [...work.unseen, ...noticed, ...(work.end.notices ?? [])];
  if (broken !== undefined) {
    const end = { ...work.end, kind: 'interrupted', ...broken } as const;
    await recordAttempt(recordOf({ phase, attempt }, { ...work, end }), context);
    return interrupted({ phase, attempt }, context, { ...end, notices, durationMs: work.durationMs });
  }
  await recordAttempt({ ...recordOf({ phase, attempt }, work), tree }, context);
  const trespassed = await changedProtected({ phase, tree: tree.id, start: work.start }, { ports, recorder });
  await recorder.happened({
    type: 'attempt_finished',
    data: {
      phase: phase.id,
      attempt,
      tree: tree.id,
      files: tree.files.length,
      changed: countChanged(await ports.workspace.tree(start), tree, work.feedbackFile),
      cost: work.end.cost,
      ...workerOf(work.end),
      ...(work.end.denied !== undefined && { denied: [...work.end.denied] }),
      simulated: work.worker.simulated,
      transcript: work.end.transcript,
      durationMs: work.durationMs,
      ...present({ size: await sizeOf(tree, recorder.state, ports.workspace), split }),
      ...(notices.length > 0 && { notices }),
      ...trespassed,
    },
  });
}

type Ended = Prepared & { readonly end: AgentEnd };

function recordOf({ phase, attempt }: Pick<AttemptStep, 'phase' | 'attempt'>, work: Ended) {
  const { turn, brief, inputs, start, end, worker } = work;
  return { phase: phase.id, attempt, driver: worker.driver, turn, brief, inputs, start, end };
}

type Cut = Worker & {
  failure: FailureClass;
  message: string;
  cost?: Cost;
  denied?: readonly string[];
  until?: string;
};

function workerOf({ model, version }: Worker): Worker {
  return { ...present({ model, version }) };
}

async function interrupted(
  { phase, attempt }: { phase: Phase; attempt: number },
  { recorder }: StepContext,
  cut: Cut & { durationMs: number; notices?: readonly Finding[] },
): Promise<void> {
  const { failure, message, cost, denied, until, durationMs, notices = [] } = cut;
  const event: NewEvent = {
    type: 'attempt_interrupted',
    data: {
      ...{ phase: phase.id, attempt, failure, message, durationMs },
      ...workerOf(cut),
      ...present({ cost }),
      ...(denied !== undefined && { denied: [...denied] }),
      ...present({ until }),
      ...(notices.length > 0 && { notices: [...notices] }),
    },
  };
  await recorder.happened(event);
}

import type { NewEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { type Judging, judgeReservation, type Reservation } from '../../domain/ladder/budget.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { EnginePorts, StepContext } from './engine-ports.ts';
import { failureOf, wordsOf } from './failure.ts';

/** Poll interval while waiting for budget. */
const POLL_MS = 250;

/** The agent that judges, its name in the run's settings, and its model. */
export type ChosenJudge = { readonly agent: Agent; readonly name: string; readonly model: string | undefined };

/** Opens an agent of the run as a judge; its model is that of its settings unless another one is named. */
export async function openJudge(name: string, context: StepContext, named?: string): Promise<ChosenJudge> {
  const { ports, recorder } = context;
  const model = named ?? recorder.state.agents[name]?.model;
  const agent = await ports.agent(name);
  return { agent, name, model: model === undefined ? undefined : await ports.modelId(model) };
}

/** Takes a snapshot to judge and disposes of it afterwards; an expected failure on the way is given to `interrupt`. */
export async function withSnapshot<S extends Snapshot | undefined, T>(
  take: () => Promise<S>,
  judge: (snapshot: S) => Promise<T>,
  interrupt: (cut: { failure: FailureClass; message: string }) => T | Promise<T>,
): Promise<T> {
  let snapshot: S | undefined;
  try {
    snapshot = await take();
    return await judge(snapshot);
  } catch (error) {
    const failure = error instanceof HelixError && error.code === 'config' ? 'setup' : failureOf(error);
    if (failure === undefined) throw error;
    return await interrupt({ failure, message: wordsOf(error) });
  } finally {
    await snapshot?.dispose();
  }
}

/** Reserves what a judge may spend and records that it starts; waits while others hold what is left, undefined when nothing is. */
export async function reserve(
  judging: Judging & { readonly role: 'judge' | 'consultant' },
  { ports, recorder, signal }: StepContext,
  started: (kept: Reservation, now: RunState) => NewEvent,
): Promise<{ spendUsd?: number; wallMs?: number } | undefined> {
  for (;;) {
    const found: { kept: Reservation | 'wait' | 'spent' } = { kept: 'wait' };
    await recorder.inThatState((now) => {
      found.kept = judgeReservation(judging, now);
      return typeof found.kept === 'string' ? undefined : started(found.kept, now);
    });
    const { kept } = found;
    if (kept === 'spent') return undefined;
    if (kept !== 'wait') return present({ spendUsd: kept.reserved, wallMs: kept.reservedMs });
    await ports.clock.sleep(POLL_MS, signal).catch((cause: unknown) => {
      throw new HelixError('stopped', `stopped before the ${judging.role} was asked`, { cause });
    });
  }
}

type Transcript = { readonly path: string; readonly onText: (text: string) => void };
type Around = { readonly dir: string; readonly onLine: (raw: string, text?: string) => void };

/** Lets a judge work in an empty directory of its own; what it says is kept and shown without secrets. */
export async function inNeutralDirectory<T>(
  { neutralDirectory, files, secrets }: Pick<EnginePorts, 'neutralDirectory' | 'files' | 'secrets'>,
  { path, onText }: Transcript,
  ask: (around: Around) => Promise<T>,
): Promise<T> {
  const neutral = await neutralDirectory();
  try {
    const transcript = await files.lines(path);
    const onLine = (raw: string, text?: string) => {
      transcript.line(secrets.redact(raw));
      if (text !== undefined) onText(secrets.redact(text));
    };
    return await ask({ dir: neutral.dir, onLine }).finally(() => transcript.close());
  } finally {
    await neutral.dispose();
  }
}

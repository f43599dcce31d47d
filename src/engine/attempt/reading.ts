import { posix } from 'node:path';
import { JUDGE_INSTRUCTIONS } from '../../approval/approval-brief.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { ReviewAnswer, reviewPaths } from '../../gates/judge/review.ts';
import type { AgentEnd, JudgeTask } from '../../ports/agent.ts';
import { setupOf } from '../step/changed-phase.ts';
import type { EnginePorts } from '../step/engine-ports.ts';

const SHOWN = 5;

/** Where a reviewer reads that answers as a judge does. */
export type Reading = {
  /** The read-only copy of all it may read. */
  readonly dir: string;
  /** The folder of it in which the project lies, where the work lies beside it. */
  readonly project?: string;
  /** What makes it a judge. */
  readonly task: Pick<JudgeTask, 'role' | 'subject' | 'instructions' | 'readable' | 'answer' | 'dir'>;
  /** Its end, unless what it read was changed meanwhile: then there is no opinion about what moves on. */
  readonly checked: (end: AgentEnd) => Promise<AgentEnd>;
  readonly dispose: () => Promise<void>;
};

/**
 * Tells whether a review is done by a judge whose answer HELIX writes down: where the agent can be one, and the review is all that the
 * phase is to write.
 */
export function isAnswered(phase: Phase, state: RunState): boolean {
  const driver = state.agents[setupOf(phase, state).agent]?.driver;
  if (!isReview(phase) || driver === undefined || CAPABILITIES[driver].reviews === 'file') return false;
  const [review, another] = reviewPaths(phase);
  const { output, gates } = phase;
  const wanted = gates.flatMap(({ settings }) => (Array.isArray(settings.files) ? settings.files.map(String) : []));
  const isThat = (file: string) => posix.normalize(file) === review;
  return review !== undefined && another === undefined && [...output.files, ...wanted].every(isThat);
}

type Read = { readonly phase: Phase; readonly start: string; readonly inputs: readonly InputFile[] };
type Ports = Pick<EnginePorts, 'workspace' | 'neutralDirectory'>;

/** Pins what a reviewer is to read, and makes it an empty directory to work in. */
export async function openReading({ phase, start, inputs }: Read, ports: Ports, signal: AbortSignal): Promise<Reading> {
  const snapshot = await ports.workspace.snapshot(phase, start, inputs, signal);
  const neutral = await ports.neutralDirectory().catch(async (error: unknown) => {
    await snapshot.dispose();
    throw error;
  });
  return {
    dir: snapshot.dir,
    ...present({ project: snapshot.project }),
    task: {
      ...{ role: 'reviewer', subject: { type: 'review', checks: [], inputs: [] } },
      ...{ instructions: JUDGE_INSTRUCTIONS, readable: [snapshot.dir], answer: ReviewAnswer, dir: neutral.dir },
    },
    checked: async (end) => {
      const changed = end.kind === 'done' ? await snapshot.changed() : [];
      if (changed.length === 0) return end;
      const message = `what it read was changed while it read it: ${changed.slice(0, SHOWN).join(', ')}`;
      return { ...end, kind: 'interrupted', failure: 'workspace', message };
    },
    dispose: async () => {
      await neutral.dispose();
      await snapshot.dispose();
    },
  };
}

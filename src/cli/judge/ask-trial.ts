import { pinVersion } from '../../adapters/repo/pin-version.ts';
import { askJudge } from '../../approval/ask-judge.ts';
import type { Asking } from '../../approval/calibration/run-trials.ts';
import type { Asked } from '../../approval/judge.ts';
import type { Question } from '../../approval/question.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import type { ChosenJudge } from '../../engine/approve/choose-judge.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { World } from '../../ports/world.ts';

type Court = {
  readonly world: World;
  readonly chosen: ChosenJudge;
  readonly agent: Agent;
  readonly sandbox: Sandbox;
  /** What is asked about every version. */
  readonly question: Question;
  readonly stop: AbortSignal;
};

/** Asks a fresh judge about one version of a document, as an approval would; what goes wrong around it is an interruption. */
export async function askTrial({ trial, turn, spendUsd }: Asking, court: Court): Promise<Asked> {
  const { world, question, stop } = court;
  let snapshot: Snapshot | undefined;
  try {
    snapshot = await pinVersion(question.snapshot, trial, { project: world.project.dir, signal: stop });
    const inputs = snapshot.files.filter(({ path }) => path === trial.path);
    return await ask({ ...question, snapshot, inputs }, court, { turn, spendUsd });
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    const failure = error.code === 'stopped' ? 'cancelled' : 'workspace';
    return { kind: 'interrupted', failure, message: error.message, cost: { usd: 0, basis: 'reported' }, durationMs: 0 };
  } finally {
    await snapshot?.dispose();
  }
}

async function ask(question: Question, court: Court, { turn, spendUsd }: Pick<Asking, 'turn' | 'spendUsd'>) {
  const { world, chosen, agent, sandbox, stop } = court;
  const { name, model, fallbackModel } = chosen;
  const neutral = await world.neutralDirectory();
  try {
    return await askJudge(question, {
      ...{ agent, name, sandbox, clock: world.clock, signal: stop, turn, dir: neutral.dir },
      id: world.newApprovalId(),
      marker: `${world.newMarker()}:calibration:${turn}`,
      ...present({ version: agent.version, model, fallbackModel }),
      reserve: async () => ({ spendUsd }),
      onLine: () => undefined,
    });
  } finally {
    await neutral.dispose();
  }
}

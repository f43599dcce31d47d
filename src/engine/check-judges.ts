import { readAsked } from '../approval/make-question.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { Phase } from '../domain/plan.ts';
import type { World } from '../ports.ts';
import { projectSource } from './question-source.ts';
import { renderFeedback } from './send-back.ts';

/** Makes sure, before anything starts, that every judge a plan asks for is defined, enabled and asked for checks there are; throws HelixError `config`. */
export async function checkJudges(
  phases: readonly Phase[],
  world: Pick<World, 'project' | 'shippedApproval'>,
): Promise<void> {
  const source = projectSource(world);
  for (const phase of phases) {
    for (const request of phase.gates.flatMap(requestOf)) await inPhase(phase, () => readAsked(request, source));
    // What a template says of its own is known now; what a judge says never decides whether it can be filled.
    if (phase.onRejection?.feedback_template !== undefined)
      await inPhase(phase, () => renderFeedback(phase, { lastVerdicts: [], reworks: 0 }));
  }
}

function requestOf({ type, settings }: Phase['gates'][number]): { type: string; checks?: readonly string[] }[] {
  if (type === 'verification') return [{ type }];
  if (type === 'adr_complete' && String(settings.semantic) === 'true') return [{ type: 'adr' }];
  if (type !== 'approval') return [];
  const { checks } = settings;
  return [{ type: String(settings.approval_type), ...(Array.isArray(checks) && { checks: checks.map(String) }) }];
}

async function inPhase(phase: Phase, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'config') throw error;
    throw new HelixError('config', `phase ${phase.id}: ${error.message}`, {
      ...(error.hint !== undefined && { hint: error.hint }),
      cause: error,
    });
  }
}

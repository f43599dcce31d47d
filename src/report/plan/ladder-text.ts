import { creatorsBefore, returnTargets } from '../../domain/ladder/authors.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { count } from '../words/count.ts';

type Run = { readonly plan: Plan; readonly escalation: EscalationSettings };

/** What follows when a phase fails, rung by rung; by gate where they differ. */
export function renderLadder(phase: Phase, { plan, escalation }: Run): string {
  if (phase.type === 'approval') return afterRejection(phase, plan);
  const ladders = phase.gates.map((gate) => ({
    gate: gate.type,
    rungs:
      isReview(phase) && gate.type === 'review_approved'
        ? afterReview(gate, phase, { plan, escalation })
        : rungs(gate, escalation),
  }));
  const [first] = ladders;
  if (first === undefined || ladders.every((each) => each.rungs === first.rungs)) return first?.rungs ?? '';
  return ladders.map((each) => `${each.gate}: ${each.rungs}`).join('; ');
}

function rungs({ onFailure, maxRetries }: Gate, { consultant }: EscalationSettings): string {
  if (onFailure === 'abort') return ENDS;
  const { attempts = maxRetries } = consultant;
  const first = count(onFailure === 'escalation' ? 1 : maxRetries, 'attempt');
  return [first, ...(attempts === 0 ? [] : ['consultant', count(attempts, 'attempt')]), 'human'].join(', ');
}

/** A review that rejects is not read again: its authors rework what it rejects. */
function afterReview(gate: Gate, phase: Phase, { plan, escalation }: Run): string {
  if (phase.onRejection !== undefined) return afterRejection(phase, plan);
  if (gate.onFailure === 'abort') return ENDS;
  const [target] = returnTargets(phase, undefined, { plan });
  if (target === undefined) return 'human';
  const author = phase.input?.fromPhase ?? (creatorsBefore(phase, plan).length === 1 ? target : 'its authors');
  const { attempts = gate.maxRetries } = escalation.consultant;
  const first = gate.onFailure === 'escalation' ? [] : [`${count(gate.maxRetries, 'rework')} of ${author}`];
  const second = attempts === 0 ? [] : ['consultant', `${count(attempts, 'rework')} of ${author}`];
  return [...first, ...second, 'human'].join(', ');
}

const ENDS = 'the run ends';

function afterRejection(phase: Phase, plan: Plan): string {
  const { action = 'fail', max_retries = phase.maxRetries } = phase.onRejection ?? {};
  const [target] = returnTargets(phase, undefined, { plan });
  if (action === 'fail') return ENDS;
  return action === 'escalate' || target === undefined
    ? 'human'
    : `${count(max_retries, 'rework')} of ${target}, human`;
}

import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { brief } from './run-scenario.ts';

const KEPT = new Set([
  'attempt_judged',
  'approval_finished',
  'consultation_finished',
  'consultation_refused',
  'experts_chosen',
  'plan_grown',
  'meeting_answered',
  'meeting_refused',
  'expert_left_out',
  'answer_assumed',
  'criteria_skipped',
  'plan_reverted',
  'phase_sent_back',
  'phase_accepted',
  'phase_skipped',
  'phase_failed',
  'human_asked',
  'decision_taken',
  'run_finished',
]);

/**
 * What must not depend on where a run was cut: every judgement, advice, acceptance, question, answer and the end. Whether two phases
 * have to be joined depends on which was faster; the judgement of the merged tree is left out.
 */
export function essence(events: readonly RunEvent[]): string[] {
  const seen = new Set<string>();
  const kept = events.filter(({ type, data }) => {
    const key = 'attempt' in data ? `${data.phase}#${data.attempt}` : '';
    const again = type === 'attempt_judged' && seen.has(key);
    if (type === 'attempt_judged') seen.add(key);
    return KEPT.has(type) && !again;
  });
  return brief(kept).sort();
}

/** The attempts that were started or judged again although they had been judged. */
export function judgedTwice(events: readonly RunEvent[]): string[] {
  const judged = new Set<string>();
  const again: string[] = [];
  for (const { type, data } of events) {
    if (!('attempt' in data)) continue;
    const key = `${data.phase}#${data.attempt}`;
    if (type === 'attempt_joined') judged.delete(key);
    if (judged.has(key) && (type === 'attempt_started' || type === 'attempt_judged')) again.push(key);
    if (type === 'attempt_judged') judged.add(key);
  }
  return again;
}

/** The trees that were accepted, by phase, with what of them was published; that of an approval has its result in it, whose id and time are its own. */
export function acceptedTrees(events: readonly RunEvent[]): Record<string, string> {
  const [first] = events;
  const phases = first?.type === 'run_started' ? first.data.plan.phases : [];
  const approvals = new Set(phases.filter(({ type }) => type === 'approval').map(({ id }) => id));
  return Object.fromEntries(
    events.flatMap((event) =>
      event.type === 'phase_accepted' && !approvals.has(event.data.phase)
        ? [[event.data.phase, treesOf(event.data)]]
        : [],
    ),
  );
}

function treesOf({ tree, published }: Extract<RunEvent, { type: 'phase_accepted' }>['data']): string {
  if (published === undefined) return tree;
  const kept = published.keptOut.map(({ path, phase }) => `${path} of ${phase}`);
  return `${tree}, published ${published.tree} without ${kept.join(', ')}`;
}

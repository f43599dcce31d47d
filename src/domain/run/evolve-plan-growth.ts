import type { Decision } from '../facts/consultation.ts';
import type { PhaseState } from '../facts/run-state.ts';
import { type Data, type DraftState, phaseOf, put, update } from '../facts/state-draft.ts';
import { isJudge } from '../plan/judging-phase.ts';
import { TASK_SOURCE } from '../plan/plan.ts';
import { present } from '../present.ts';
import { replan } from './evolve-replan.ts';

/** The plan has grown by what a phase wrote, or stays as it was: what has begun is not touched by it. */
export function growPlan(state: DraftState, data: Data<'plan_grown'>): void {
  const { phase, tree, plan, source, added, changed, dropped, kept } = data;
  const words = phaseOf(state, phase).rulings.plan?.words;
  if (plan !== undefined) {
    const { agents, creator, judges, isolation } = state;
    const waiting = changed.filter((id) => state.phases.get(id)?.status === 'waiting');
    // What a task grows by is no file that somebody could edit.
    const from = state.source.path === TASK_SOURCE ? state.source : (source ?? state.source);
    replan(state, {
      ...{ plan, source: from, agents, creator, judges, isolation, actor: phase },
      ...{ voided: waiting, rejudged: [] },
      ...present({ tried: data.tried }),
    });
    if (words !== undefined) tellNew(state, [...added, ...changed], words);
  }
  update(state, phase, { grown: tree });
  state.growths = [...(state.growths ?? []), { phase, added, changed, dropped, ...present({ kept }) }];
}

/** Who let a plan pass and said something to it speaks to those who work by it. */
function tellNew(state: DraftState, ids: readonly string[], words: string): void {
  for (const { id, type } of state.plan.phases) {
    if (!ids.includes(id) || isJudge({ type })) continue;
    const { history } = phaseOf(state, id);
    update(state, id, { history: { ...history, guidance: [...history.guidance, words] } });
  }
}

/** A human said what becomes of the plan that a phase wrote. */
export function rulePlan(state: DraftState, phase: PhaseState, { action, guidance }: Decision): void {
  const answer = action === 'proceed' ? 'take' : action === 'keep' ? 'keep' : 'back';
  const words = answer === 'take' ? guidance : undefined;
  const plan = { tree: phase.current?.tree ?? '', answer, ...present({ words }) } as const;
  put(state, { ...phase, status: 'running', rulings: { ...phase.rulings, plan } });
}

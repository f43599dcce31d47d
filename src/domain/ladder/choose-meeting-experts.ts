import type { MeetingExpert } from '../facts/meeting.ts';
import type { RunState } from '../facts/run-state.ts';
import { chooseExperts } from '../kinds/choose-experts.ts';
import type { Phase } from '../plan/plan.ts';

const MOST_EXPERTS = 12;

/** The experts a phase hears: those its plan names, and where it says `auto` those the request calls for, each with the reason. */
export function meetingExperts(phase: Phase, { plan, request }: Pick<RunState, 'plan' | 'request'>): MeetingExpert[] {
  const described = new Map((plan.experts ?? []).map((expert) => [expert.id, expert]));
  const matter = [request, plan.project.description, phase.description, phase.config.description]
    .filter((text) => text !== undefined)
    .join('\n');
  const chosen = new Map<string, MeetingExpert>();
  for (const wanted of phase.config.experts ?? []) {
    const found =
      wanted === 'auto'
        ? chooseExperts(matter, [], [...described.values()])
        : [{ id: wanted, reason: 'the plan names it' }];
    for (const { id, reason } of found) {
      const { name = id, description = '', skills = [] } = described.get(id) ?? {};
      if (!chosen.has(id)) chosen.set(id, { id, name, because: reason, description, skills: [...skills] });
    }
  }
  return [...chosen.values()].slice(0, MOST_EXPERTS);
}

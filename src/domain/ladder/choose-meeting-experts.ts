import type { MeetingExpert } from '../facts/meeting.ts';
import type { ChosenExpert } from '../kinds/choose-experts.ts';
import type { Phase, Plan } from '../plan/plan.ts';

const MOST_EXPERTS = 12;

/** The experts a phase hears: those its plan names, and where it says `auto` those that were chosen, each with the reason. */
export function meetingExperts(
  phase: Phase,
  { experts = [] }: Pick<Plan, 'experts'>,
  chosenByHelix: readonly ChosenExpert[] = [],
): MeetingExpert[] {
  const described = new Map(experts.map((expert) => [expert.id, expert]));
  const chosen = new Map<string, MeetingExpert>();
  for (const wanted of phase.config.experts ?? []) {
    const found = wanted === 'auto' ? chosenByHelix : [{ id: wanted, reason: 'the plan names it' }];
    for (const { id, reason } of found) {
      const { name = id, description = '', skills = [] } = described.get(id) ?? {};
      if (!chosen.has(id)) chosen.set(id, { id, name, because: reason, description, skills: [...skills] });
    }
  }
  return [...chosen.values()].slice(0, MOST_EXPERTS);
}

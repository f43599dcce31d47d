import { criteriaBrief, expertBrief, type MeetingMatter, questionsBrief } from '../../brief/meeting-briefs.ts';
import {
  CriteriaAnswer,
  ExpertWords,
  type MeetingExpert,
  type MeetingState,
  NO_MEETING,
  Preparation,
} from '../../domain/facts/meeting.ts';
import { meetingExperts } from '../../domain/ladder/choose-meeting-experts.ts';
import { mostQuestions, questionFaults, unheard } from '../../domain/ladder/meeting.ts';
import type { Step } from '../../domain/run/decide.ts';
import { askedBefore } from '../../domain/run/evolve-meeting.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { withAutoChosen } from '../step/auto-choices.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { withSnapshot } from '../step/fresh-judge.ts';
import { meetingMatter, meetingSnapshot, skillsOf } from './matter.ts';
import { askInMeeting, beginInMeeting, interruptMeeting, type MeetingCall } from './meeting-call.ts';
import { criteriaOf } from './write-criteria.ts';

type MeetStep = Extract<Step, { do: 'meet' }>;

/** Takes a meeting one step further; what anybody says in it is a fact before anything follows from it. */
export async function performMeeting(step: MeetStep, context: StepContext): Promise<void> {
  const { recorder, ports } = context;
  if (step.part === 'experts' && meetingOf(step, context).experts === undefined) return chooseExperts(step, context);
  await withSnapshot<Snapshot, void>(
    () => meetingSnapshot(step.phase, context),
    async (snapshot) => {
      const matter = await meetingMatter(step.phase, { ports, state: recorder.state, snapshot });
      if (step.part === 'experts') return hear(step, matter, context);
      if (step.part === 'questions') return prepare(step, matter, context);
      return judgeBy(step, matter, context);
    },
    (cut) => interruptMeeting({ ...step, part: step.part === 'experts' ? 'questions' : step.part }, cut, context),
  );
}

function meetingOf({ phase }: MeetStep, { recorder }: StepContext): MeetingState {
  return recorder.state.phases.get(phase.id)?.history.meeting ?? NO_MEETING;
}

/** Says whom the request, and what the project is made of, call for. */
async function chooseExperts({ phase }: MeetStep, { recorder, ports }: StepContext): Promise<void> {
  const { choices } = await withAutoChosen(phase, { ports, state: recorder.state });
  const chosen = choices.flatMap(({ setting, name, reason }) =>
    setting === 'experts' && name !== undefined ? [{ id: name, reason }] : [],
  );
  const experts = meetingExperts(phase, recorder.state.plan, chosen);
  await recorder.happened({ type: 'experts_chosen', data: { phase: phase.id, experts } });
}

/** Hears all experts who have not been heard yet, side by side; none of them knows what another one says. */
async function hear(step: MeetStep, matter: MeetingMatter, context: StepContext): Promise<void> {
  const meeting = meetingOf(step, context);
  const { experts = [], missed } = meeting;
  const waiting = new Set(unheard(meeting));
  const ends: Promise<{ error: unknown } | undefined>[] = [];
  try {
    for (const [place, expert] of experts.entries()) {
      if (!waiting.has(expert.id)) continue;
      const turn = place + experts.length * (missed[expert.id]?.times ?? 0);
      const call = await callOf(expert, { step, matter, turn, among: waiting.size }, context);
      const answer = await beginInMeeting(call, context);
      // Whoever is asked answers at once: what is kept for them may be what the next one waits for.
      ends.push(
        answer().then(
          () => undefined,
          (error: unknown) => ({ error }),
        ),
      );
    }
  } finally {
    // What they read is there until the last of them has ended.
    await Promise.all(ends);
  }
  const broken = (await Promise.all(ends)).find((end) => end !== undefined);
  if (broken !== undefined) throw broken.error;
}

type Heard = { readonly step: MeetStep; readonly matter: MeetingMatter; readonly turn: number; readonly among: number };

async function callOf(
  expert: MeetingExpert,
  { step, matter, turn, among }: Heard,
  { ports }: StepContext,
): Promise<MeetingCall<ExpertWords>> {
  const { phase, attempt } = step;
  const skills = await skillsOf(expert.skills, ports);
  return {
    ...{ phase, attempt, part: 'expert', expert, turn, among, dir: matter.dir },
    told: expertBrief(matter, expert, skills),
    answer: ExpertWords,
    conclude: async (words) => ({ part: 'expert', expert: expert.id, words }),
  };
}

/** Asks what is clear and what has to be asked; questions that should not be asked are refused as a whole. */
async function prepare(step: MeetStep, matter: MeetingMatter, context: StepContext): Promise<void> {
  const { phase, attempt } = step;
  const { state } = context.recorder;
  const { rung } = state.phases.get(phase.id) ?? {};
  const most = mostQuestions(phase);
  const refused = rung?.refused ?? [];
  const meeting = meetingOf(step, context);
  await askInMeeting(
    {
      ...{ phase, attempt, part: 'questions', turn: askedBefore('questions', state), dir: matter.dir },
      told: questionsBrief(matter, { meeting, most, refused }),
      answer: Preparation,
      conclude: async (answer) => {
        const faults = questionFaults(answer, most);
        return faults.length > 0 ? { refused: faults } : { part: 'questions', ...answer };
      },
    },
    context,
  );
}

/** Asks somebody else than its author by what the work is to be judged, and writes it into the work. */
async function judgeBy(step: MeetStep, matter: MeetingMatter, context: StepContext): Promise<void> {
  const { phase, attempt } = step;
  const at = context.recorder.state.phases.get(phase.id);
  const from = at?.current?.tree;
  if (from === undefined) return;
  const written = await criteriaOf(phase, from, { ports: context.ports, state: context.recorder.state });
  if ('reason' in written) {
    const data = { phase: phase.id, attempt, tree: from, reason: written.reason };
    return context.recorder.happened({ type: 'criteria_skipped', data });
  }
  const refused = at?.rung.refused ?? [];
  const told = { gates: written.gatesFile !== undefined, planned: written.planned.phases, refused };
  await askInMeeting(
    {
      ...{ phase, attempt, part: 'criteria', turn: askedBefore('criteria', context.recorder.state), dir: matter.dir },
      told: criteriaBrief({ ...matter, spec: written.spec }, told),
      answer: CriteriaAnswer,
      conclude: (answer) => written.put(answer),
    },
    context,
  );
}

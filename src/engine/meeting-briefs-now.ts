import type { BriefPart } from '../brief/brief-parts.ts';
import { criteriaBrief, expertBrief, type MeetingMatter, questionsBrief } from '../brief/meeting-briefs.ts';
import { type MeetingExpert, NO_MEETING } from '../domain/facts/meeting.ts';
import { HelixError } from '../domain/helix-error.ts';
import { meetingExperts } from '../domain/ladder/choose-meeting-experts.ts';
import { holdsMeeting, mostQuestions, wantsMeeting, writesSpec } from '../domain/ladder/meeting.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { READ_ONLY_COPY } from './brief-now.ts';
import { meetingMatter, skillsOf } from './meeting/matter.ts';
import { plannedPhases } from './meeting/planned-phases.ts';
import { criteriaOf } from './meeting/write-criteria.ts';
import { withAutoChosen } from './step/auto-choices.ts';
import type { RunContext } from './step/engine-ports.ts';

/** Who is asked in a meeting: experts, the consultant who looks and asks, and the one who says by what the work is judged. */
export const MEETING_ROLES = ['expert', 'questions', 'criteria'] as const;
type MeetingRole = (typeof MEETING_ROLES)[number];

/** Tells whether a role is one of a meeting. */
export function isMeetingRole(role: string): role is MeetingRole {
  return MEETING_ROLES.some((each) => each === role);
}

/** What somebody would be told in a meeting now. */
export type MeetingBriefNow = {
  readonly brief: string;
  readonly instructions: string;
  readonly parts: readonly BriefPart[];
};

type Now = RunContext<
  'workspace' | 'project' | 'gates' | 'shippedConfig' | 'shippedApproval' | 'conventions' | 'secrets' | 'template'
>;

/** What those who are asked in the meeting of a phase would be told now, one brief each; throws HelixError `usage` where nobody is. */
export async function meetingBriefsNow(phase: Phase, role: MeetingRole, now: Now): Promise<MeetingBriefNow[]> {
  refuseWithout(phase, role, now);
  const snapshot = { dir: READ_ONLY_COPY, files: [] };
  const matter = await meetingMatter(phase, { ...now, snapshot });
  const told = await briefsFor(role, { phase, matter, ...now });
  const common = partsOf(matter, now);
  const redact = (text: string) => now.ports.secrets.redact(text);
  return told.map(({ brief, instructions, parts }) => ({
    ...{ brief: redact(brief), instructions },
    parts: [...parts, ...common],
  }));
}

function refuseWithout(phase: Phase, role: MeetingRole, { state }: Now): void {
  const held = holdsMeeting(phase, state.phases.get(phase.id), state);
  if (!held) {
    throw new HelixError('usage', `HELIX holds no meeting in ${phase.id}, so there is no ${role} to be told anything`, {
      hint: wantsMeeting(phase)
        ? 'Its agent gives no answers of a fixed form; name another one for it.'
        : 'A phase of type meeting or consultant holds one that says config: { experts: [...] } or max_iterations.',
    });
  }
  if (role !== 'criteria' || writesSpec(phase)) return;
  throw new HelixError('usage', `${phase.id} writes no spec.yaml, so nobody writes criteria into it`, {
    hint: 'Declare spec.yaml among its outputs.',
  });
}

type Asking = Now & { readonly phase: Phase; readonly matter: MeetingMatter };

async function briefsFor(role: MeetingRole, asking: Asking): Promise<MeetingBriefNow[]> {
  if (role === 'expert') return expertBriefs(asking);
  return [role === 'questions' ? questionsNow(asking) : await criteriaNow(asking)];
}

async function expertBriefs({ phase, matter, ports, state }: Asking): Promise<MeetingBriefNow[]> {
  const experts = await heard({ phase, matter, ports, state });
  if (experts.length === 0) {
    throw new HelixError('usage', `no expert is heard in ${phase.id}`, {
      hint: 'Name some under config.experts; helix plan shows what auto stands for and why.',
    });
  }
  return Promise.all(
    experts.map(async (expert) => {
      const skills = await skillsOf(expert.skills, ports);
      const own = expert.description.trim() !== '';
      return {
        ...expertBrief(matter, expert, skills),
        parts: [
          { part: `expert ${expert.id}`, from: expert.because },
          ...(own ? [{ part: 'field', from: `config/domain-experts.yaml: ${expert.id}` }] : []),
          ...skills.map(({ path }) => ({ part: 'skill', from: path })),
        ],
      };
    }),
  );
}

/** Those the meeting has chosen or, as long as it has not, those it would. */
async function heard({ phase, ports, state }: Asking): Promise<readonly MeetingExpert[]> {
  const chosen = state.phases.get(phase.id)?.history.meeting?.experts;
  if (chosen !== undefined) return chosen;
  const { choices } = await withAutoChosen(phase, { ports, state });
  const found = choices.flatMap(({ setting, name, reason }) =>
    setting === 'experts' && name !== undefined ? [{ id: name, reason }] : [],
  );
  return meetingExperts(phase, state.plan, found);
}

function questionsNow({ phase, matter, state }: Asking): MeetingBriefNow {
  const at = state.phases.get(phase.id);
  const meeting = at?.history.meeting ?? NO_MEETING;
  const refused = at?.rung.refused ?? [];
  const opinions = meeting.heard.map(({ expert }) => ({
    part: `opinion of ${expert}`,
    from: 'the meeting of this run',
  }));
  return {
    ...questionsBrief(matter, { meeting, most: mostQuestions(phase), refused }),
    parts: [...opinions, ...refusedPart(refused)],
  };
}

async function criteriaNow({ phase, matter, ports, state }: Asking): Promise<MeetingBriefNow> {
  const at = state.phases.get(phase.id);
  const refused = at?.rung.refused ?? [];
  const from = at?.current?.tree;
  const written = from === undefined ? undefined : await criteriaOf(phase, from, { ports, state });
  if (written !== undefined && 'spec' in written) {
    const told = { gates: written.gatesFile !== undefined, planned: written.planned.phases, refused };
    return {
      ...criteriaBrief({ ...matter, spec: written.spec }, told),
      parts: [{ part: 'specification to be judged by', from: 'what the phase has written' }, ...refusedPart(refused)],
    };
  }
  const gates = phase.output.files.some((file) => file.endsWith('quality-gates.yaml'));
  const empty = { read: async () => undefined };
  const { phases: planned } = await plannedPhases(phase, { tree: empty, state });
  return { ...criteriaBrief(matter, { gates, planned, refused }), parts: refusedPart(refused) };
}

function refusedPart(refused: readonly string[]): BriefPart[] {
  return refused.length === 0 ? [] : [{ part: 'why the last answer was refused', from: 'the meeting of this run' }];
}

/** Where everything comes from that everybody in the meeting is told. */
function partsOf(matter: MeetingMatter, { state }: Now): BriefPart[] {
  const { path: plan } = state.source;
  const { phase, spec, baseline, inputs, conventions, guidance, returns, rejection, verdicts, hints } = matter;
  const described = phase.description ?? phase.config.description;
  const asksRequest = (matter.request ?? '').trim() !== '';
  const parts: (BriefPart | false)[] = [
    { part: 'task', from: described === undefined ? `made of type and outputs in ${plan}` : `${plan}: ${phase.id}` },
    asksRequest && { part: 'request', from: 'request.md, as it was when the run began' },
    { part: 'what it delivers and is judged by', from: `outputs and gates in ${plan}` },
    spec !== undefined && { part: 'specification', from: 'spec.yaml, with what was decided about it in this run' },
    { part: 'place in the plan', from: plan },
    { part: 'money and time', from: 'the budget, less what is spent and reserved' },
    ...inputs.map((path) => ({ part: `input ${path}`, from: 'the project or an earlier phase' })),
    conventions.length > 0 && { part: 'names of conventions', from: 'the project, as it was when the run began' },
    baseline.length > 0 && { part: 'what failed before', from: 'the trial on the untouched tree' },
    guidance.length > 0 && { part: 'what a human decided', from: 'answers to questions of this run' },
    rejection !== undefined && { part: 'why the work came back', from: 'the approval that was not given' },
    verdicts.length > 0 && { part: 'what was wrong', from: 'the last judgement' },
    hints.length > 0 && { part: 'hints', from: 'what a consultant suggested in this run' },
    returns.length > 0 && { part: 'why it is done again', from: 'decisions of this run' },
    matter.language !== undefined && { part: 'language', from: 'helix.yaml: language' },
  ];
  return parts.filter((part) => part !== false);
}

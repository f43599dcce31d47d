import { objectionLine } from '../../brief/objection.ts';
import { bounded, quote } from '../../brief/quote.ts';
import { renderTemplate } from '../../brief/render-template.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { returnOf, voidedBy } from '../../domain/ladder/return-reach.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Step } from '../../domain/run/decide.ts';
import { objectingTo, objectionsTo } from '../../domain/run/evolve-approval.ts';
import { inEnglish, phrase, type Say, translateLines } from '../../text/say.ts';
import type { EnginePorts } from '../step/engine-ports.ts';
import type { Recorder } from '../step/recorder.ts';
import { sayIn } from '../words/say-in.ts';

type SendBack = Extract<Step, { do: 'send-back' }>;

const MAX_FEEDBACK = 32 * 1024;

/** Sends the work back that a judge rejected, to each author with what was said of it; all that depends on it is void. */
export async function performSendBack(
  { phase, targets: first }: SendBack,
  { ports, recorder }: { ports: Pick<EnginePorts, 'shippedTemplate'>; recorder: Recorder },
): Promise<void> {
  const { state } = recorder;
  const back = returnOf(phase.id, first, state);
  const voided = voidedBy(back, state);
  const objectors = objectingTo({ phase: phase.id, voided }, state);
  const say = sayIn(state.language, ports);
  const returned: { target: string; feedback: string }[] = [];
  for (const target of back.targets)
    returned.push({ target, feedback: await feedbackFor(target, { objectors, targets: back.targets, state, say }) });
  const [main, ...others] = returned;
  if (main === undefined) throw new TypeError(`${phase.id} sends work back to nobody`);
  await recorder.happened({
    type: 'phase_sent_back',
    data: {
      ...{ phase: phase.id, ...main },
      rework: (state.phases.get(phase.id)?.history.reworks ?? 0) + 1,
      voided,
      ...(others.length > 0 && { others }),
    },
  });
}

type Objections = {
  readonly objectors: readonly string[];
  readonly targets: readonly string[];
  readonly state: RunState;
  readonly say: Say;
};

/** What all that object say of the work of one phase. */
async function feedbackFor(target: string, { objectors, targets, state, say }: Objections): Promise<string> {
  const told: string[] = [];
  for (const id of objectors) {
    const [judge, objector] = [state.plan.phases.find((each) => each.id === id), state.phases.get(id)];
    if (judge === undefined || objector === undefined) continue;
    const lastVerdicts = objectionsTo(target, { objector, targets, state });
    const concerned = lastVerdicts.length > 0 || isOnlyOpinion(target, { objector, targets });
    const rework = objector.history.reworks + 1;
    if (!concerned) continue;
    const said = await renderFeedback(judge, { lastVerdicts, rework, say });
    told.push(`${whoDecided(judge, objector, say)}\n${said.trimEnd()}`);
  }
  return bounded(`${told.join('\n\n')}\n`, MAX_FEEDBACK);
}

const JUDGED_BY = phrase('Judged by {judge} ({kind}).');
const STANDS = phrase(
  '{judge} ({kind}) was not asked again: what it rejected came back unchanged, and what it said of it stands.',
);
const BY_A_HUMAN = phrase('A human was asked about that, and sends the work back.');

function whoDecided({ id, type }: Phase, { overruled, current }: PhaseState, say: Say): string {
  const judge = say(current?.standing === true ? STANDS : JUDGED_BY, { judge: id, kind: type });
  return overruled ? `${judge} ${say(BY_A_HUMAN)}` : judge;
}

type Opinion = { readonly objector: PhaseState };

/** A review can reject without a finding. */
function isOnlyOpinion(target: string, { objector, targets }: Pick<Objections, 'targets'> & Opinion): boolean {
  const authors = objector.current?.authors ?? [];
  return authors.some(({ phase }) => phase === target && targets.includes(phase));
}

const OBJECTIONS = `
{% if blocking_issues %}
It objects to this:

{{ blocking_issues }}
{% endif %}{% if suggestions %}
It suggests:

{{ suggestions }}
{% endif %}`;
const NOT_APPROVED = `The approval was not given.${OBJECTIONS}`;
const REVIEW_REJECTS = `The review does not approve this work.${OBJECTIONS}`;

type Rejected = Pick<PhaseState, 'lastVerdicts'> & { readonly rework: number; readonly say?: Say };

/** What a judge's objections become in the words of the plan: values are put in once and never read as a template. */
export function renderFeedback(
  { type, onRejection, maxRetries }: Pick<Phase, 'type' | 'onRejection' | 'maxRetries'>,
  { lastVerdicts, rework, say = inEnglish }: Rejected,
): Promise<string> {
  const findings = lastVerdicts.flatMap((verdict) => verdict.findings);
  const objections = findings.filter(({ severity }) => severity === 'error');
  const blocking = objections.length > 0 ? objections : findings.filter(({ severity }) => severity === 'warning');
  const suggestions = findings.filter((finding) => !blocking.includes(finding));
  return renderTemplate(
    onRejection?.feedback_template ?? translateLines(isReview({ type }) ? REVIEW_REJECTS : NOT_APPROVED, say),
    {
      blocking_issues: listed(blocking, say),
      suggestions: listed(suggestions, say),
      findings: listed(findings, say),
      attempt: rework,
      max_retries: onRejection?.max_retries ?? maxRetries,
    },
    'on_rejection.feedback_template',
  );
}

/** Null where there is nothing, so that a template can ask for it. */
function listed(findings: readonly Finding[], say: Say): string | null {
  if (findings.length === 0) return null;
  return quote(findings.map((finding) => objectionLine(finding, say)).join('\n'));
}

import { bounded, quote } from '../../brief/quote.ts';
import { renderTemplate } from '../../brief/render-template.ts';
import type { PhaseState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { type Step, voidedBy } from '../../domain/run/decide.ts';
import { objectingTo } from '../../domain/run/evolve-approval.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Recorder } from '../step/recorder.ts';

type SendBack = Extract<Step, { do: 'send-back' }>;

const MAX_FEEDBACK = 32 * 1024;

/** Sends the work back that an approval rejected, with what its judge said; all that depends on it is void. */
export async function performSendBack(
  { phase, target }: SendBack,
  { recorder }: { recorder: Recorder },
): Promise<void> {
  const { state } = recorder;
  const voided = voidedBy(phase.id, target, state);
  const told: string[] = [];
  for (const id of objectingTo({ phase: phase.id, voided }, state)) {
    const [objector, at] = [state.plan.phases.find((each) => each.id === id), state.phases.get(id)];
    if (objector === undefined || at === undefined) continue;
    told.push((await renderFeedback(objector, at, at.history.reworks + 1)).trimEnd());
  }
  await recorder.happened({
    type: 'phase_sent_back',
    data: {
      phase: phase.id,
      target,
      rework: (state.phases.get(phase.id)?.history.reworks ?? 0) + 1,
      feedback: bounded(`${told.join('\n\n')}\n`, MAX_FEEDBACK),
      voided,
    },
  });
}

const DEFAULT_TEMPLATE = `The approval was not given.
{% if blocking_issues %}
It objects to this:

{{ blocking_issues }}
{% endif %}{% if suggestions %}
It suggests:

{{ suggestions }}
{% endif %}`;

/** What a judge's objections become in the words of the plan: values are put in once and never read as a template. */
export function renderFeedback(
  { onRejection, maxRetries }: Pick<Phase, 'onRejection' | 'maxRetries'>,
  at: Pick<PhaseState, 'lastVerdicts'>,
  rework: number,
): Promise<string> {
  const findings = at.lastVerdicts.flatMap((verdict) => verdict.findings);
  const objections = findings.filter(({ severity }) => severity === 'error');
  const blocking = objections.length > 0 ? objections : findings.filter(({ severity }) => severity === 'warning');
  const suggestions = findings.filter((finding) => !blocking.includes(finding));
  return renderTemplate(
    onRejection?.feedback_template ?? DEFAULT_TEMPLATE,
    {
      blocking_issues: listed(blocking),
      suggestions: listed([...suggestions]),
      findings: listed(findings),
      attempt: rework,
      max_retries: onRejection?.max_retries ?? maxRetries,
    },
    'on_rejection.feedback_template',
  );
}

/** Null where there is nothing, so that a template can ask for it. */
function listed(findings: readonly Finding[]): string | null {
  if (findings.length === 0) return null;
  return quote(findings.map(lineOf).join('\n'));
}

function lineOf({ severity, check, message, hint, location }: Finding): string {
  const place = [location?.file, location?.line].filter((part) => part !== undefined).join(':');
  const where = place === '' ? '' : ` at ${oneLine(place, 300)}`;
  return `- ${severity} (${oneLine(check, 80)})${where}: ${oneLine(message, 500)}${hint === undefined ? '' : ` Hint: ${oneLine(hint, 300)}`}`;
}

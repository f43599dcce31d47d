import type { HilRequestDocument } from '../../domain/documents/escalation-documents.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import { type ConsultationRecord, isIntervention } from '../run/consultations.ts';
import { renderChanges } from '../words/changes-text.ts';
import { consultationPath } from '../words/run-paths.ts';
import { renderUtc } from '../words/time.ts';
import { REFUSED_ANSWER } from './consultant-decision.ts';
import { notAnalysed } from './hil-request.ts';

/** attachments/consultant-analysis.md: what consultants made of the failure, in their words; or that nobody analysed anything. */
export function consultantAnalysis(document: HilRequestDocument, consultations: readonly ConsultationRecord[]): string {
  const { problem, suspected_cause, learning } = document.consultant_analysis;
  const answered = consultations.filter(({ answer }) => answer !== undefined);
  const source =
    answered.length === 0
      ? `${notAnalysed(consultations)}. This page is drawn from the findings of the last attempt.`
      : 'What follows are the words of a consultant, an agent like the others: judge them yourself.';
  return [
    `# ${oneLine(document.phase)}: what is known`,
    source,
    ...[`Problem: ${problem}`, `Suspected cause: ${suspected_cause}`, `Learning: ${learning}`].map(told),
    ...consultations.flatMap(refusal),
    ...answered.flatMap(consultationSection),
    '',
  ].join('\n\n');
}

function refusal({ refused, reasons = [], consultation, phase }: ConsultationRecord): string[] {
  if (refused === undefined) return [];
  const path = `../../../../${consultationPath(phase, consultation)}/${REFUSED_ANSWER}`;
  return [told(`An answer was refused (${reasons.join('; ')}). It is kept in ${path}`)];
}

function consultationSection(record: ConsultationRecord): string[] {
  const { consultation, startedAt, agent, model, because, answer } = record;
  if (answer === undefined) return [];
  const { failure_summary, root_cause, learning } = answer.analysis;
  const { model_switch, plan_revert, additional_hints } = answer.decision;
  const who = [agent, ...(model === undefined ? [] : [model])].map((name) => oneLine(name, 80)).join(', ');
  const said: readonly (readonly [string, string | null | undefined])[] = [
    ['Asked because', because],
    ['Failure', failure_summary],
    ['Root cause', root_cause],
    ['Learning', learning],
    ['Why another model', model_switch?.reasoning],
    ['Why go back', plan_revert?.enabled === true ? plan_revert.reasoning : undefined],
    ['Hints', additional_hints?.join('\n')],
    ['Expected outcome', answer.expected_outcome],
    ['Confidence', answer.confidence?.toString()],
    ['Question', answer.question],
    ['What takes effect', isIntervention(record) ? renderChanges(record) : 'a human decides'],
  ];
  return [
    `## Consultation ${oneLine(consultation, 80)}, ${renderUtc(startedAt)} (${who})`,
    ...said.flatMap(([name, text]) =>
      text === undefined || text === null || text === '' ? [] : [told(`${name}: ${text}`)],
    ),
  ];
}

/** Quoted, so that nothing in it becomes a heading or a link of this page. */
function told(text: string): string {
  return excerpt(text, 4000)
    .split('\n')
    .map((line) => `> ${line.replace(/[[\]<>`]/g, '\\$&')}`)
    .join('\n');
}

import type { RunEvent } from '../domain/run-event.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Files, Journal } from '../ports.ts';
import { consultantAnalysis, hilRequest, trigger } from '../report/hil-request.ts';
import { renderHtml } from '../report/html.ts';
import { renderJson } from '../report/json.ts';
import { resolution } from '../report/resolution.ts';
import { approvalPath } from '../report/run-paths.ts';
import { summaryDocument } from '../report/summary.ts';
import { verdictsDocument } from '../report/verdicts.ts';
import { verificationDocument } from '../report/verification.ts';

type Desk = { readonly files: Files; readonly journal: Journal };

/** Writes the files people read about what has just happened; written again after a crash, they come out the same. */
export async function publish(events: readonly RunEvent[], state: RunState, desk: Desk): Promise<void> {
  for (const event of events) {
    if (event.type === 'attempt_judged') {
      const { phase, attempt } = event.data;
      await desk.files.write(
        `phases/${phase}/logs/attempt-${attempt}/verdicts.json`,
        renderJson(verdictsDocument(event.data)),
      );
      await publishVerification(event.data, state, desk);
    }
    if (event.type === 'approval_finished') {
      const { approval, result } = event.data;
      await desk.files.write(`${approvalPath(approval)}/approval-result.json`, renderJson(result));
    }
    if (event.type === 'human_asked') await publishQuestion(event.data.request, state, desk);
    if (event.type === 'decision_taken' || event.type === 'phase_accepted') await publishAnswers(event, state, desk);
  }
}

async function publishVerification(
  { phase, attempt, verdicts }: Extract<RunEvent, { type: 'attempt_judged' }>['data'],
  { approvals }: RunState,
  { files }: Desk,
): Promise<void> {
  const verdict = verdicts.find(({ gate }) => gate === 'verification');
  if (verdict === undefined) return;
  const given = approvals.findLast((each) => each.phase === phase && each.result.approval_type === 'verification');
  const document = verificationDocument(verdict, given?.result);
  await files.write(`phases/${phase}/logs/attempt-${attempt}/verification.json`, renderJson(document));
}

async function publishQuestion(request: string, state: RunState, { files, journal }: Desk): Promise<void> {
  const events = await journal.read(state.run);
  const document = hilRequest(state, request, events);
  const dir = `phases/${document.phase}/escalation/stufe-2`;
  await files.write(`${dir}/trigger.json`, renderJson(trigger(state, request, events)));
  await files.write(`${dir}/attachments/consultant-analysis.md`, consultantAnalysis(document));
  await files.write(`${dir}/hil-request.json`, renderJson(document));
}

async function publishAnswers(event: RunEvent, state: RunState, { files }: Desk): Promise<void> {
  const concerned = [...state.requests.values()].filter(({ id, phase }) =>
    event.type === 'decision_taken'
      ? id === event.data.request
      : event.type === 'phase_accepted' && phase === event.data.phase,
  );
  const last = concerned.at(-1);
  const document = last && resolution(state, last.id);
  if (last === undefined || document === undefined) return;
  await files.write(`phases/${last.phase}/escalation/stufe-2/resolution.json`, renderJson(document));
}

/** Writes the run's summary and report. */
export async function publishFinal(state: RunState, { files, journal }: Desk): Promise<void> {
  const events = await journal.read(state.run);
  await files.write('final/summary.json', renderJson(summaryDocument(state)));
  await files.write('final/report.html', renderHtml(state, events));
}

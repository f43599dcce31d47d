import type { RunEvent, RunEventType } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Files } from '../../ports/files.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { metricsDocument } from '../../report/approval/metrics.ts';
import { factsOfRun } from '../../report/approval/metrics-facts.ts';
import { renderHtml } from '../../report/html/html.ts';
import { summaryDocument } from '../../report/run/summary.ts';
import { renderJson } from '../../report/words/json.ts';
import { approvalPath } from '../../report/words/run-paths.ts';
import type { Rules } from './human-case.ts';
import { publishEscalation } from './publish-escalation.ts';
import { publishJudgement } from './publish-judgement.ts';
import { runEvidence } from './run-evidence.ts';

/** Where what people read goes, and what it is drawn from. */
export type Desk = {
  readonly files: Files;
  readonly journal: Pick<Journal, 'read'>;
  readonly workspace: () => Promise<Workspace>;
  readonly project: Pick<Project, 'read'>;
  readonly rules: Rules;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** Facts that concern the rungs of every phase that has left its first one. */
const ALWAYS: ReadonlySet<RunEventType> = new Set([
  'phase_accepted',
  'phase_failed',
  'phase_skipped',
  'plan_reverted',
  'human_asked',
  'decision_taken',
]);

/** Writes the files people read about what has just happened; written again after a crash, they come out the same. */
export async function publish(events: readonly RunEvent[], state: RunState, desk: Desk): Promise<void> {
  const { files, journal, ...around } = desk;
  for (const { type, data } of events) {
    if (type === 'attempt_judged') {
      await publishJudgement(data, `phases/${data.phase}/logs/attempt-${data.attempt}`, { state, files });
    } else if (type === 'approval_finished') {
      await files.write(`${approvalPath(data.approval)}/approval-result.json`, renderJson(data.result));
    }
  }
  const asked = new Set([...state.requests.values()].map(({ phase }) => phase));
  const escalated = new Set(events.flatMap((event) => climbing(event, asked, state)));
  if (escalated.size === 0) return;
  const all = await journal.read(state.run);
  for (const phase of escalated) await publishEscalation(phase, { ...around, state, events: all, files });
}

/** The phase of whose rungs a fact says something new; most facts are about phases that stand on their first one. */
function climbing({ type, data }: RunEvent, asked: ReadonlySet<string>, { phases, requests }: RunState): string[] {
  const id = type === 'decision_taken' ? requests.get(data.request)?.phase : 'phase' in data ? data.phase : undefined;
  const at = id === undefined ? undefined : phases.get(id);
  if (at === undefined) return [];
  const climbed = asked.has(at.id) || at.history.interventions > 0;
  const isNews =
    type.startsWith('consultation_') ||
    (climbed && ALWAYS.has(type)) ||
    (type === 'attempt_judged' && at.history.interventions > 0) ||
    (type === 'attempt_started' && data.manual === true);
  return isNews ? [at.id] : [];
}

/** Writes the run's summary, metrics and report. */
export async function publishFinal(state: RunState, desk: Desk): Promise<void> {
  const { files, journal } = desk;
  const events = await journal.read(state.run);
  const evidence = await runEvidence(state, desk);
  await files.write('final/summary.json', renderJson(summaryDocument(state, evidence.criteria)));
  const metrics = metricsDocument(factsOfRun(state.run, events), { runs: 1, unreadable: [] });
  await files.write('final/metrics.json', renderJson(metrics));
  await files.write('final/evidence.json', renderJson(evidence));
  await files.write('final/report.html', renderHtml(state, events, { evidence }));
}

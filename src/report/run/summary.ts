import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import type { SummaryDocument } from '../../domain/documents/documents.ts';
import {
  findingsOf,
  keptOutOf,
  type PhaseState,
  type RequestState,
  type RunState,
  resultOf,
  runStatus,
} from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { unprovenFindings } from '../proof/trace.ts';
import { runCost } from '../words/cost.ts';
import { overridesOf } from '../words/overrides.ts';
import { reportPath } from '../words/run-paths.ts';
import { outcomeOf } from './attempts.ts';
import { shownStatus, workedOn } from './run-document.ts';

/** final/summary.json */
export function summaryDocument(state: RunState, criteria: readonly CriterionTrace[] = []): SummaryDocument {
  const findings = unprovenFindings(state, criteria);
  const end = state.ended?.at ?? state.updatedAt;
  const result = resultOf(state);
  return {
    schema: 'helix.summary/1',
    run: state.run,
    project: state.plan.project.name,
    status: runStatus(state, false),
    ...present({ reason: state.ended?.reason }),
    simulated: state.simulated,
    startedAt: state.startedAt,
    ...(state.ended && { endedAt: state.ended.at }),
    durationMs: Math.max(0, Date.parse(end) - Date.parse(state.startedAt)),
    cost: runCost(state),
    phases: workedOn(state).map(phaseEntry),
    overrides: overridesOf(state),
    ...(findings.length > 0 && { findings }),
    requests: [...state.requests.values()].map(requestEntry),
    ...present({ result, keptOut: keptOutOf(state) }),
    journal: { seq: state.seq, hash: state.head },
    report: reportPath(state.run),
  };
}

function phaseEntry(phase: PhaseState): SummaryDocument['phases'][number] {
  const verdict = outcomeOf(phase.lastVerdicts);
  return {
    id: phase.id,
    status: shownStatus(phase, false),
    attempts: phase.history.judged,
    ...present({ verdict }),
    findings: counts(findingsOf(phase)),
  };
}

function requestEntry(request: RequestState): SummaryDocument['requests'][number] {
  const { id, phase, level, askedAt, answer } = request;
  const given = answer && { option: answer.option, actor: answer.actor, answeredAt: answer.at };
  return { id, phase, level, askedAt, ...given };
}

function counts(findings: readonly Finding[]): SummaryDocument['phases'][number]['findings'] {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

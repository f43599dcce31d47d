import type { ReadCriterion } from '../../domain/documents/check-criteria.ts';
import { hasOwnId } from '../../domain/documents/criteria-cover.ts';
import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import type { EvidenceDocument, Part } from '../../domain/documents/evidence-document.ts';
import { requestsIn } from '../../domain/facts/asked-on-top.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { partForNow, partsForLater } from '../../domain/ladder/growth.ts';
import { oneLine } from '../../text/sanitise.ts';
import { quotation, shownBy, standing, TASK } from '../proof/standing.ts';
import { traceOf } from '../proof/trace.ts';

const MAX_PART = 300;
/** The last opinion of each phase and type. */
export function judgesOf(state: RunState): EvidenceDocument['judges'] {
  const last = new Map(standing(state).map((given) => [`${given.phase} ${given.result.approval_type}`, given]));
  return [...last.values()].map(({ phase, result }) => ({
    phase,
    approval: result.approval_id,
    type: result.approval_type,
    result: result.result,
    confidence: result.confidence,
    simulated: result.agent_context.simulated,
    checks: result.checks.map(({ id, outcome, evidence = [] }) => ({ id, outcome, quotes: evidence.map(quotation) })),
  }));
}

/** The parts of what was asked, as a judge named them, and the acceptance criteria: each with what shows it. */
export function partsOf(state: RunState, criteria: readonly ReadCriterion[]): Part[] {
  const putOff = partsForLater(state).map((part): Part => ({ part, of: 'task', state: 'put_off', by: [] }));
  return [...taskParts(state), ...putOff, ...traceOf(state, criteria).map(criterionPart)];
}

const SHOWN = { proven: 'shown', failed: 'missing', unproven: 'unchecked' } as const;

function criterionPart({ id, text, gates, judges, state }: CriterionTrace): Part {
  const passed = gates.filter(({ outcome }) => outcome === 'pass').map(({ phase, gate }) => ({ phase, gate }));
  const words = hasOwnId({ id, text }) ? `${id}: ${text}` : text;
  const part = oneLine(words, MAX_PART);
  return { part, of: 'criteria', state: SHOWN[state], by: judges, ...(passed.length > 0 && { gates: passed }) };
}

function taskParts(state: RunState): Part[] {
  const now = partForNow(state);
  const requests = now === undefined ? requestsIn(state.request ?? '') : [now];
  const asked = requests.map((request) => oneLine(request, MAX_PART)).filter((request) => request !== '');
  const unchecked = asked.map((part): Part => ({ part, of: 'task', state: 'unchecked', by: [] }));
  const given = standing(state).findLast(({ result }) => result.checks.some(({ id }) => id === TASK));
  const check = given?.result.checks.find(({ id }) => id === TASK);
  if (given === undefined || check === undefined) return unchecked;
  const findings = given.result.findings
    .filter(({ check: id, severity }) => id === TASK && severity === 'error')
    .map(({ message }) => oneLine(message, MAX_PART));
  // What the judge holds against it is about what was asked last: what came before had been accepted.
  const missing: Part[] = [
    ...unchecked.slice(0, -1),
    { part: asked.at(-1) ?? '', of: 'task', state: 'missing', by: [shownBy(given, [])], findings },
  ];
  if (check.outcome !== 'pass') return findings.length > 0 ? missing : unchecked;
  const evidence = check.evidence ?? [];
  const named = Map.groupBy(
    evidence.filter(({ shows }) => shows !== undefined),
    ({ shows = '' }) => shows,
  );
  const shown = [...named].map(
    ([part, quotes]): Part => ({ part, of: 'task', state: 'shown', by: [shownBy(given, quotes)] }),
  );
  if (findings.length > 0) return [...shown, ...missing.slice(-1)];
  return shown.length > 0
    ? shown
    : asked.map((part) => ({ part, of: 'task', state: 'shown', by: [shownBy(given, evidence)] }));
}

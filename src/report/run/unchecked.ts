import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { oneLine } from '../../text/sanitise.ts';
import { verdictsNow } from '../proof/verdicts-now.ts';
import { failingTests } from './failing-tests.ts';

/** Gates that ask a judge themselves. */
const ASKING = new Set(['approval', 'verification']);
const JUDGING = new Set(['approval', 'approval_passed', 'review_approved', 'verification']);

/** What no gate of a plan looks at, and why, in a few words each. */
export function uncheckedByGates(gates: readonly Gate[], source: string): string[] {
  const types = new Set(gates.map(({ type }) => type));
  const isTask = source === TASK_SOURCE;
  const noTests = isTask
    ? 'none were found in this repository, or they were left out (--tests "CMD" names a command)'
    : 'no gate runs any';
  const noJudge = isTask ? 'the change itself: --no-judge' : 'the work itself: no independent judge was asked';
  const isJudged = gates.some(({ type }) => JUDGING.has(type));
  return [...(types.has('tests_pass') ? [] : [`tests: ${noTests}`]), ...(isJudged ? [] : [noJudge])];
}

const OUTCOMES: Partial<Record<EvidenceDocument['judges'][number]['checks'][number]['outcome'], string>> = {
  not_applicable: 'the judge found nothing in it that this check is about',
  unanswered: 'the judge gave no answer that could be looked up',
  not_asked: 'the judge was not asked',
};

/** What tests say that fail all the same, in the order of weight. */
function failingIn(tests: EvidenceDocument['tests'][number]): string[] {
  const { still, anew } = failingTests(tests);
  const since = tests.before === undefined ? 'what fails' : 'what fails now and did not before';
  return [
    ...(anew.length === 0 ? [] : [`${since}: ${oneLine(anew.slice(0, 5).join(', '), 300)}`]),
    ...(still.length === 0 ? [] : [`what fails as it did before: ${oneLine(still.slice(0, 5).join(', '), 300)}`]),
  ];
}

/** Judges whose opinion about the work as it is now is missing, though a gate is there for it. */
function unheardIn({ plan, approvals, phases }: RunState, judges: EvidenceDocument['judges']): string[] {
  const judged = new Set(judges.map(({ phase }) => phase));
  return plan.phases.flatMap(({ id, gates }) => {
    const at = phases.get(id);
    if (at?.current?.tree === undefined || judged.has(id) || !gates.some(({ type }) => ASKING.has(type))) return [];
    const earlier = approvals.some(({ phase }) => phase === id);
    return [`the work of ${id} as it is: no judge has seen this version${earlier ? ', only an earlier one' : ''}`];
  });
}

/** Phases of a run that ended before their gates had a say. */
function unjudgedIn({ plan, phases, ended }: RunState): string[] {
  if (ended === undefined || ended.status === 'passed') return [];
  return plan.phases.flatMap(({ id, gates }) => {
    const at = phases.get(id);
    if (gates.length === 0 || (at !== undefined && verdictsNow(at).length > 0)) return [];
    const types = [...new Set(gates.map(({ type }) => oneLine(type, 40)))].join(', ');
    return [`${id}: the run ended before its gates had a say (${types})`];
  });
}

/** What nobody looked at or could tell, given all that was found out. */
export function uncheckedOf(
  state: RunState,
  { parts, tests, reproduced, probes, judges, overrides }: Omit<EvidenceDocument, 'unchecked'>,
): string[] {
  const gates = state.plan.phases.flatMap((phase) => phase.gates);
  const open = parts.filter((part) => part.of === 'criteria' && part.state === 'unchecked');
  const uncounted = [...state.phases.values()].filter((phase) =>
    verdictsNow(phase).some(
      ({ gate, outcome, tests: counted }) => gate === 'tests_pass' && outcome === 'pass' && !counted,
    ),
  );
  const isTried =
    probes.length + reproduced.length > 0 ||
    judges.some(({ checks }) => checks.some(({ id, outcome }) => id === 'tests' && outcome === 'pass'));
  return [
    ...uncheckedByGates(gates, state.source.path),
    ...unjudgedIn(state),
    ...unheardIn(state, judges),
    ...(tests.length === 0 || isTried ? [] : ['whether the tests would notice if the work were wrong']),
    ...open.map(({ part }) => `criterion, which no gate or judge has shown: ${oneLine(part, 200)}`),
    ...judges.flatMap(({ checks }) =>
      checks.flatMap(({ id, outcome }) => (OUTCOMES[outcome] === undefined ? [] : [`${id}: ${OUTCOMES[outcome]}`])),
    ),
    ...uncounted.map(({ id }) => `how many tests ran in ${id}: the output of the command does not say`),
    ...reproduced
      .filter(({ tests: names }) => names.length === 0)
      .map(({ phase }) => `which test fails in ${phase}: known are only the exit codes with it and without`),
    ...tests.flatMap(failingIn),
    ...overrides.map(({ phase }) => `${phase}: a human accepted it although a gate rejects it`),
  ];
}

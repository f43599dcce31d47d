import type { ReadCriterion } from '../../domain/documents/check-criteria.ts';
import { type CriterionCover, coverOf, hasOwnId } from '../../domain/documents/criteria-cover.ts';
import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { hasWord } from '../../domain/kinds/choose-experts.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import { shownBy, standing } from './standing.ts';
import { verdictsNow } from './verdicts-now.ts';

const MAX_WORDS = 300;
const MAX_AGAINST = 10;

/** Each criterion of the specification with the phases it belongs to, and what proved it: gates that name it, and judges with their words. */
export function traceOf(state: RunState, criteria: readonly ReadCriterion[]): CriterionTrace[] {
  return coverOf(criteria, state.plan.phases).map((cover) => traced(cover, state));
}

function traced({ criterion, phases, gates: naming }: CriterionCover, state: RunState): CriterionTrace {
  const { id, text, check } = criterion;
  const gates = naming.map((gate) => ({ phase: gate.phase, gate: gate.gate, outcome: outcomeOf(gate, state) }));
  const judges = judgesFor(criterion, state);
  const against = objectionsTo(criterion, state);
  const failed = against.length > 0 || gates.some(({ outcome }) => outcome !== 'pass' && outcome !== 'open');
  const shown = judges.length > 0 || gates.some(({ outcome }) => outcome === 'pass');
  const open = gates.some(({ outcome }) => outcome === 'open');
  const how = failed ? 'failed' : shown && !open ? 'proven' : 'unproven';
  return { id, text, ...present({ check }), phases: [...phases], gates, judges, against, state: how };
}

type Gates = CriterionTrace['gates'];

function outcomeOf(
  { phase, gate, place }: CriterionCover['gates'][number],
  { phases }: RunState,
): Gates[number]['outcome'] {
  const at = phases.get(phase);
  const verdict = at === undefined ? undefined : verdictsNow(at)[place];
  return verdict?.gate === gate ? verdict.outcome : 'open';
}

/** A criterion is shown by a judge that names it, by its id or its words, for what it has quoted. */
function judgesFor(criterion: ReadCriterion, state: RunState): CriterionTrace['judges'] {
  const words = plain(criterion.text);
  const id = hasOwnId(criterion) ? plain(criterion.id) : undefined;
  const isNamed = (said: string) => said !== '' && (said === words || said.split(/[\s:,]/)[0] === id);
  return standing(state).flatMap((given) =>
    given.result.checks.flatMap(({ id: check, outcome, evidence = [] }) => {
      const quotes = evidence.filter(({ shows = '' }) => isNamed(plain(shows)));
      return outcome === 'pass' && quotes.length > 0 ? [shownBy(given, quotes, check)] : [];
    }),
  );
}

/** What judges named as wrong about it; what was sent back since is no objection any more. */
function objectionsTo(criterion: ReadCriterion, state: RunState): string[] {
  if (!hasOwnId(criterion)) return [];
  const found = standing(state).flatMap(({ phase, result }) =>
    result.findings
      .filter(({ severity, message }) => severity === 'error' && hasWord(message, criterion.id))
      .map(({ check, message }) => `${phase}: ${check}: ${oneLine(message, MAX_WORDS)}`),
  );
  return found.slice(0, MAX_AGAINST);
}

function plain(text: string): string {
  return oneLine(text, MAX_WORDS)
    .toLowerCase()
    .replace(/[.\s]+$/, '');
}

/** What is to be said at the end of a run that passed: which of its criteria nothing has proven. */
export function unprovenFindings({ ended }: Pick<RunState, 'ended'>, criteria: readonly CriterionTrace[]): Finding[] {
  if (ended?.status !== 'passed') return [];
  return criteria
    .filter((criterion) => criterion.state !== 'proven')
    .map(({ id, text, state }) => ({
      ...{ severity: 'warning', check: 'unproven-criterion' },
      message: `${id}: ${state === 'failed' ? 'a gate or judge says that it is not met' : 'nothing shows that it is met'}: ${oneLine(text, MAX_WORDS)}`,
      hint: 'Name it in `criteria` of a gate that shows it, or let a judge look at the work.',
    }));
}

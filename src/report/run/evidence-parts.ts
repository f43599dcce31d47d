import type { EvidenceDocument, Part, Quotation } from '../../domain/documents/evidence-document.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { partForNow, partsForLater } from '../../domain/ladder/growth.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';

const MAX_PART = 300;
/** The check of approval type `change` that holds the work against what was asked. */
const TASK = 'task';

type Given = RunState['approvals'][number];
type Check = Given['result']['checks'][number];
type Shown = NonNullable<Check['evidence']>[number];

/** The opinions that count: they are about the work as it stands now, and it was not sent back since. */
function standing({ approvals, phases }: RunState): readonly Given[] {
  return approvals.filter((given) => given.void !== true && isAbout(given, phases.get(given.phase)));
}

function isAbout({ attempt, tree }: Given, at: PhaseState | undefined): boolean {
  if (at === undefined) return false;
  // A merge with the work of others leaves what was judged as it was.
  if (at.current?.joined !== undefined && attempt === at.current.attempt) return true;
  return tree === (at.accepted?.tree ?? at.current?.tree ?? at.judgedTree);
}

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

function quotation({ file, line, quote }: Shown): Quotation {
  return { file, quote, ...present({ line }) };
}

/** The parts of what was asked, as a judge named them, and the acceptance criteria: each with what shows it. */
export function partsOf(state: RunState, criteria: readonly string[]): Part[] {
  const putOff = partsForLater(state).map((part): Part => ({ part, of: 'task', state: 'put_off', by: [] }));
  return [...taskParts(state), ...putOff, ...criteria.map((criterion) => criterionPart(criterion, state))];
}

function taskParts(state: RunState): Part[] {
  const asked = oneLine(partForNow(state) ?? state.request ?? '', MAX_PART);
  const given = standing(state).findLast(({ result }) => result.checks.some(({ id }) => id === TASK));
  const check = given?.result.checks.find(({ id }) => id === TASK);
  if (given === undefined || check === undefined) {
    return asked === '' ? [] : [{ part: asked, of: 'task', state: 'unchecked', by: [] }];
  }
  const missing = given.result.findings
    .filter(({ check: id, severity }) => id === TASK && severity === 'error')
    .map(
      ({ message }): Part => ({ part: oneLine(message, MAX_PART), of: 'task', state: 'missing', by: [by(given, [])] }),
    );
  if (check.outcome !== 'pass') {
    return missing.length > 0 ? missing : [{ part: asked, of: 'task', state: 'unchecked', by: [] }];
  }
  const evidence = check.evidence ?? [];
  const named = Map.groupBy(
    evidence.filter(({ shows }) => shows !== undefined),
    ({ shows = '' }) => shows,
  );
  if (named.size === 0) return [{ part: asked, of: 'task', state: 'shown', by: [by(given, evidence)] }, ...missing];
  const shown = [...named].map(
    ([part, quotes]): Part => ({ part, of: 'task', state: 'shown', by: [by(given, quotes)] }),
  );
  return [...shown, ...missing];
}

function by({ phase, result }: Given, evidence: readonly Shown[], check = TASK): Part['by'][number] {
  return { phase, approval: result.approval_id, check, quotes: evidence.map(quotation) };
}

/** A criterion is shown by whoever names it: by its words or by what stands before its first colon. */
function criterionPart(criterion: string, state: RunState): Part {
  const id = /^([\w.-]{1,20}):/.exec(criterion)?.[1];
  const words = plain(criterion);
  const isNamed = ({ shows }: Shown) => {
    const said = plain(shows ?? '');
    if (said === '') return false;
    return said === words || (id !== undefined && said.split(/[\s:,]/)[0] === plain(id));
  };
  const found = standing(state).flatMap((given) =>
    given.result.checks.flatMap(({ id: check, outcome, evidence = [] }) => {
      const quotes = evidence.filter(isNamed);
      return outcome === 'pass' && quotes.length > 0 ? [by(given, quotes, check)] : [];
    }),
  );
  const part = oneLine(criterion, MAX_PART);
  return { part, of: 'criteria', state: found.length > 0 ? 'shown' : 'unchecked', by: found };
}

function plain(text: string): string {
  return oneLine(text, MAX_PART)
    .toLowerCase()
    .replace(/[.\s]+$/, '');
}

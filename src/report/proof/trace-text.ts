import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import { oneLine } from '../../text/sanitise.ts';
import { columns, pad, wrap } from '../words/columns.ts';
import type { Canvas, Style } from '../words/paint.ts';

const MARKS = { proven: ['good', '✔'], failed: ['bad', '✖'], unproven: ['warn', '?'] } as const satisfies Record<
  CriterionTrace['state'],
  readonly [Style, string]
>;
const MAX_QUOTE = 160;
const MAX_ID = 20;

/** `helix status --trace`: each criterion, whose it is, and what proved it or that nothing did. */
export function renderTrace(criteria: readonly CriterionTrace[], canvas: Canvas): string {
  if (criteria.length === 0) return 'No criteria: no specification of this run has any.\n';
  const wide = Math.min(MAX_ID, Math.max(...criteria.map(({ id }) => columns(id))));
  const lines = criteria.flatMap((criterion) => criterionLines(criterion, wide, canvas));
  return `${[`${canvas.paint('strong', 'Criteria')}  ${traceSum(criteria)}`, ...lines].join('\n')}\n`;
}

/** How many criteria are proven, in words. */
export function traceSum(criteria: readonly CriterionTrace[]): string {
  const proven = criteria.filter(({ state }) => state === 'proven').length;
  return `${proven} of ${criteria.length} proven`;
}

function criterionLines(criterion: CriterionTrace, wide: number, { paint, width }: Canvas): string[] {
  const { id, text, state } = criterion;
  const [style, mark] = MARKS[state];
  const under = ' '.repeat(wide + 6);
  const [first = '', ...rest] = wrap(oneLine(text, 500), Math.max(20, width - wide - 6));
  return [
    `  ${paint(style, mark)} ${pad(oneLine(id, MAX_ID), wide)}  ${first}`,
    ...rest.map((line) => `${under}${line}`),
    ...proofs(criterion).flatMap((line) => wrap(line, Math.max(20, width - wide - 6)).map((part) => `${under}${part}`)),
  ];
}

/** What proved a criterion, a line each, or that nothing did. */
export function proofs({ phases, gates, judges, against, state }: CriterionTrace): string[] {
  const said = [
    ...gates.map(({ phase, gate, outcome }) => `${phase}: gate ${oneLine(gate, 60)} ${OUTCOMES[outcome]}`),
    ...judges.flatMap(({ phase, check, quotes }) =>
      quotes.map(
        ({ file, line, quote }) =>
          `${phase}: judge, ${oneLine(check, 60)}: ${oneLine(file, 200)}${line === undefined ? '' : `:${line}`}  ${oneLine(quote, MAX_QUOTE)}`,
      ),
    ),
    ...against.map((line) => `judge against it: ${line}`),
  ];
  const named = new Set(gates.map(({ phase }) => phase));
  const owners = phases.filter((id) => !named.has(id));
  if (owners.length > 0) said.unshift(`belongs to ${owners.join(', ')}`);
  if (state === 'unproven' && judges.length === 0) said.push(whyUnproven(gates.length));
  return said;
}

function whyUnproven(gates: number): string {
  return gates === 0 ? 'nothing: no gate names it, and no judge has quoted it' : 'nothing yet';
}

const OUTCOMES = {
  pass: 'has passed',
  revise: 'has not passed',
  reject: 'has not passed',
  open: 'has not looked at the work as it is now',
} as const;

import type { Costs, Figures, MetricsDocument, Target } from '../../domain/documents/metrics-document.ts';
import { oneLine } from '../../text/sanitise.ts';
import { columns, pad } from '../words/columns.ts';
import { count } from '../words/count.ts';
import type { Paint, Style } from '../words/paint.ts';

const SHOWN = 10;
const NONE = '–';

/** Metrics for people. */
export function renderMetrics(document: MetricsDocument, paint: Paint): string {
  const { total, types, models, phases, targets } = document;
  const blocks = [
    head(document, paint),
    targetBlock(targets, paint),
    table(
      'Types',
      [TYPE_HEAD, ...[...types, ...(types.length > 1 ? [{ ...total, type: 'all' }] : [])].map(typeRow)],
      paint,
    ),
    table('Models', [['model', 'verdicts', 'cost'], ...models.map(modelRow)], paint),
    table('Phases', [PHASE_HEAD, ...phases.map(phaseRow)], paint),
    adrBlock(document, paint),
    list('Ladder', ladderLines(document), paint),
    list(
      'Interruptions',
      document.interruptions.map(({ failure, count: times }) => `${failure}: ${times}`),
      paint,
    ),
    list('Stuck findings', document.stuck.map(stuckLine), paint),
    list(
      'Left out',
      document.unreadable.map(({ name, why }) => `${oneLine(name, 100)}: ${oneLine(why)}`),
      paint,
    ),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function head({ total, runs, since, simulated, simulatedLeftOut }: MetricsDocument, paint: Paint): string {
  const when = since === undefined ? '' : ` since ${since.slice(0, 10)}`;
  const { approved, needsRevision, rejected, cached, preCheckRejections } = total;
  return [
    `${paint('strong', `${count(total.approvals, 'approval')}${when}`)} in ${count(runs, 'run')} and outside of any: ` +
      `${approved} approved, ${needsRevision} to be revised, ${rejected} rejected`,
    `first pass ${percent(total.firstPass)}, in the end ${percent(total.final)} of ${count(total.subjects, 'subject')}; ` +
      `${count(cached, 'cache hit')}; ${count(preCheckRejections, 'rejection')} by free checks, at no cost`,
    ...(simulated ? [paint('warn', 'simulated: nothing here was judged by a real agent')] : []),
    ...(simulatedLeftOut > 0 ? [paint('dim', `${simulatedLeftOut} simulated left out`)] : []),
  ].join('\n');
}

/** Only what there is to tell. */
function ladderLines({ ladder }: MetricsDocument): string[] {
  const { interventions, reverts, questions, ownChanges, overrides } = ladder;
  const lines: readonly (readonly [number, string])[] = [
    [interventions, 'decided by consultants'],
    [reverts, 'gone back'],
    [questions, 'asked of humans'],
    [ownChanges, 'changed by hand'],
    [overrides, 'accepted by override'],
  ];
  return lines.flatMap(([times, what]) => (times === 0 ? [] : [`${what}: ${times}`]));
}

const OUTCOMES: Readonly<Record<Target['outcome'], Style>> = {
  met: 'good',
  'not met': 'bad',
  'not known yet': 'warn',
  'no data': 'dim',
};
const MARKED =
  'What nobody marked counts as right; in brackets: 95 % intervals (Wilson). helix approve mark <id> false-positive|missed';

function targetBlock(targets: readonly Target[], paint: Paint): string {
  const rows = targets.map((each) => [each.of, each.target, measured(each)]);
  const lines = aligned(rows);
  return [
    paint('strong', 'Targets'),
    ...targets.map(({ outcome }, index) => `  ${lines[index] ?? ''}  ${paint(OUTCOMES[outcome], outcome)}`),
    paint('dim', `  ${MARKED}`),
  ].join('\n');
}

function measured({ name, value, happened, trials, low, high }: Target): string {
  if (value === undefined) return NONE;
  if (low !== undefined && high !== undefined)
    return `${percent(value)} (${percent(low).replace(' %', '')} to ${percent(high)}), ${happened} of ${trials}`;
  if (name === 'coverage') return percent(value);
  return name === 'cost' ? `${dollars(value)} USD` : seconds(value);
}

const TYPE_HEAD = ['type', 'verdicts', 'first pass', 'in the end', 'median', 'p95', 'cached', 'free', 'cost'];

function typeRow({ type, ...each }: Figures & { type: string }): string[] {
  const { approvals, firstPass, final, seconds: time, cached, preCheckRejections, cost } = each;
  return [
    ...[oneLine(type, 40), String(approvals), percent(firstPass), percent(final)],
    ...[seconds(time?.median), seconds(time?.p95), String(cached), String(preCheckRejections), costText(cost)],
  ];
}

function modelRow({ model, approvals, cost }: MetricsDocument['models'][number]): string[] {
  return [oneLine(model, 60), String(approvals), costText(cost)];
}

const PHASE_HEAD = ['phase', 'verdicts', 'cost', 'attempts', 'cost of the work'];

function phaseRow({ phase, approvals, cost, attempts, work }: MetricsDocument['phases'][number]): string[] {
  return [oneLine(phase, 64), String(approvals), costText(cost), String(attempts), costText(work)];
}

function adrBlock({ adrs }: MetricsDocument, paint: Paint): string {
  if (adrs === undefined) return '';
  const { directory, total, approved, share, unapproved } = adrs;
  const title = paint('strong', `ADRs in ${oneLine(directory, 100)}`);
  return [
    `${title}: ${approved} of ${total} approved as they are now (${percent(share)})`,
    ...shown(unapproved.map((path) => `without: ${oneLine(path, 200)}`)),
  ].join('\n');
}

function stuckLine({ type, check, message, location, verdicts }: MetricsDocument['stuck'][number]): string {
  const place = location === undefined ? '' : `${oneLine(location, 200)}  `;
  return `${place}${oneLine(message, 200)}  ${oneLine(`${type}/${check}`, 80)}, in ${verdicts} verdicts in a row`;
}

function table(title: string, rows: readonly (readonly string[])[], paint: Paint): string {
  const [first = '', ...rest] = aligned(rows).map((line) => line.trimEnd());
  if (rest.length === 0) return '';
  return [paint('strong', title), `  ${paint('dim', first)}`, ...rest.map((line) => `  ${line}`)].join('\n');
}

function list(title: string, lines: readonly string[], paint: Paint): string {
  return lines.length === 0 ? '' : [paint('strong', title), ...shown(lines)].join('\n');
}

function shown(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN;
  return [...lines.slice(0, SHOWN), ...(more > 0 ? [`… and ${more} more`] : [])].map((line) => `  ${line}`);
}

/** Rows whose columns stand below each other. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => columns(row[index] ?? ''))));
  return rows.map((row) => row.map((cell, index) => pad(cell, widths[index] ?? 0)).join('  '));
}

/** What is sure, what is estimated and what nobody knows, each for itself. */
function costText({ reportedUsd, equivalentUsd, estimatedUsd, simulatedUsd, unknown }: Costs): string {
  const parts = [
    ...(reportedUsd > 0 ? [`${dollars(reportedUsd)} USD`] : []),
    ...(equivalentUsd > 0 ? [`${dollars(equivalentUsd)} USD (API-equivalent)`] : []),
    ...(estimatedUsd > 0 ? [`${dollars(estimatedUsd)} USD (estimated)`] : []),
    ...(simulatedUsd > 0 ? [`${dollars(simulatedUsd)} USD (simulated)`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  return parts.length === 0 ? '0.00 USD' : parts.join(' + ');
}

function dollars(usd: number): string {
  return usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2);
}

function percent(share: number | undefined): string {
  return share === undefined ? NONE : `${Math.round(share * 1000) / 10} %`;
}

function seconds(value: number | undefined): string {
  return value === undefined ? NONE : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} s`;
}

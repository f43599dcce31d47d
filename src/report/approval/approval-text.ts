import type { Finding } from '../../domain/finding.ts';
import type { ApprovalFinding, ApprovalResult } from '../../domain/judge/approval.ts';
import { present } from '../../domain/present.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import { columns, pad } from '../words/columns.ts';
import { renderCost } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { renderFindings } from '../words/findings-text.ts';
import type { Paint, Style } from '../words/paint.ts';
import { renderDuration } from '../words/time.ts';
import { placeInText, placeOf } from './approval-place.ts';

/** How an approval is shown: `texts` are the judged files, `frame` gives the line of one, `kept` is where its own files lie. */
export type ApprovalView = {
  readonly paint: Paint;
  readonly texts: ReadonlyMap<string, string>;
  readonly frame: (finding: Finding) => string | undefined;
  readonly kept: string;
};

const ORDER = ['error', 'warning', 'info'];
const VERDICTS: Readonly<Record<ApprovalResult['result'], readonly [Style, string]>> = {
  approved: ['good', 'approved'],
  needs_revision: ['warn', 'needs revision'],
  rejected: ['bad', 'rejected'],
};
const OUTCOMES: Readonly<Record<ApprovalResult['checks'][number]['outcome'], readonly [Style, string]>> = {
  pass: ['good', 'pass'],
  fail: ['bad', 'fail'],
  not_applicable: ['dim', 'not applicable'],
  unanswered: ['warn', 'unanswered'],
  not_asked: ['dim', 'not asked'],
};

/** An approval for people: what was found first, the verdict last, where one looks. */
export function renderApproval(result: ApprovalResult, view: ApprovalView): string {
  const { paint } = view;
  const { findings, recommendations, checks } = result;
  const ordered = ORDER.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
  const blocks = [
    ordered.map((finding) => renderOne(finding, view)).join('\n'),
    recommendations.map((text) => `${paint('dim', 'recommended:')} ${oneLine(text, 2000)}`).join('\n'),
    renderChecks(checks, paint),
    [verdictLine(result, paint), circumstances(result), paint('dim', `kept in ${oneLine(view.kept, 1000)}`)].join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function renderOne(finding: ApprovalFinding, { paint, frame, texts }: ApprovalView): string {
  const { severity, check, message, hint, evidence } = finding;
  const location = placeInText(finding, texts.get(placeOf(finding)?.file ?? ''));
  const shown = { severity, check, message, ...present({ hint }), ...(location && { location }) };
  const text = renderFindings([shown], { paint, frame });
  if (evidence === undefined) return text;
  const [first = '', ...rest] = excerpt(evidence.trim(), 600).split('\n');
  return [text, `  ${paint('dim', 'quoted:')} ${first}`, ...rest.map((line) => `          ${line}`)].join('\n');
}

function renderChecks(checks: ApprovalResult['checks'], paint: Paint): string {
  const width = Math.max(0, ...checks.map(({ id }) => columns(id)));
  return checks
    .map(({ id, outcome }) => {
      const [style, words] = OUTCOMES[outcome];
      return `  ${pad(id, width)}  ${paint(style, words)}`;
    })
    .join('\n');
}

function verdictLine({ result, unsure, confidence, findings, stage, ...rest }: ApprovalResult, paint: Paint): string {
  const [style, words] = VERDICTS[result];
  const counted = ORDER.map((severity) => findings.filter((finding) => finding.severity === severity).length);
  const [errors = 0, warnings = 0, notes = 0] = counted;
  const marks = [
    ...(rest.agent_context.simulated ? ['simulated'] : []),
    ...(rest.cached ? ['cached'] : []),
    ...(unsure === true ? ['the judge is not sure enough'] : []),
  ];
  const sure = stage === 'agent' ? `, confidence ${confidence}` : '';
  const found = [count(errors, 'error'), count(warnings, 'warning'), ...(notes > 0 ? [count(notes, 'note')] : [])];
  const said = marks.length === 0 ? '' : `  ${paint('warn', `(${marks.join(', ')})`)}`;
  return `${paint(style, `${rest.approval_type}: ${words}`)}${sure}: ${found.join(', ')}${said}`;
}

function circumstances({ stage, cached, checks, agent_context: context, inputs, result }: ApprovalResult): string {
  const files = count(inputs.length, 'file');
  const time = renderDuration(context.duration_seconds * 1000);
  if (stage === 'pre_check') {
    const why = result !== 'approved' || checks.length > 0 ? 'the free checks say it' : 'no check is left to a judge';
    return `${files}, ${time}, no judge was asked: ${why}, at no cost`;
  }
  const { model, agent, agent_version: version, cost_usd: usd, cost_basis: basis } = context;
  const who = [agent, version, model].filter((part) => part !== undefined).map((part) => oneLine(part, 80));
  if (cached) return `${files}, ${time}, answered before by ${who.join(' ')}, at no cost`;
  const cost = renderCost({ basis, ...present({ usd }) });
  return `${files}, ${time}, ${cost}, judged by ${who.join(' ')}`;
}

import { findingsOf, type PhaseState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { typeName } from '../../domain/kinds/phase-types-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { excerpt } from '../../text/sanitise.ts';
import { type AttemptRecord, begunOf, outcomeOf } from '../run/attempts.ts';
import { renderCost } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { renderLocation } from '../words/findings-text.ts';
import { warningsOf } from '../words/first-finding.ts';
import { renderDuration, renderTime } from '../words/time.ts';
import { type Rungs, rungList } from './html-rungs.ts';
import { type Markup, markup } from './markup.ts';

/** One phase of the report with everything that is known of it. */
export type PhaseRow = {
  readonly phase: Phase;
  readonly at: PhaseState;
  readonly status: PhaseState['status'];
  readonly attempts: readonly AttemptRecord[];
  readonly rungs: Rungs;
};

/** A moment's place on the time line, 0 to 1. */
export type Scale = (iso: string) => number;

const MARKS: Readonly<Record<PhaseState['status'], string>> = {
  passed: '✔',
  failed: '✖',
  running: '▶',
  waiting: '?',
  parked: '‖',
  skipped: '–',
  voided: '↺',
  pending: '·',
};

const MAX_FINDINGS = 50;

/** A phase as a line with its attempts over time, which opens to show the attempts themselves. */
export function phaseItem(row: PhaseRow, scale: Scale, open: boolean): Markup {
  const spent = row.attempts.reduce((total, attempt) => total + (attempt.durationMs ?? 0), 0);
  const { mark, look, word } = shown(row);
  return markup`<li><details${open ? markup` open` : undefined}><summary>
<span class="${look}" aria-hidden="true">${mark}</span>
<h3>${row.phase.id}<span class="soft"><span class="${look}">${word}</span>${named(row.phase)}${warned(row.at)}</span></h3>
<span class="lane" role="img" aria-label="${laneText(row.attempts)}">${row.attempts.map((attempt) => bar(attempt, scale))}</span>
<span class="figure">${row.attempts.length === 0 ? '' : count(begunOf(row.attempts).length, 'attempt')}</span>
<span class="figure time">${spent === 0 ? '' : renderDuration(spent)}</span>
</summary><div class="body">${body(row)}</div></details></li>
`;
}

/** Work that a human accepted against a gate is never shown as if it had passed it. */
function shown({ at, status }: PhaseRow): { mark: string; look: string; word: string } {
  return at.accepted?.override === undefined
    ? { mark: MARKS[status], look: status, word: status }
    : { mark: '!', look: 'override', word: 'accepted by override' };
}

/** What an attempt came to, in one word that is also its colour. */
function attemptWord(attempt: AttemptRecord): string {
  return attempt.stage === 'judged' ? (outcomeOf(attempt.verdicts) ?? 'judged') : attempt.stage;
}

function named(phase: Phase): string {
  return phase.name === phase.id ? '' : ` · ${phase.name}`;
}

/** A passed phase is folded, so that it was warned of has to be seen from outside. */
function warned(at: PhaseState): Markup | undefined {
  const warnings = at.status === 'passed' ? warningsOf(findingsOf(at)).length : 0;
  return warnings === 0 ? undefined : markup` · <span class="warning">${count(warnings, 'warning')}</span>`;
}

function laneText(attempts: readonly AttemptRecord[]): string {
  if (attempts.length === 0) return 'no attempt yet';
  return attempts
    .map((attempt) => `attempt ${attempt.attempt}${attempt.manual ? ' by hand' : ''}: ${attemptWord(attempt)}`)
    .join(', ');
}

function bar(attempt: AttemptRecord, scale: Scale): Markup {
  const from = scale(attempt.startedAt);
  const to = attempt.endedAt === undefined ? 1 : scale(attempt.endedAt);
  const left = `min(${percent(from)},calc(100% - 3px))`;
  return markup`<i class="${attemptWord(attempt)}" style="left:${left};width:${percent(to - from)}"></i>`;
}

function percent(share: number): string {
  return `${(Math.max(0, share) * 100).toFixed(2)}%`;
}

function body({ phase, at, attempts, rungs }: PhaseRow): Markup {
  const after = phase.dependsOn.length === 0 ? '' : ` · after ${phase.dependsOn.join(', ')}`;
  const gates = phase.gates.length === 0 ? '' : ` · gates: ${phase.gates.map((gate) => gate.type).join(', ')}`;
  return markup`<p class="soft">${typeName(phase)}${after}${gates}</p>
${at.reason === undefined ? undefined : markup`<p>${excerpt(at.reason, 2000)}</p>`}
${rungList(rungs, at)}
${attempts.length === 0 ? markup`<p class="soft">Nothing was tried yet.</p>` : attemptTable(phase.id, attempts)}`;
}

function attemptTable(phase: string, attempts: readonly AttemptRecord[]): Markup {
  return markup`<div class="scroll" role="region" tabindex="0" aria-label="Attempts of ${phase}"><table>
<caption>Attempts of ${phase}</caption>
<thead><tr><th scope="col">No.</th><th scope="col">Started</th><th scope="col">Agent</th><th scope="col" class="n">Took</th><th scope="col" class="n">Cost</th><th scope="col">Judgement</th></tr></thead>
<tbody>${attempts.map(attemptRow)}</tbody></table></div>`;
}

function attemptRow(attempt: AttemptRecord): Markup {
  const { agent, model, durationMs, cost, manual } = attempt;
  return markup`<tr><th scope="row">${attempt.attempt}</th><td>${renderTime(attempt.startedAt)}</td>
<td>${manual === true ? "a human's own change" : agent}${model === undefined ? '' : `, ${model}`}</td>
<td class="n">${durationMs === undefined ? '' : renderDuration(durationMs)}</td>
<td class="n">${cost === undefined ? '' : renderCost(cost)}</td><td>${judgement(attempt)}</td></tr>
`;
}

function judgement(attempt: AttemptRecord): Markup {
  const cut = attempt.cutJudgements.map(
    (text) => markup`<p class="interrupted">judging interrupted: ${excerpt(text, 500)}</p>`,
  );
  if (attempt.stage === 'judged') return markup`${cut}${(attempt.verdicts ?? []).map(verdictBlock)}`;
  const why = attempt.failure === undefined ? '' : `: ${attempt.failure}: ${excerpt(attempt.message ?? '', 500)}`;
  const words = { open: 'under way', finished: 'not judged yet', interrupted: `interrupted${why}` };
  return markup`${cut}<p class="${attempt.stage}">${words[attempt.stage]}</p>`;
}

function verdictBlock(verdict: Verdict): Markup {
  const shown = verdict.findings.slice(0, MAX_FINDINGS);
  const more = verdict.findings.length - shown.length;
  const rest = more > 0 ? markup`<li class="soft">and ${more} more in the journal</li>` : undefined;
  const list = shown.length === 0 ? undefined : markup`<ul class="findings">${shown.map(findingItem)}${rest}</ul>`;
  return markup`<p><span class="${verdict.outcome}">${verdict.outcome}</span> ${verdict.gate}</p>${list}`;
}

function findingItem(finding: Finding): Markup {
  const place = renderLocation(finding.location);
  const hint =
    finding.hint === undefined ? undefined : markup` <span class="hint">${excerpt(finding.hint, 500)}</span>`;
  return markup`<li><b class="${finding.severity}">${finding.severity}</b> ${excerpt(finding.message, 2000)}${
    place === '' ? undefined : markup` <code>${place}</code>`
  }${hint}</li>`;
}

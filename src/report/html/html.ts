import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import {
  keptOutOf,
  type RequestState,
  type RunState,
  type RunStatus,
  resultOf,
  runStatus,
} from '../../domain/facts/run-state.ts';
import { isSilence } from '../../domain/ladder/direction.ts';
import { excerpt } from '../../text/sanitise.ts';
import { attemptHistory, begunAttempts, begunOf } from '../run/attempts.ts';
import { shownStatus, workedOn } from '../run/run-document.ts';
import { whyOf } from '../run/status-text.ts';
import { renderSpending, spendingOf } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { growthWords } from '../words/growth-words.ts';
import { overridesOf } from '../words/overrides.ts';
import { questionWords } from '../words/question-words.ts';
import { renderDuration, renderTime } from '../words/time.ts';
import { costSection } from './html-cost.ts';
import { evidenceSection } from './html-evidence.ts';
import { type PhaseRow, phaseItem } from './html-phases.ts';
import { rungsOf } from './html-rungs.ts';
import { STYLE } from './html-style.ts';
import { Markup, markup } from './markup.ts';
import { timeScale } from './time-scale.ts';

const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** How many phases that need attention are shown open from the start. */
const OPEN = 20;

const SAID: Readonly<Record<RunStatus, string>> = {
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  waiting: 'Waiting for a human',
  parked: 'Parked',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
};

/** How the report is titled, and whether somebody is working on the run while it is drawn. */
export type HtmlView = { readonly title?: string; readonly owned?: boolean; readonly evidence?: EvidenceDocument };

/** report.html: the whole run on one page that needs no network, no script and no other file. */
export function renderHtml(state: RunState, events: readonly RunEvent[], view: HtmlView = {}): string {
  const owned = view.owned ?? false;
  const status = runStatus(state, owned);
  const rows = phaseRows(state, events, owned);
  const title = view.title ?? state.plan.project.name;
  return pageOf(`${title}: ${status} (run ${state.run})`, [
    header(state, { title, status, rows }),
    ...[questions(state, events), view.evidence && evidenceSection(view.evidence)].filter((part) => part !== undefined),
    phases(rows, state.updatedAt),
    costSection(rows, spendingOf(state)),
    footer(state),
  ]);
}

/** What shows that a run made what was asked for, on a page of its own. */
export function renderEvidencePage(evidence: EvidenceDocument): string {
  const { project, run, status, simulated, request } = evidence;
  const head = markup`<header><p class="kicker">HELIX evidence</p><h1>${project}</h1>
<p class="verdict ${status}">${SAID[status]}${simulated ? ', simulated' : ''}</p><p class="soft">Run <code>${run}</code></p>
${request === undefined ? undefined : markup`<blockquote>${excerpt(request, 2000)}</blockquote>`}</header>`;
  const shown = evidenceSection(evidence) ?? markup`<p>Nothing of this run has been judged yet.</p>`;
  return pageOf(`${project}: evidence (run ${run})`, [head, shown]);
}

/** A page that needs no network, no script and no other file. */
function pageOf(title: string, parts: readonly Markup[]): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CSP)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body><main>
${parts.map(
  (part) => markup`${part}
`,
)}</main></body>
</html>
`.html;
}

function phaseRows(state: RunState, events: readonly RunEvent[], owned: boolean): PhaseRow[] {
  const plan = new Map(state.plan.phases.map((phase) => [phase.id, phase]));
  const history = attemptHistory(events);
  const rungs = rungsOf(events);
  return workedOn(state).flatMap((at) => {
    const phase = plan.get(at.id);
    if (phase === undefined) return [];
    return { phase, at, status: shownStatus(at, owned), attempts: history.get(at.id) ?? [], rungs: rungs(at.id) };
  });
}

type Head = { readonly title: string; readonly status: RunStatus; readonly rows: readonly PhaseRow[] };

function header(state: RunState, { title, status, rows }: Head): Markup {
  const why = whyOf(state);
  const overrides = overridesOf(state).length;
  const passed = rows.filter(({ status: each, at }) => each === 'passed' && at.accepted?.override === undefined).length;
  const accepted = overrides === 0 ? '' : `, ${overrides} by override`;
  const end = state.ended?.at ?? state.updatedAt;
  const result = resultOf(state);
  const kept = keptOutOf(state);
  const figures: readonly (readonly [string, string])[] = [
    ['Phases passed', `${passed} of ${rows.length}${accepted}`],
    ['Attempts', String(begunAttempts(workedOn(state)))],
    ['From start to end', renderDuration(Date.parse(end) - Date.parse(state.startedAt))],
    ['Agent time', renderDuration(state.spent.ms)],
    ...(result === undefined ? [] : [['Branch', `${result.branch} (${result.commit.slice(0, 12)})`] as const]),
    ...(kept === undefined ? [] : [['Kept off the branch', count(kept.length, 'file')] as const]),
    ...(state.growths ?? []).map((growth) => ['Plan', growthWords(growth)] as const),
    ['Cost', renderSpending(spendingOf(state))],
  ];
  return markup`<header>
<p class="kicker">HELIX run report</p>
<h1>${title}</h1>
<p class="verdict ${status}">${SAID[status]}${overrides === 0 ? '' : `, with ${count(overrides, 'override')}`}${why === undefined ? '' : `: ${excerpt(why, 500)}`}</p>
<p class="soft">Run <code>${state.run}</code>, started <time datetime="${state.startedAt}">${renderTime(state.startedAt)}</time>${
    state.ended && markup`, ended <time datetime="${state.ended.at}">${renderTime(state.ended.at)}</time>`
  }</p>
${state.simulated ? markup`<p class="simulated" role="note"><strong>Simulated.</strong> A scripted agent played this run; nothing here is the work or the opinion of a real one.</p>` : undefined}
<dl class="figures">${figures.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>`;
}

function questions(state: RunState, events: readonly RunEvent[]): Markup | undefined {
  if (state.requests.size === 0) return undefined;
  const comments = new Map(
    events.flatMap((event): [string, string][] =>
      event.type === 'decision_taken' && event.data.comment !== undefined
        ? [[event.data.request, event.data.comment]]
        : [],
    ),
  );
  const items = [...state.requests.values()].map((request) => questionItem(request, comments.get(request.id)));
  return markup`<section aria-labelledby="questions"><h2 id="questions">Questions and answers</h2>${items}</section>`;
}

function questionItem(request: RequestState, comment: string | undefined): Markup {
  const { answer } = request;
  const options = request.options.map((option) => {
    const chosen = answer?.option === option.id ? markup` <span class="passed">chosen</span>` : undefined;
    return markup`<li><b>${option.id}</b>${option.description}${chosen}</li>`;
  });
  const said = comment === undefined ? undefined : markup`<blockquote>${excerpt(comment, 4000)}</blockquote>`;
  const end =
    answer === undefined
      ? markup`<p class="waiting">Open. Answer with <code>helix decide ${request.id} ${request.options[0]?.id}</code></p>`
      : markup`<p class="soft">${isSilence(answer) ? 'Nobody answered in time' : `Answered by ${answer.actor}`}, ${renderTime(answer.at)}</p>${said}`;
  return markup`<article class="question"><h3>${request.id} · ${request.phase}</h3>
<p class="ask">${questionWords(request, 2000)}</p><ol>${options}</ol>${end}</article>
`;
}

function phases(rows: readonly PhaseRow[], until: string): Markup {
  const attempts = rows.flatMap((row) => row.attempts);
  const last = Date.parse(until);
  const scale = timeScale(
    attempts.map((attempt) => ({
      from: Date.parse(attempt.startedAt),
      to: attempt.endedAt ? Date.parse(attempt.endedAt) : last,
    })),
  );
  const wanting = rows.filter((row) => ['failed', 'waiting', 'parked'].includes(row.status)).slice(0, OPEN);
  const items = rows.map((row) => phaseItem(row, (iso) => scale(Date.parse(iso)), wanting.includes(row)));
  return markup`<section aria-labelledby="phases"><h2 id="phases">Phases</h2>
<p class="axis"><span>${count(
    rows.reduce((total, row) => total + begunOf(row.attempts).length, 0),
    'attempt',
  )} over time; pauses are shortened</span><span class="key" aria-hidden="true"><span class="pass"><i></i>pass</span><span class="revise"><i></i>revise</span><span class="reject"><i></i>reject</span><span class="interrupted"><i></i>interrupted</span><span class="open"><i></i>under way</span></span></p>
<ol class="phases">${items}</ol></section>`;
}

function footer(state: RunState): Markup {
  return markup`<footer>
<p>Drawn from ${count(state.seq, 'fact')} of the journal. Its head: <span class="hash">${state.head}</span></p>
<p>Plan: <code>${state.source.path}</code>, sha256 <span class="hash">${state.source.sha256}</span></p>
</footer>`;
}

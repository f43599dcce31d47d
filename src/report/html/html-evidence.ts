import type { CriterionTrace } from '../../domain/documents/criterion-trace.ts';
import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import { excerpt } from '../../text/sanitise.ts';
import { proofs, traceSum } from '../proof/trace-text.ts';
import { probeLine, testsLine } from '../run/evidence-text.ts';
import { goOnWith } from '../words/later.ts';
import { type Markup, markup } from './markup.ts';

const LOOKS = { shown: 'passed', missing: 'failed', unchecked: 'waiting', put_off: 'waiting' } as const;
const WORDS = {
  shown: 'shown',
  missing: 'missing',
  unchecked: 'nobody checked this by itself',
  put_off: 'put off, not in this result',
} as const;

type Quote = EvidenceDocument['judges'][number]['checks'][number]['quotes'][number];

/** What shows that the work is what was asked for: parts, tests, what judges quoted, and what nobody checked. */
export function evidenceSection(evidence: EvidenceDocument): Markup | undefined {
  const { parts, tests, reproduced, probes, judges, unchecked } = evidence;
  if (evidence.gates.length === 0) return undefined;
  const asked = parts.filter(({ of }) => of === 'task');
  const facts = [
    ...reproduced.map(seenItem),
    ...tests.map((each) => markup`<li><code>${each.phase}</code> ${testsLine(each)}${mendedText(each)}</li>`),
    ...probes.map((probe) => markup`<li><code>${probe.phase}</code> ${probeLine(probe)}</li>`),
  ];
  const own = evidence.gates.flatMap(({ phase, command, outcome }) =>
    command === undefined
      ? []
      : [markup`<li><code>${phase}</code> <code>${excerpt(command, 500)}</code> ${outcome}</li>`],
  );
  return markup`<section aria-labelledby="evidence"><h2 id="evidence">What shows it</h2>
${asked.length === 0 ? undefined : markup`<ul class="findings">${asked.map(partItem)}</ul>`}
${criteriaBlock(evidence.criteria)}
${facts.length === 0 ? undefined : markup`<h3>Tests</h3><ul class="findings">${facts}</ul>`}
${judges.map(judgeBlock)}
${own.length === 0 ? undefined : markup`<h3>Commands</h3><ul class="findings">${own}</ul>`}
${unchecked.length === 0 ? undefined : markup`<h3>Not checked</h3><ul class="findings">${unchecked.map((what) => markup`<li>${excerpt(what, 500)}</li>`)}</ul>`}
</section>`;
}

/** Each acceptance criterion with what proved it, or that nothing did. */
function criteriaBlock(criteria: EvidenceDocument['criteria'] = []): Markup | undefined {
  if (criteria.length === 0) return undefined;
  return markup`<h3>Criteria<span class="soft">${traceSum(criteria)}</span></h3>
<ul class="findings">${criteria.map(criterionItem)}</ul>`;
}

const STATES = { proven: 'passed', failed: 'failed', unproven: 'waiting' } as const;

function criterionItem(criterion: CriterionTrace): Markup {
  const { id, text, state } = criterion;
  const shown = proofs(criterion).map((line) => markup`<li>${line}</li>`);
  return markup`<li><b class="${STATES[state]}">${state}</b> <code>${excerpt(id, 40)}</code> ${excerpt(text, 1000)}<ul>${shown}</ul></li>`;
}

function partItem({ part, state, by, findings = [] }: EvidenceDocument['parts'][number]): Markup {
  const quotes = by.flatMap((each) => each.quotes).map(quoted);
  const found = findings.map((each) => markup`<br>${each}`);
  const next = state === 'put_off' ? markup`<br>go on with it: <code>${goOnWith(part)}</code>` : undefined;
  return markup`<li><b class="${LOOKS[state]}">${WORDS[state]}</b> ${part}${found}${quotes}${next}</li>`;
}

function quoted({ file, line, quote }: Quote): Markup {
  return markup`<blockquote><code>${file}${line === undefined ? '' : `:${line}`}</code> ${excerpt(quote, 500)}</blockquote>`;
}

function mendedText({ mended, unseen = [] }: EvidenceDocument['tests'][number]): string {
  const told = (what: string, names: readonly string[]) =>
    names.length === 0 ? '' : `; failed before, ${what}: ${excerpt(names.slice(0, 20).join(', '), 1000)}`;
  return told('now passing', mended) + told('not seen to pass since', unseen);
}

function seenItem({ phase, tests, files, red, green }: EvidenceDocument['reproduced'][number]): Markup {
  const what = (tests.length > 0 ? tests : files).slice(0, 20).join(', ');
  const after =
    green === undefined
      ? undefined
      : markup`<details><summary>what the tests said after ${green.phase}</summary><pre>${excerpt(green.said, 4000)}</pre></details>`;
  return markup`<li><code>${phase}</code> failed on the code as it was: ${excerpt(what, 1000)}
<details><summary>what the tests said then</summary><pre>${excerpt(red, 4000)}</pre></details>${after}</li>`;
}

function judgeBlock({
  phase,
  type,
  result,
  confidence,
  simulated,
  checks,
}: EvidenceDocument['judges'][number]): Markup {
  const look = result === 'approved' ? 'passed' : result === 'rejected' ? 'failed' : 'waiting';
  const items = checks.map(({ id, outcome, quotes }) => markup`<li><b>${id}</b> ${outcome}${quotes.map(quoted)}</li>`);
  return markup`<h3>Judge: ${type}<span class="soft"><span class="${look}">${result}</span> · ${phase} · confidence ${confidence}${simulated ? ' · simulated' : ''}</span></h3>
<ul class="findings">${items}</ul>`;
}

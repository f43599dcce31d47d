import type { EvidenceDocument, Part } from '../../domain/documents/evidence-document.ts';
import type { Tests } from '../../domain/verdict.ts';
import { oneLine } from '../../text/sanitise.ts';
import { count } from '../words/count.ts';
import { goOnWith } from '../words/later.ts';
import type { Canvas, Style } from '../words/paint.ts';
import { failingTests } from './failing-tests.ts';
import { gateName } from './gate-name.ts';

const MAX_NAMES = 10;
const MAX_QUOTE = 160;

const MARKS = {
  shown: ['good', '✔'],
  missing: ['bad', '✖'],
  unchecked: ['warn', '?'],
  put_off: ['warn', '–'],
} as const satisfies Record<string, readonly [Style, string]>;

/** What stands below a part that nothing shows. */
const WHY_NOT: Partial<Record<Part['state'], (part: string) => readonly string[]>> = {
  unchecked: () => ['nobody checked this by itself'],
  put_off: (part) => ['put off, and not in this result; go on with it:', goOnWith(part)],
};

/** `helix evidence`: for each part of what was asked what shows it, then tests, judges and what nobody checked. */
export function renderEvidence(evidence: EvidenceDocument, { paint }: Pick<Canvas, 'paint'>): string {
  const { run, project, status, simulated, parts, unchecked } = evidence;
  const asked = parts.map(({ part, state, by, gates = [], findings = [] }) => {
    const [style, mark] = MARKS[state];
    const shown = [
      ...findings.map((found) => oneLine(found, 300)),
      ...gates.map(({ phase, gate }) => `${phase}: the gate ${oneLine(gate, 60)}, which names it, has passed`),
      ...by.flatMap(({ check, quotes }) => quotes.map((quote) => `${check}  ${quoteText(quote)}`)),
    ];
    const why = WHY_NOT[state]?.(part) ?? shown;
    return [`  ${paint(style, mark)} ${oneLine(part, 300)}`, ...why.map((line) => `      ${line}`)].join('\n');
  });
  const mended = new Set(evidence.tests.flatMap((tests) => tests.mended));
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['What was asked', asked],
    [
      'Tests',
      [
        ...evidence.reproduced.map((seen) => seenText(seen, mended)),
        ...evidence.tests.map(testsText),
        ...probeTexts(evidence),
      ],
    ],
    ['Gates', gateTexts(evidence)],
    ['Judges', evidence.judges.map(judgeText)],
    ['Not checked', unchecked.map((what) => `  ${what}`)],
  ];
  const head = `${paint('strong', oneLine(project, 80))}  ${status}${simulated ? ' (simulated)' : ''}  run ${run}`;
  const shown = sections.filter(([, lines]) => lines.length > 0);
  return `${[head, ...shown.map(([title, lines]) => `${paint('strong', title)}\n${lines.join('\n')}`)].join('\n\n')}\n`;
}

type Quote = EvidenceDocument['judges'][number]['checks'][number]['quotes'][number];

/** Where a judge read what it goes by. */
function quoteText({ file, line, quote }: Quote): string {
  return `${oneLine(file, 200)}${line === undefined ? '' : `:${line}`}  ${oneLine(quote, MAX_QUOTE)}`;
}

/** A count of tests in words. */
function testWords({ total, failed, skipped = 0 }: Tests): string {
  return [
    `${Math.max(0, total - failed.length - skipped)} pass`,
    ...(failed.length > 0 ? [`${failed.length} fail`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

/** What came of the tests of a phase, in a line. */
export function testsLine({ before, after, added = 0 }: EvidenceDocument['tests'][number]): string {
  const more = added > 0 ? `, ${added} new` : '';
  return `${testWords(after)}${more}${before === undefined ? '' : ` (before: ${testWords(before)})`}`;
}

function testsText(tests: EvidenceDocument['tests'][number]): string {
  const { unseen = [] } = tests;
  const lines = [`  ${tests.phase}: ${testsLine(tests)}`];
  if (tests.mended.length > 0) lines.push(`      failed before, ${passWord(tests.mended)} now: ${names(tests.mended)}`);
  if (unseen.length > 0) lines.push(`      failed before, not seen to pass since: ${names(unseen)}`);
  const { still, anew } = failingTests(tests);
  const since = tests.before === undefined ? '' : ' now, and did not before';
  if (anew.length > 0) lines.push(`      ${failWord(anew)}${since}: ${names(anew)}`);
  if (still.length > 0) lines.push(`      still ${failWord(still)}: ${names(still)}`);
  return lines.join('\n');
}

function passWord(tests: readonly string[]): string {
  return tests.length === 1 ? 'passes' : 'pass';
}

function failWord(tests: readonly string[]): string {
  return tests.length === 1 ? 'fails' : 'fail';
}

function seenText(
  { phase, tests, files, green }: EvidenceDocument['reproduced'][number],
  mended: ReadonlySet<string>,
): string {
  const what = tests.length > 0 ? names(tests) : `the command, with ${names(files)}`;
  const who = tests.every((name) => mended.has(name)) ? 'passes' : 'the command passes';
  const now = green === undefined ? 'not seen to pass since' : `${who} since ${green.phase}`;
  return `  ${phase}: failed on the code as it was: ${what}; ${now}`;
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, MAX_NAMES).map((name) => oneLine(name, 160));
  return `${shown.join(', ')}${all.length > MAX_NAMES ? ` and ${all.length - MAX_NAMES} more` : ''}`;
}

function probeTexts({ probes }: EvidenceDocument): string[] {
  return probes.map((probe) => `  ${probe.phase}: ${probeLine(probe)}`);
}

/** What the tests made of lines that were broken on purpose. */
export function probeLine({ mutants }: Pick<EvidenceDocument['probes'][number], 'mutants'>): string {
  const of = (result: string) => mutants.filter((mutant) => mutant.result === result);
  const at = (list: readonly (typeof mutants)[number][]) =>
    list
      .slice(0, MAX_NAMES)
      .map(({ file, line, change }) => `${oneLine(file, 120)}:${line} (${oneLine(change, 80)})`)
      .join(', ');
  const [noticed, missed] = [of('noticed'), of('missed')];
  if (noticed.length > 0) return `broken on purpose, and the tests noticed: ${at(noticed)}`;
  if (missed.length > 0) return `broken on purpose, and no test noticed: ${at(missed)}`;
  return 'whether the tests notice broken lines could not be found out';
}

function gateTexts({ gates }: EvidenceDocument): string[] {
  return [...Map.groupBy(gates, ({ phase }) => phase)].map(([phase, own]) => {
    const told = own.map(({ gate, command, outcome, warnings }) => {
      const more = warnings === 0 ? '' : ` (${count(warnings, 'warning')})`;
      return `${gateName(gate, command)} ${outcome}${more}`;
    });
    return `  ${phase}: ${told.join(', ')}`;
  });
}

function judgeText({ phase, type, result, confidence, simulated, checks }: EvidenceDocument['judges'][number]): string {
  const head = `  ${phase}: ${type} ${result} (confidence ${confidence}${simulated ? ', simulated' : ''})`;
  const wide = Math.max(0, ...checks.map(({ id, outcome }) => id.length + outcome.length + 1));
  const lines = checks.flatMap(({ id, outcome, quotes }) => {
    const said = quotes.length === 0 ? [''] : quotes.map(quoteText);
    return said.map((words, index) =>
      `      ${(index === 0 ? `${id} ${outcome}` : '').padEnd(wide)}  ${words}`.trimEnd(),
    );
  });
  return [head, ...lines].join('\n');
}

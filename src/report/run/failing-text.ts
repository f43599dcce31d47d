import { findingsOf, type PhaseState, type RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { unheard } from '../../domain/ladder/unheard.ts';
import { oneLine } from '../../text/sanitise.ts';
import { fold, wrap } from '../words/columns.ts';
import { count } from '../words/count.ts';
import { failureLines, QUOTED } from '../words/failure-lines.ts';
import { renderFindings } from '../words/findings-text.ts';
import { firstOf } from '../words/first-finding.ts';
import type { Canvas } from '../words/paint.ts';
import { workedOn } from './run-document.ts';

type View = Canvas & { readonly at?: string };

const INDENT = '  ';

/** Tells whether a phase is held up by what a gate found. */
export function isHeldUp({ status, lastVerdicts }: PhaseState): boolean {
  const isOver = status === 'failed' || status === 'waiting';
  return isOver && lastVerdicts.some(({ outcome, findings }) => outcome !== 'pass' && findings.length > 0);
}

/** Why the phases that failed or wait do so: of each the first failing check, its place, and the last lines of what it said. */
export function renderFailing(state: RunState, view: View): string[] {
  return workedOn(state)
    .filter(isHeldUp)
    .flatMap((phase) => failing(phase, state.run, view));
}

function failing(phase: PhaseState, run: string, view: View): string[] {
  const { width, paint, at = '' } = view;
  const { id, lastVerdicts } = phase;
  const cut = unheard(phase);
  const rejecting = lastVerdicts.filter(({ outcome }) => outcome !== 'pass');
  const findings = cut === undefined ? rejecting.flatMap((verdict) => verdict.findings) : [cut];
  const first = firstOf(findings);
  if (first === undefined) return [];
  const [title = '', ...said] = failureLines(first);
  const [head = '', ...rest] = wrap(`${oneLine(id, 64)}: ${title}`, width - 2);
  const hint = first.hint === undefined ? [] : wrap(`hint: ${oneLine(first.hint, 500)}`, width - INDENT.length);
  const more = findings.length - 1;
  return [
    `${paint('bad', '✖')} ${paint('strong', head)}`,
    ...rest.map((line) => `${INDENT}${paint('strong', line)}`),
    ...said.flatMap((line) => quoted(line.slice(QUOTED.length), width)),
    ...hint.map((line) => `${INDENT}${line}`),
    ...(more > 0
      ? [paint('dim', `${INDENT}and ${count(more, 'more finding')}: helix status ${run} --findings${at}`)]
      : []),
    '',
  ];
}

/** All that the last judgements found, phase by phase, as long as it is. */
export function renderAllFindings(state: RunState, { width, paint }: View): string[] {
  return workedOn(state).flatMap((phase) => {
    const findings = findingsOf(phase);
    if (findings.length === 0) return [];
    const title = `${oneLine(phase.id, 64)}: ${count(findings.length, 'finding')}`;
    return [paint('strong', title), ...findings.flatMap((finding) => whole(finding, { width, paint })), ''];
  });
}

function whole(finding: Finding, { width, paint }: Canvas): string[] {
  const [head = '', ...rest] = renderFindings([finding], { paint }).split('\n');
  const output = finding.output?.split('\n') ?? [];
  return [
    `${INDENT}${head}`,
    ...rest.map((line) => `${INDENT}${line}`),
    ...output.flatMap((line) => quoted(line, width)),
  ];
}

function quoted(line: string, width: number): string[] {
  return fold(line, width - INDENT.length - QUOTED.length).map((part) => `${INDENT}${QUOTED}${part}`);
}

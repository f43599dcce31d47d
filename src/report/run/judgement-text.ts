import type { Verdict } from '../../domain/verdict.ts';
import { oneLine } from '../../text/sanitise.ts';
import { pad } from '../words/columns.ts';
import { count } from '../words/count.ts';
import { renderFindings } from '../words/findings-text.ts';
import type { Paint, Style } from '../words/paint.ts';
import { renderDuration } from '../words/time.ts';

/** What gates said of a tree, which one could not answer, and which were not asked any more. */
export type JudgementView = {
  readonly verdicts: readonly Verdict[];
  readonly cut?: { readonly gate: string; readonly message: string } | undefined;
  readonly unasked: readonly string[];
};

const LOOK: Readonly<Record<Verdict['outcome'], readonly [symbol: string, style: Style]>> = {
  pass: ['✔', 'good'],
  revise: ['✖', 'warn'],
  reject: ['✖', 'bad'],
};

/** A judgement for people: a line for each gate, its findings below it. */
export function renderJudgement({ verdicts, cut, unasked }: JudgementView, paint: Paint): string {
  const names = [...verdicts.map(({ gate }) => gate), ...(cut === undefined ? [] : [cut.gate]), ...unasked];
  const width = Math.max(...names.map((name) => name.length));
  const name = (gate: string) => pad(oneLine(gate, 60), Math.min(width, 60));
  return [
    ...verdicts.flatMap((verdict) => [
      verdictLine(verdict, name(verdict.gate), paint),
      ...indented(renderFindings(verdict.findings, { paint })),
    ]),
    ...(cut === undefined
      ? []
      : [`${paint('warn', '?')} ${name(cut.gate)}  cannot be judged`, ...indented(cutText(cut))]),
    ...unasked.map((gate) => paint('dim', `· ${name(gate)}  not asked`)),
    '',
  ].join('\n');
}

function verdictLine({ outcome, tests, probe, durationMs }: Verdict, name: string, paint: Paint): string {
  const [symbol, style] = LOOK[outcome];
  const ran = tests === undefined ? '' : `, ${count(tests.total, 'test')}, ${tests.failed.length} failed`;
  const noticed = probe?.mutants.find(({ result }) => result === 'noticed');
  const broken = noticed === undefined ? '' : `, notice a broken ${oneLine(noticed.file, 80)}:${noticed.line}`;
  return `${paint(style, symbol)} ${name}  ${outcome}  ${paint('dim', `${renderDuration(durationMs)}${ran}${broken}`)}`;
}

function cutText({ message }: { readonly message: string }): string {
  return message
    .split('\n')
    .map((line) => oneLine(line, 2000))
    .join('\n');
}

function indented(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => `    ${line}`);
}

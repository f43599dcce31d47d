import { readdirSync, readFileSync } from 'node:fs';
import { collectOutput, type OutputLines } from './collect-output.ts';
import type { TestReport } from './report/test-report.ts';

/** The output of a test runner, and what is to be read from it. */
export type Recorded = { readonly output: OutputLines; readonly expected: readonly string[] };

/** The names of all outputs in `recorded/`. */
export function recordedNames(): string[] {
  return readdirSync(new URL('recorded/', import.meta.url)).map((file) => file.replace('.txt', ''));
}

/**
 * An output with its head: the first line says where it comes from, lines that begin with `%% = ` what is in it, and
 * `%% stdout` or `%% stderr` where it was written to. It was made in `/scratch`.
 */
export function recorded(name: string): Recorded {
  const text = readFileSync(new URL(`recorded/${name}.txt`, import.meta.url), 'utf8');
  const collector = collectOutput();
  const expected: string[] = [];
  let stream: 'stdout' | 'stderr' | undefined;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line === '%% stdout' || line === '%% stderr') stream = line === '%% stdout' ? 'stdout' : 'stderr';
    else if (line.startsWith('%% = ')) expected.push(line.slice('%% = '.length));
    else if (stream !== undefined) collector.add(line, stream);
  }
  return { output: collector.lines(), expected };
}

/** Text on stdout. */
export function printed(text: string): OutputLines {
  const collector = collectOutput();
  for (const line of text.split('\n')) collector.add(line, 'stdout');
  return collector.lines();
}

/** A report in short: the counts, then each failed test with its first place and the first line of its message. */
export function inShort(report: TestReport | undefined): string[] {
  if (report === undefined) return ['nothing'];
  const { total, skipped, failures, failed } = report;
  return [
    `${total} tests, ${skipped} skipped, ${failures} failures`,
    ...failed.map(({ name, message, places: [at] }) => {
      const place = at && [at.file, at.line, at.column].filter((part) => part !== undefined).join(':');
      return `${name} @ ${place ?? 'nowhere'} | ${message?.split('\n')[0] ?? ''}`.trimEnd();
    }),
  ];
}

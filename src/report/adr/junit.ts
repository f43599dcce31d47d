import type { AdrCheckDocument, AdrFileEntry, AdrFindingEntry } from '../../domain/documents/adr-documents.ts';

/** A check of ADRs as JUnit XML, which build servers read: a suite per file, a case per check that found something. */
export function renderJunit({ files }: AdrCheckDocument): string {
  const suites = files.map(suiteOf);
  const sum = (pick: (suite: Suite) => number): number => suites.reduce((total, suite) => total + pick(suite), 0);
  const counts = `tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="helix adr check" ${counts}>`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n');
}

type Suite = { readonly xml: string; readonly tests: number; readonly failures: number };

function suiteOf({ path, findings }: AdrFileEntry): Suite {
  const checks = [...new Set(findings.map(({ check }) => check))];
  const cases = checks.map((check) =>
    caseOf(
      path,
      check,
      findings.filter((finding) => finding.check === check),
    ),
  );
  const all = cases.length > 0 ? cases : [`    <testcase name="helix adr check" classname="${attribute(path)}"/>`];
  const failures = checks.filter((check) =>
    findings.some((finding) => finding.check === check && isError(finding)),
  ).length;
  const counts = `tests="${all.length}" failures="${failures}" errors="0" skipped="0"`;
  const xml = [`  <testsuite name="${attribute(path)}" ${counts}>`, ...all, '  </testsuite>'].join('\n');
  return { xml, tests: all.length, failures };
}

function caseOf(path: string, check: string, findings: readonly AdrFindingEntry[]): string {
  const errors = findings.filter(isError);
  const others = findings.filter((finding) => !isError(finding));
  const [first] = errors;
  const failure = `      <failure message="${attribute(first?.message ?? '')}" type="${attribute(check)}">${told(path, errors)}</failure>`;
  return [
    `    <testcase name="${attribute(check)}" classname="${attribute(path)}">`,
    ...(errors.length > 0 ? [failure] : []),
    ...(others.length > 0 ? [`      <system-out>${told(path, others)}</system-out>`] : []),
    '    </testcase>',
  ].join('\n');
}

function told(path: string, findings: readonly AdrFindingEntry[]): string {
  const lines = findings.map(({ severity, message, hint, location: { line, column } }) =>
    [`${path}:${line}:${column}: ${severity}: ${message}`, ...(hint === '' ? [] : [`  hint: ${hint}`])].join('\n'),
  );
  return content(lines.join('\n'));
}

function isError({ severity }: AdrFindingEntry): boolean {
  return severity === 'error';
}

/** What XML 1.0 has no way to write. */
const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function content(text: string): string {
  return text.replace(NOT_IN_XML, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** White space is written as numbers: a reader of XML turns it into spaces otherwise. */
function attribute(text: string): string {
  return content(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}

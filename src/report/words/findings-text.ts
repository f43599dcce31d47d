import type { Finding } from '../../domain/finding.ts';
import { excerpt, oneLine, sanitise } from '../../text/sanitise.ts';
import type { Paint, Style } from './paint.ts';

/** How findings are shown: `frame` gives the lines of the file around a finding, where they are at hand. */
export type FindingsView = {
  readonly paint: Paint;
  readonly frame?: ((finding: Finding) => string | undefined) | undefined;
};

const STYLES: Readonly<Record<Finding['severity'], Style>> = { error: 'bad', warning: 'warn', info: 'info' };

/** Findings for people and for editors that jump to `file:line:column`. */
export function renderFindings(findings: readonly Finding[], view: FindingsView): string {
  return findings.map((finding) => renderFinding(finding, view)).join('\n');
}

/** `file:line:column`, as far as it is known; empty for a finding without a place. */
export function renderLocation(location: Finding['location']): string {
  if (location === undefined) return '';
  const { file, line, column } = location;
  const place = [file === undefined ? undefined : oneLine(file), line, line === undefined ? undefined : column];
  return place.filter((part) => part !== undefined).join(':');
}

function renderFinding(finding: Finding, view: FindingsView): string {
  const place = renderLocation(finding.location);
  const head = [
    ...(place === '' ? [] : [view.paint('strong', place)]),
    view.paint(STYLES[finding.severity], finding.severity),
  ];
  const [first = '', ...rest] = excerpt(finding.message, 4000).split('\n');
  const frame = view.frame?.(finding);
  return [
    `${head.join('  ')}  ${first}  ${view.paint('dim', oneLine(finding.check, 80))}`,
    ...rest.map((line) => `  ${line}`),
    ...(frame === undefined ? [] : sanitise(frame).trimEnd().split('\n')).map((line) => `  ${line}`),
    ...(finding.hint === undefined ? [] : [`  ${view.paint('dim', 'hint:')} ${oneLine(finding.hint, 2000)}`]),
  ].join('\n');
}

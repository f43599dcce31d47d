import type { AdrCheckDocument, AdrFileEntry } from '../../domain/documents/adr-documents.ts';
import type { Finding } from '../../domain/finding.ts';
import { oneLine } from '../../text/sanitise.ts';
import { renderFindings } from '../words/findings-text.ts';
import type { Paint, Style } from '../words/paint.ts';
import { groupWarnings, type RepeatedWarning } from './group-warnings.ts';

const SHOWN_PER_FILE = 50;
const SHOWN_PLACES = 5;

/** How a check of ADRs is shown: `frame` gives the line a finding stands on; `notes` are said before the summary. */
export type AdrCheckView = {
  readonly paint: Paint;
  readonly frame: (finding: Finding) => string | undefined;
  readonly notes: readonly string[];
};

/** Findings by file for people, warnings that repeat together; files without any are only counted. */
export function renderAdrCheck({ summary, files: all }: AdrCheckDocument, view: AdrCheckView): string {
  const { files, repeated } = groupWarnings(all);
  const parts = [
    ...files.filter(({ findings }) => findings.length > 0).map((file) => renderFile(file, view)),
    ...repeated.map((warning) => renderRepeated(warning, view)),
  ];
  const style: Style = summary.failed > 0 ? 'bad' : summary.warnings > 0 ? 'warn' : 'good';
  const verdict = summary.failed > 0 ? `${summary.failed} of ${counted(summary.files, 'ADR')} failed` : passed(summary);
  const found = [
    counted(summary.errors, 'error'),
    counted(summary.warnings, 'warning'),
    ...(summary.infos > 0 ? [counted(summary.infos, 'note')] : []),
  ].join(', ');
  return [
    ...parts,
    [...view.notes.map((note) => view.paint('dim', oneLine(note))), `${view.paint(style, verdict)}: ${found}`].join(
      '\n',
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

function passed({ files }: AdrCheckDocument['summary']): string {
  return `${counted(files, 'ADR')} passed`;
}

/** Errors first, mere notes last; in one kind the order is that of the lines. */
function renderFile({ path, profile, findings }: AdrFileEntry, view: AdrCheckView): string {
  const ordered = ['error', 'warning', 'info'].flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  );
  const shown = ordered.slice(0, SHOWN_PER_FILE);
  const frame = (finding: Finding) => (finding.severity === 'info' ? undefined : view.frame(finding));
  const lines = shown.map(({ hint, layer: _layer, ...finding }) => ({
    ...finding,
    ...(hint !== '' && finding.severity !== 'info' && { hint }),
    location: { file: path, ...finding.location },
  }));
  const more = ordered.length - shown.length;
  return [
    `${view.paint('strong', oneLine(path))}  ${view.paint('dim', oneLine(profile))}`,
    renderFindings(lines, { paint: view.paint, frame }),
    ...(more > 0 ? [view.paint('dim', `… and ${more} more here`)] : []),
  ].join('\n');
}

/** One warning for all the places it stands in. */
function renderRepeated({ first, varies, places }: RepeatedWarning, { paint }: AdrCheckView): string {
  const more = places.length - SHOWN_PLACES;
  const message = `${oneLine(first.message, 2000)}${varies ? ', and the like' : ''}`;
  return [
    `${paint('warn', 'warning')}  ${places.length} times: ${message}  ${paint('dim', oneLine(first.check, 80))}`,
    ...places.slice(0, SHOWN_PLACES).map((place) => `  ${oneLine(place)}`),
    ...(more > 0 ? [paint('dim', `  … and ${more} more; --format json lists all`)] : []),
    ...(first.hint === '' ? [] : [`  ${paint('dim', 'hint:')} ${oneLine(first.hint, 2000)}`]),
  ].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

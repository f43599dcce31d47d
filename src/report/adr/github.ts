import type { AdrCheckDocument, AdrFindingEntry } from '../../domain/documents/adr-documents.ts';
import { sanitise } from '../../text/sanitise.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** A check of ADRs as workflow commands, which GitHub shows beside the lines of a pull request. */
export function renderGithub({ files }: AdrCheckDocument): string {
  return files.flatMap(({ path, findings }) => findings.map((finding) => `${annotation(path, finding)}\n`)).join('');
}

function annotation(path: string, { severity, check, message, hint, location }: AdrFindingEntry): string {
  const properties = { file: path, line: location.line, col: location.column, title: check };
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${COMMANDS[severity]} ${given.join(',')}::${data(`${message}${hint === '' ? '' : `\n${hint}`}`)}`;
}

function data(text: string): string {
  return sanitise(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

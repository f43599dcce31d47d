import type { AdrFacts } from '../../domain/documents/adr-list-documents.ts';
import { oneLine } from '../../text/sanitise.ts';

/** The ADRs as a Markdown table; `link` tells how to reach one from the index. */
export function renderAdrIndex(adrs: readonly AdrFacts[], link: (path: string) => string): string[] {
  const ids = new Map(adrs.map(({ path, id }) => [path, id]));
  return [
    '| ADR | Title | Status | Date |',
    '|---|---|---|---|',
    ...adrs.map(({ path, id, title, status, statusText, date, supersededBy }) => {
      const name = id ?? fileName(path);
      const by = supersededBy.map((each) => `[${cell(ids.get(each) ?? fileName(each))}](${link(each)})`).join(', ');
      const shown = status === undefined ? cell(statusText ?? '') : status.charAt(0).toUpperCase() + status.slice(1);
      const state = status === 'superseded' && by !== '' ? `${shown} by ${by}` : shown;
      return `| [${cell(name)}](${link(path)}) | ${cell(title)} | ${state} | ${cell(date ?? '')} |`;
    }),
  ];
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|markdown)$/i, '');
}

/** Text in which nothing is markup and nothing ends the cell. */
function cell(text: string): string {
  return oneLine(text, 200).replace(/[\\`*_[\]<>|]/g, '\\$&');
}

/** What an index lacks and what it should not have, line by line. */
export function renderIndexDifference(old: readonly string[], table: readonly string[]): string {
  const [before, after] = [new Set(old), new Set(table)];
  const lines = [
    ...old.filter((line) => !after.has(line)).map((line) => `- ${oneLine(line, 300)}`),
    ...table.filter((line) => !before.has(line)).map((line) => `+ ${oneLine(line, 300)}`),
  ];
  return `${(lines.length === 0 ? ['the lines are in another order'] : lines).join('\n')}\n`;
}

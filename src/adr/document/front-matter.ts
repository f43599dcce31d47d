import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { isRecord } from '../../text/is-record.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import type { FrontMatter } from './adr.ts';

/** Ids and dates are text as written: 015 is no number, and a date no other day. */
const TEXT_KEYS = new Set([
  'adr_id',
  'id',
  'number',
  'date',
  'title',
  'status',
  'depends_on',
  'related_to',
  'supersedes',
  'superseded_by',
  'superseded-by',
]);

const KEY = /^[\p{L}_][\p{L}\p{N}_ -]*:(?:\s|$)/u;

/** Reads the YAML between `---` lines at the very top; undefined when there is none. */
export function readFrontMatter(lines: readonly string[], file: string): FrontMatter | undefined {
  if (lines[0]?.trimEnd() !== '---') return undefined;
  const closing = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (closing === -1 && !KEY.test(lines.slice(1).find((line) => line.trim() !== '') ?? '')) return undefined;
  if (closing !== -1 && isMarkdown(lines.slice(1, closing))) return undefined;
  const end = closing === -1 ? endOfUnclosed(lines) : closing;
  const yaml = parseYaml(`\n${lines.slice(1, end).join('\n')}\n`, file, TEXT_KEYS);
  const findings = yaml.findings.map(asHeaderFinding);
  if (closing === -1)
    findings.unshift(error(file, 'the front matter that starts here is never closed', 'add a line `---` after it'));
  else if (yaml.complete && !isRecord(yaml.value) && yaml.value !== null && yaml.value !== undefined)
    findings.push(error(file, 'the front matter is no list of fields', 'write each field as `name: value`'));
  return {
    first: 1,
    last: closing === -1 ? end : end + 1,
    fields: isRecord(yaml.value) ? yaml.value : {},
    findings,
    locate: (path) => yaml.locate(path),
    locateKey: (path) => yaml.locateKey(path),
  };
}

/** Between two rules there may stand Markdown: "**Status:** Accepted", a heading. */
function isMarkdown(lines: readonly string[]): boolean {
  return /^(?:#{1,6} |\*\*|__|>|\||!?\[)/.test(lines[0] ?? '') && !lines.some((line) => KEY.test(line));
}

/** What is never closed ends where the document visibly starts. */
function endOfUnclosed(lines: readonly string[]): number {
  const heading = lines.findIndex((line, index) => index > 0 && (/^#{1,6}\s/.test(line) || line.trim() === ''));
  return heading === -1 ? lines.length : heading;
}

function asHeaderFinding({ severity, message, hint, location }: Finding): Finding {
  return {
    severity,
    check: 'header-yaml',
    message,
    ...present({ hint }),
    ...(location && { location }),
  };
}

function error(file: string, message: string, hint: string): Finding {
  return { severity: 'error', check: 'header-yaml', message, hint, location: { file, line: 1, column: 1 } };
}

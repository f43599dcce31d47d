import { HelixError } from '../domain/helix-error.ts';
import { CheckHeader } from '../domain/judge/check-header.ts';
import { FileFindings } from '../text/yaml/file-findings.ts';
import { type Reading, readYaml } from '../text/yaml/read-yaml.ts';
import { readMap } from '../text/yaml/schema-findings.ts';
import type { Check } from './question.ts';

const HEADER = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
const READING: Reading = { names: new Set(), free: new Set(), text: new Set(['not_applicable']) };

/** The text of a check below its front matter, and what that allows; throws HelixError `config` for front matter with errors. */
export function splitCheck(content: string, place: string): Pick<Check, 'text' | 'notApplicable'> {
  const header = HEADER.exec(content);
  if (header === null || header.index !== 0) return { text: content };
  const { yaml } = readYaml(place, `\n${header[1] ?? ''}`, READING);
  const findings = new FileFindings(yaml);
  const { not_applicable: notApplicable = [] } = readMap(CheckHeader, {
    value: yaml.complete ? (yaml.value ?? {}) : {},
    path: [],
    findings,
  });
  const [first] = findings.sorted.filter(({ severity }) => severity === 'error');
  if (first === undefined) return { text: content.slice(header[0].length), notApplicable };
  const { line = 1, column = 1 } = first.location ?? {};
  throw new HelixError('config', `${place}:${line}:${column}: ${first.message}`, {
    hint: first.hint ?? 'Write not_applicable: [short phrases for what], or leave the front matter out.',
  });
}

import { suggestion } from '../../../text/did-you-mean.ts';
import { isRecord } from '../../../text/is-record.ts';
import { oneLine } from '../../../text/sanitise.ts';
import type { FileFindings } from '../../../text/yaml/file-findings.ts';
import type { YamlPath } from '../../../text/yaml/yaml.ts';
import { KNOWN_FIELDS } from '../field-value.ts';

const LISTS = ['any', 'all'];
const OPERATORS = [...LISTS, 'content_contains', 'section_exists'];
const NOT_EMPTY = KNOWN_FIELDS.map((field) => `${field}_not_empty`);
const KEYS: readonly string[] = [...KNOWN_FIELDS, ...OPERATORS, ...NOT_EMPTY];

/** Checks what a rule's `when` says: a key that is no field would never hold, and nobody would notice. */
export function checkCondition(when: Readonly<Record<string, unknown>>, path: YamlPath, findings: FileFindings): void {
  for (const [key, value] of Object.entries(when)) {
    const at = [...path, key];
    if (!KEYS.includes(key)) findings.errorAtKey(at, unknownKey(key));
    else if (LISTS.includes(key)) checkList(key, value, { at, findings });
    else if (typeof value !== 'string' || value.trim() === '')
      findings.error(at, { check: 'invalid-value', message: `"${key}" must be one value`, hint: hintFor(value) });
    else if (NOT_EMPTY.includes(key) && value !== 'true' && value !== 'false')
      findings.error(at, { check: 'invalid-value', message: `"${key}" must be true or false`, hint: 'write true' });
  }
}

function unknownKey(key: string): { check: string; message: string; hint: string } {
  const hint = suggestion(key, [...KNOWN_FIELDS, ...OPERATORS, ...NOT_EMPTY]);
  return { check: 'unknown-key', message: `"${oneLine(key, 60)}" is no field of an ADR and no condition`, hint };
}

function hintFor(value: unknown): string {
  if (Array.isArray(value)) return 'write one condition for each value below "any:"';
  return value === null
    ? 'give it a value, or ask for it with <field>_not_empty'
    : 'write text, in quotes where in doubt';
}

function checkList(key: string, value: unknown, { at, findings }: { at: YamlPath; findings: FileFindings }): void {
  const hint = `write "${key}:" and below it a list: - field: value`;
  if (!Array.isArray(value) || value.length === 0) {
    findings.error(at, { check: 'invalid-value', message: `"${key}" must be a list of conditions`, hint });
    return;
  }
  for (const [index, entry] of value.entries()) {
    if (isRecord(entry) && Object.keys(entry).length > 0) checkCondition(entry, [...at, index], findings);
    else
      findings.error([...at, index], {
        check: 'invalid-value',
        message: `an entry of "${key}" must be a condition`,
        hint,
      });
  }
}

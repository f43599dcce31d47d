import type { Finding } from '../../domain/finding.ts';
import { DefectsFile } from '../../domain/judge/defects-file.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { type Reading, readYaml } from '../../text/yaml/read-yaml.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import { compileDefect, type Defect } from './defect.ts';

const READING: Reading = {
  names: new Set(),
  free: new Set(),
  text: new Set(['id', 'check', 'about', 'find', 'replace']),
};

/** Reads a defects.yaml; what is wrong with it is among the findings, with its place. With `checks`, each defect must be about one of them. */
export function parseDefects(
  text: string,
  path: string,
  checks?: readonly string[],
): { defects: readonly Defect[]; findings: readonly Finding[] } {
  const { yaml } = readYaml(path, text, READING);
  const findings = new FileFindings(yaml);
  const { defects: entries = [] } = readMap(DefectsFile, {
    value: yaml.complete ? yaml.value : {},
    path: [],
    findings,
  });
  const defects = new Map<string, Defect>();
  for (const [index, entry] of entries.entries()) {
    const at = ['defects', index];
    if (defects.has(entry.id)) {
      const message = `there are two defects "${entry.id}"`;
      findings.error([...at, 'id'], { check: 'duplicate-defect', message, hint: 'Give each an id of its own.' });
    }
    if (checks !== undefined && !checks.includes(entry.check)) {
      const message = `there is no check "${entry.check}"`;
      findings.error([...at, 'check'], { check: 'unknown-check', message, hint: suggestion(entry.check, checks) });
    }
    const compiled = compileDefect(entry);
    if ('plant' in compiled) defects.set(entry.id, compiled);
    else
      findings.error([...at, compiled.key], {
        check: 'invalid-defect',
        message: compiled.message,
        hint: compiled.hint,
      });
  }
  return { defects: [...defects.values()], findings: findings.sorted };
}

/** The project's own defects and those of HELIX that none of them replaces, as far as they are about one of the checks. */
export function joinDefects(
  own: readonly Defect[],
  shipped: readonly Defect[],
  checks: readonly string[],
): readonly Defect[] {
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...shipped.filter(({ id }) => !ids.has(id))].filter(({ check }) => checks.includes(check));
}

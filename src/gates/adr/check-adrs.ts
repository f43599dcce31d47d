import { type ConceptCheck, checkParsedAdr, type ProfileChoice } from '../../adr/check-adr.ts';
import type { Adr, AdrFinding } from '../../adr/document/adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { Readable } from '../files/source-reader.ts';
import { readableText } from '../gate/readable-text.ts';

const LIMIT = 10 * 1024 * 1024;

/** What ADRs are checked with. */
export type AdrChecking = {
  readonly rules: RuleSet;
  /** Layer 3. */
  readonly concept?: ConceptCheck;
  /** The form an ADR at a path must have; without it each is checked by the form it seems to have. */
  readonly profile?: (path: string) => Promise<ProfileChoice>;
};

/** The ADRs among some files, and what cannot be read at all. */
export type ReadAdrs = { readonly adrs: readonly Adr[]; readonly unreadable: readonly Finding[] };

/** Reads ADRs; what is not there or no text becomes a finding. */
export async function readAdrs(paths: readonly string[], source: Readable): Promise<ReadAdrs> {
  const adrs: Adr[] = [];
  const unreadable: Finding[] = [];
  for (const path of paths) {
    const bytes = await source.read(path, LIMIT + 1);
    const text = bytes === undefined || bytes.length > LIMIT ? undefined : readableText(bytes)?.text;
    if (text !== undefined) adrs.push(parseAdr(text, path));
    else {
      const message = bytes === undefined ? `${path} is missing` : `${path} is no text that can be read`;
      unreadable.push({ severity: 'error', check: 'unreadable-file', message, location: { file: path } });
    }
  }
  return { adrs, unreadable };
}

/** Checks ADRs by layers 1 and 2 and, where there is a concept, layer 3. */
export async function checkAdrs(adrs: readonly Adr[], { profile, ...options }: AdrChecking): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const adr of adrs) {
    const form = await profile?.(adr.path);
    const checked = checkParsedAdr(adr, { ...options, ...present({ profile: form }) });
    findings.push(...checked.findings.map(withoutLayer));
  }
  return findings;
}

function withoutLayer({ layer: _, ...finding }: AdrFinding): Finding {
  return finding;
}

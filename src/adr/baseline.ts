import type { AdrBaseline } from '../domain/documents/adr-documents.ts';
import { sha256 } from '../text/digest.ts';
import { isRecord } from '../text/is-record.ts';
import type { AdrFinding } from './document/adr.ts';

type Entry = AdrBaseline['findings'][number];
type Checked = { readonly path: string; readonly findings: readonly AdrFinding[] };

/** What stays the same about a finding when lines move and lengths change: its check, and its message without such numbers. */
export function fingerprintOf({ check, message }: Pick<AdrFinding, 'check' | 'message'>): string {
  const lasting = message.replace(/(?<![\w"'`.#/-])\d+(?:\.\d+)?(?![\w"'`/-]|\.\d)/g, '#');
  return sha256(`${check}\0${lasting}`).slice(0, 16);
}

/** Reads the text of a baseline; undefined when it is none. */
export function parseBaseline(text: string): AdrBaseline | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || value.schema !== 'helix.adr-baseline/1' || !Array.isArray(value.findings)) return undefined;
  const findings = value.findings.filter(isEntry);
  return findings.length === value.findings.length ? { schema: value.schema, findings } : undefined;
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { path, check, fingerprint, count } = value;
  return (
    [path, check, fingerprint].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(count) &&
    Number(count) > 0
  );
}

/** What a baseline leaves of the findings. */
export type Ratcheted<T> = {
  /** The same files with only the findings that are new. */
  readonly checks: readonly T[];
  readonly known: number;
  /** Entries, or the part of them, that no longer occur in the files that were checked or are gone. */
  readonly stale: readonly Entry[];
};

/** Takes away what the baseline knows; of several findings of one kind, those in front are the known ones. */
export function applyBaseline<T extends Checked>(
  checks: readonly T[],
  baseline: AdrBaseline,
  isGone: (path: string) => boolean,
): Ratcheted<T> {
  const left = new Map<string, number>();
  for (const entry of baseline.findings) left.set(keyOf(entry), (left.get(keyOf(entry)) ?? 0) + entry.count);
  let known = 0;
  const rest = checks.map((checked) => ({
    ...checked,
    findings: checked.findings.filter((finding) => {
      const key = keyOf({ path: checked.path, check: finding.check, fingerprint: fingerprintOf(finding) });
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      if (count > 0) known += 1;
      return count === 0;
    }),
  }));
  const seen = new Set(checks.map(({ path }) => path));
  const stale = baseline.findings.flatMap((entry) => {
    const count = left.get(keyOf(entry)) ?? 0;
    return count > 0 && (seen.has(entry.path) || isGone(entry.path)) ? [{ ...entry, count }] : [];
  });
  return { checks: rest, known, stale };
}

/** The baseline that knows all of these findings; what it knew of files that exist and were not checked stays. */
export function updateBaseline(
  checks: readonly Checked[],
  before: AdrBaseline | undefined,
  isGone: (path: string) => boolean,
): AdrBaseline {
  const entries = new Map<string, Entry>();
  const seen = new Set(checks.map(({ path }) => path));
  for (const entry of before?.findings ?? []) {
    if (!seen.has(entry.path) && !isGone(entry.path)) entries.set(keyOf(entry), entry);
  }
  for (const { path, findings } of checks) {
    for (const finding of findings) {
      const entry = { path, check: finding.check, fingerprint: fingerprintOf(finding) };
      entries.set(keyOf(entry), { ...entry, count: (entries.get(keyOf(entry))?.count ?? 0) + 1 });
    }
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return { schema: 'helix.adr-baseline/1', findings: sorted };
}

function keyOf({ path, check, fingerprint }: Omit<Entry, 'count'>): string {
  return `${path}\0${check}\0${fingerprint}`;
}

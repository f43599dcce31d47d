import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { ioError } from '../../adapters/disk/io-error.ts';
import { requireOwnFile } from '../../adapters/disk/led-out.ts';
import { applyBaseline, parseBaseline, updateBaseline } from '../../adr/baseline.ts';
import type { AdrCheck } from '../../adr/check-adr.ts';
import type { AdrBaseline } from '../../domain/documents/adr-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';

/** A baseline file, with the paths in it as seen from its folder. */
export type Ratchet = {
  /** Leaves only what is new, and tells what the baseline took away. */
  apply(checks: readonly AdrCheck[]): { readonly checks: readonly AdrCheck[]; readonly notes: readonly string[] };
  /** Makes these findings the known ones; returns the baseline as written. */
  update(checks: readonly AdrCheck[]): Promise<AdrBaseline>;
};

/** Opens a baseline; one that does not exist yet is only good for being written. */
export function openRatchet(path: string, cwd: string): Ratchet {
  const file = resolve(cwd, path);
  const from = dirname(file);
  const seen = (checked: AdrCheck) => ({
    ...checked,
    path: relative(from, resolve(cwd, checked.path)).split(sep).join('/'),
  });
  const isGone = (entry: string) => !existsSync(resolve(from, entry));
  return {
    apply: (all) => {
      const { text, baseline: before } = readBaseline(file, path);
      if (before === undefined) {
        const trouble = text === undefined ? 'does not exist' : 'is empty';
        throw new HelixError('not_found', `the baseline ${JSON.stringify(path)} ${trouble}`, {
          hint: `Write it, with all that is found now, by adding --update-baseline`,
        });
      }
      const { checks, known, stale } = applyBaseline(all.map(seen), before, isGone);
      const left = checks.map(({ findings }, index): AdrCheck => {
        const verdict = findings.some(({ severity }) => severity === 'error') ? 'reject' : 'pass';
        return { ...(all[index] as AdrCheck), findings, verdict };
      });
      return { checks: left, notes: notesOf(known, stale, path) };
    },
    update: async (checks) => {
      const { text, baseline: before } = readBaseline(file, path);
      const baseline = updateBaseline(checks.map(seen), before, isGone);
      const after = `${JSON.stringify(baseline, undefined, 2)}\n`;
      if (text === undefined) makeFile(file, after);
      else (await import('./write-together.ts')).writeTogether([{ path: file, before: text, after }]);
      return baseline;
    },
  };
}

/** The text of a file and the baseline in it, which an empty one has not; what is neither is never touched. */
function readBaseline(file: string, path: string): { readonly text?: string; readonly baseline?: AdrBaseline } {
  const text = readText(file, path);
  if (text === undefined) return {};
  const baseline = parseBaseline(text);
  if (baseline !== undefined) return { text, baseline };
  if (text.trim() === '') return { text };
  throw noBaseline(path);
}

function readText(file: string, path: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  // Reading a pipe would wait for its writer.
  if (stat !== undefined && !stat.isFile()) throw noBaseline(path);
  try {
    return stat && readFileSync(file, 'utf8');
  } catch (error) {
    throw ioError(error, path);
  }
}

function noBaseline(path: string): HelixError {
  return new HelixError('config', `${JSON.stringify(path)} is no baseline of helix adr check`, {
    hint: 'Choose another file name; the format of a baseline: helix schema adr-baseline',
  });
}

/** A link to nothing gets what it leads to, within the repository. */
function makeFile(file: string, text: string): void {
  requireOwnFile(file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw ioError(error, file);
  }
}

function notesOf(known: number, stale: AdrBaseline['findings'], path: string): string[] {
  const gone = stale.reduce((sum, { count }) => sum + count, 0);
  const some = [...new Set(stale.map((entry) => `${entry.path} ${entry.check}`))];
  return [
    ...(known > 0 ? [`${known} known from ${path} not shown`] : []),
    ...(gone > 0
      ? [
          `${gone} in ${path} no longer found (${some.slice(0, 3).join(', ')}${some.length > 3 ? ', …' : ''}); take them out with --update-baseline`,
        ]
      : []),
  ];
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { applyBaseline, parseBaseline, updateBaseline } from '../../adr/baseline.ts';
import type { AdrCheck } from '../../adr/check-adr.ts';
import type { AdrBaseline } from '../../domain/adr-documents.ts';
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
      const before = readBaseline(file, path);
      if (before === undefined) {
        throw new HelixError('not_found', `the baseline ${JSON.stringify(path)} does not exist`, {
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
      const { writeAtomic } = await import('../../adapters/atomic-file.ts');
      const baseline = updateBaseline(checks.map(seen), existing(file), isGone);
      writeAtomic(file, `${JSON.stringify(baseline, undefined, 2)}\n`);
      return baseline;
    },
  };
}

/** What cannot be read as a baseline is replaced when a new one is asked for. */
function existing(file: string): AdrBaseline | undefined {
  return existsSync(file) ? parseBaseline(readFileSync(file, 'utf8')) : undefined;
}

function readBaseline(file: string, path: string): AdrBaseline | undefined {
  if (!existsSync(file)) return undefined;
  const baseline = parseBaseline(readFileSync(file, 'utf8'));
  if (baseline !== undefined) return baseline;
  throw new HelixError('config', `${JSON.stringify(path)} is no baseline of helix adr check`, {
    hint: 'Write it anew by adding --update-baseline; its format: helix schema adr-baseline',
  });
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

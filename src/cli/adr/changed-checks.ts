import { dirname, resolve } from 'node:path';
import type { AdrSet } from '../../adapters/adrs/adr-files.ts';
import { changedSince } from '../../adapters/adrs/changed-since.ts';
import { deletedSince } from '../../adapters/adrs/deleted-since.ts';
import type { AdrFile } from '../../adapters/adrs/read-adr-file.ts';
import { applyBaseline, updateBaseline } from '../../adr/baseline.ts';
import { type AdrCheck, judged, type ProfileChoice } from '../../adr/check-adr.ts';
import { checkAdrSet } from '../../adr/check-adr-set.ts';
import type { AdrFinding } from '../../adr/document/adr.ts';

type Since = {
  readonly ref: string;
  readonly cwd: string;
  readonly sets: readonly AdrSet[];
  readonly profile: ProfileChoice;
};

/** Leaves the ADRs that changed since a git reference, and of the others what refers to ADRs deleted since. */
export async function changedChecks(
  checks: readonly AdrCheck[],
  { ref, cwd, sets, profile }: Since,
): Promise<{ readonly checks: readonly AdrCheck[]; readonly notes: readonly string[] }> {
  const isChanged = await changedSince(ref, cwd);
  const changed = new Set(checks.filter(({ path }) => isChanged(resolve(cwd, path))));
  const others = checks.filter((check) => !changed.has(check) && check.findings.some(isDangling));
  const folders = new Set(others.map(({ path }) => dirname(path)));
  const deleted = folders.size === 0 ? [] : await deletedSince(ref, { cwd, folders });
  const left = sets.flatMap((set) => leftDangling(others, { set, deleted, profile }));
  const dangling = new Map(left.map((check) => [check.path, check]));
  const count = `${changed.size} of ${checks.length} changed since ${ref}`;
  const more = dangling.size === 0 ? '' : `; ${dangling.size} refer to what was deleted since`;
  return {
    checks: checks.flatMap((check) => (changed.has(check) ? check : (dangling.get(check.path) ?? []))),
    notes: [`${count}${more}`],
  };
}

function isDangling({ check }: AdrFinding): boolean {
  return check === 'dangling-reference';
}

function onlyDangling(check: AdrCheck): AdrCheck {
  return { ...check, ...judged(check.findings.filter(isDangling)) };
}

type Lost = { readonly set: AdrSet; readonly deleted: readonly AdrFile[]; readonly profile: ProfileChoice };

/** The references of a set that lead nowhere, and would not if nothing had been deleted. */
function leftDangling(checks: readonly AdrCheck[], { set, deleted, profile }: Lost): AdrCheck[] {
  const paths = new Set(set.files.map(({ path }) => path));
  const own = checks.filter(({ path }) => paths.has(path)).map(onlyDangling);
  const folders = new Set(own.map(({ path }) => dirname(path)));
  const lost = deleted.filter(({ path }) => folders.has(dirname(path)));
  if (lost.length === 0) return [];
  const before = set.whole
    ? { ...set, files: [...set.files, ...lost] }
    : {
        ...set,
        beside: (wanted: (path: string) => boolean) => [
          ...set.beside(wanted),
          ...lost.filter(({ path }) => wanted(path)),
        ],
      };
  const known = updateBaseline(checkAdrSet(before, { profile }), undefined, () => false);
  const { checks: left } = applyBaseline(own, known, () => false);
  return left.filter(({ findings }) => findings.length > 0).map(onlyDangling);
}

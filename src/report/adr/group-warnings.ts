import type { AdrFileEntry, AdrFindingEntry } from '../../domain/documents/adr-documents.ts';

/** So many of the same are told once. */
const REPEATED = 3;

/** A warning that stands in several places. */
export type RepeatedWarning = {
  readonly first: AdrFindingEntry;
  /** Its words differ from place to place in what they quote. */
  readonly varies: boolean;
  readonly places: readonly string[];
};

/** Takes the warnings that repeat out of the files they stand in. */
export function groupWarnings(files: readonly AdrFileEntry[]): {
  readonly files: readonly AdrFileEntry[];
  readonly repeated: readonly RepeatedWarning[];
} {
  const all = files.flatMap(({ path, findings }) => findings.map((finding) => ({ path, finding })));
  const groups = Map.groupBy(
    all.filter(({ finding }) => finding.severity === 'warning'),
    ({ finding }) => sameness(finding),
  );
  const repeated = [...groups.values()].filter((group) => group.length >= REPEATED);
  const grouped = new Set(repeated.flatMap((group) => group.map(({ finding }) => finding)));
  return {
    files: files.map((file) => ({ ...file, findings: file.findings.filter((finding) => !grouped.has(finding)) })),
    repeated: repeated
      .toSorted((a, b) => b.length - a.length)
      .flatMap((group) => (group[0] === undefined ? [] : describe(group[0].finding, group))),
  };
}

type Placed = { readonly path: string; readonly finding: AdrFindingEntry };

function describe(first: AdrFindingEntry, group: readonly Placed[]): RepeatedWarning {
  return {
    first,
    varies: group.some(({ finding }) => finding.message !== first.message),
    places: group.map(({ path, finding: { location } }) => `${path}:${location.line}:${location.column}`),
  };
}

/** What two warnings have in common that are mended in the same way; what they quote may differ. */
function sameness({ check, message, hint }: AdrFindingEntry): string {
  return JSON.stringify([check, message.replace(/"[^"]*"/g, '""'), hint]);
}

import { applyMutant, findMutants } from '../../text/mutants/find-mutants.ts';
import type { Mutant } from '../../text/mutants/mutant.ts';
import type { ChangedSource } from './product-lines.ts';

const MAX_MUTANTS = 5;

/** A broken file: the whole text of it, and what is broken in which line. */
export type BrokenFile = {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly text: string;
};

type Candidate = { readonly source: ChangedSource; readonly mutant: Mutant };

/** At most five ways to break what was changed, spread over its lines, the most telling first; the same for the same work. */
export async function chooseMutants(sources: readonly ChangedSource[]): Promise<BrokenFile[]> {
  const candidates: Candidate[] = [];
  for (const source of sources) {
    const found = await findMutants(source.language, source.text, source.lines);
    candidates.push(...found.map((mutant) => ({ source, mutant })));
  }
  const chosen: (BrokenFile & { rank: number })[] = [];
  for (const bucket of buckets(candidates)) {
    const broken = await firstThatParses(bucket);
    if (broken !== undefined) chosen.push(broken);
  }
  return chosen.toSorted((a, b) => a.rank - b.rank).map(({ rank: _, ...broken }) => broken);
}

async function firstThatParses(bucket: readonly Candidate[]): Promise<(BrokenFile & { rank: number }) | undefined> {
  for (const { source, mutant } of bucket.slice(0, 2 * MAX_MUTANTS)) {
    const text = await applyMutant(source.language, source.text, mutant);
    const { line, change, rank } = mutant;
    if (text !== undefined) return { file: source.path, line, change, text, rank };
  }
  return undefined;
}

/** As many neighbourhoods as there may be mutants, each with its most telling candidate first. */
function buckets(candidates: readonly Candidate[]): Candidate[][] {
  const lines = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const line = `${candidate.source.path}\n${candidate.mutant.line}`;
    lines.set(line, [...(lines.get(line) ?? []), candidate]);
  }
  const groups = lines.size >= MAX_MUTANTS ? [...lines.values()] : candidates.map((candidate) => [candidate]);
  const size = Math.min(MAX_MUTANTS, groups.length);
  return Array.from({ length: size }, (_, index) => {
    const [from, to] = [index, index + 1].map((each) => Math.floor((each * groups.length) / size));
    return groups
      .slice(from, to)
      .flat()
      .toSorted((a, b) => a.mutant.rank - b.mutant.rank);
  });
}

import type { Phase } from '../../domain/plan/plan.ts';
import { globBase, globMatcher, globProblem, isGlob } from '../../text/glob.ts';

/** Whether something will be there when it is needed. */
export type Certainty = 'yes' | 'maybe' | 'no';

/** Whether a declared path or pattern makes sure that a wanted one finds a file. */
export function covers(declared: string, wanted: string): Certainty {
  if (declared === wanted) return 'yes';
  if (!isGlob(wanted)) return isGlob(declared) && matches(declared, wanted) ? 'yes' : 'no';
  if (!isGlob(declared)) return matches(wanted, declared) ? 'yes' : 'no';
  return isWithin(globBase(declared), globBase(wanted)) || isWithin(globBase(wanted), globBase(declared))
    ? 'maybe'
    : 'no';
}

/** Whether a phase's result makes sure that a wanted path finds a file; `directory` is what its author wrote, if anything. */
export function produces(phase: Phase, wanted: string, directory: string | undefined): Certainty {
  const { output } = phase;
  const below = output.files.flatMap((file) =>
    isWithin(file, output.directory) ? [file.slice(output.directory.length + 1)] : [],
  );
  const declared = best([...output.files, ...below].map((file) => covers(file, wanted)));
  if (declared === 'yes' || phase.type === 'approval') return declared;
  if (phase.generatesPhases) return 'maybe';
  if (output.files.length === 0) return directory !== undefined && takesAnything(wanted, directory) ? 'yes' : 'maybe';
  return directory !== undefined && isWithin(globBase(wanted), directory) ? 'maybe' : declared;
}

export function best(certainties: readonly Certainty[]): Certainty {
  if (certainties.includes('yes')) return 'yes';
  return certainties.includes('maybe') ? 'maybe' : 'no';
}

/** Tells whether a path is a directory's own or lies below it. */
function isWithin(path: string, directory: string): boolean {
  return directory === '.' || path === directory || path.startsWith(`${directory}/`);
}

/** A phase that declares only a directory must leave something in it, and that is all such a pattern asks for. */
function takesAnything(wanted: string, directory: string): boolean {
  const base = globBase(wanted);
  const everything = ['**', '**/*'].some((rest) => wanted === rest || wanted === `${base}/${rest}`);
  return everything && (base === '.' || isWithin(directory, base) || isWithin(base, directory));
}

/** A pattern that cannot be used is reported elsewhere and matches nothing. */
function matches(pattern: string, path: string): boolean {
  return globProblem(pattern) === undefined && globMatcher(pattern)(path);
}

import type { Finding } from '../../domain/finding.ts';
import { globMatcher } from '../../text/glob.ts';
import { normalisePath } from '../../text/safe-path.ts';
import type { AskingContext } from './gate-context.ts';
import { wantedFiles } from './wanted-files.ts';

/** What a judge is to look at: paths of the judged tree and of what the attempt was given. */
export type JudgedFiles = {
  readonly paths: readonly string[];
  /** What is wanted and not there: never left out in silence. */
  readonly absent: readonly Pick<Finding, 'message' | 'hint' | 'location'>[];
  /** False where nobody named a file, so that all an attempt changed is meant. */
  readonly named: boolean;
};

/** Finds the files a judge is to look at: those that are named, else what an approval phase was given or another phase made. */
export function judgedFiles(
  files: readonly string[] | undefined,
  context: Pick<AskingContext, 'phase' | 'tree' | 'base' | 'began' | 'inputs' | 'reproduced'>,
): JudgedFiles {
  const { inputs, reproduced = [], tree } = context;
  if (files !== undefined) return namedFiles(files, context);
  if (context.phase.type !== 'approval') {
    const { found, absent, named, removes } = wantedFiles(undefined, {
      ...context,
      base: context.began ?? context.base,
    });
    const shown = tree.files.map(({ path }) => path).filter((path) => !named && reproduced.includes(path));
    // What is gone stands in the difference alone.
    if (removes) return { paths: shown, absent: [], named };
    return { paths: [...new Set([...found.map(({ path }) => path), ...shown])], absent, named };
  }
  const hint = 'Name what is to be approved under input of the phase, or under files of its gate.';
  const absent = inputs.length > 0 ? [] : [{ message: 'the phase was given nothing to approve', hint }];
  return { paths: [...new Set(inputs)], absent, named: true };
}

function namedFiles(files: readonly string[], context: Parameters<typeof judgedFiles>[1]): JudgedFiles {
  const paths = new Set<string>();
  const absent = files.flatMap((pattern) => {
    const made = wantedFiles([pattern], context);
    const own = made.found.map(({ path }) => path);
    const given = givenFiles(pattern, context.inputs);
    // An approval phase makes nothing: what it is about was given to it, whatever else lies in its directory.
    const [first, second] = context.phase.type === 'approval' ? [given, own] : [own, given];
    const found = first.length > 0 ? first : second;
    for (const path of found) paths.add(path);
    return found.length > 0 ? [] : made.absent;
  });
  return { paths: [...paths], absent, named: true };
}

/** What was given under a name may lie deeper than where it comes from. */
function givenFiles(pattern: string, inputs: readonly string[]): string[] {
  const wanted = normalisePath(pattern);
  const matches = globMatcher(wanted);
  const exact = inputs.filter((path) => matches(path));
  if (exact.length > 0) return exact;
  const ends = globMatcher(`**/${wanted}`);
  return inputs.filter((path) => ends(path));
}

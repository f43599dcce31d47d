import { posix } from 'node:path';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { creatorsBefore } from '../../domain/ladder/authors.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { globMatcher } from '../../text/glob.ts';

type Around = { readonly ports: { readonly workspace: Workspace }; readonly state: RunState };
type Changed = { readonly phase: string; readonly changed: readonly string[] };

/** In a repository a file is that of the phase that declares it, else of the last one that changed it. */
export async function withMakers(
  phase: Phase,
  inputs: readonly InputFile[],
  { ports, state }: Around,
): Promise<InputFile[]> {
  if (state.tip === undefined || inputs.every(({ from }) => from.phase !== undefined)) return [...inputs];
  const creators = creatorsBefore(phase, state.plan);
  const line = await changesOf(state, ports);
  const makerOf = ({ path, from }: InputFile) =>
    from.phase ??
    creators.findLast((each) => declaredBy(each)(path))?.id ??
    line.findLast((step) => step.changed.includes(path) && creators.some(({ id }) => id === step.phase))?.phase;
  return inputs.map((input) => {
    const maker = makerOf(input);
    return maker === undefined ? input : { ...input, from: { ...input.from, phase: maker } };
  });
}

/** Tells whether a phase names a file as its output. */
export function declaredBy({ output }: Phase): (path: string) => boolean {
  const matchers = output.files
    .flatMap((file) => [file, posix.join(output.directory, file)])
    .map((file) => globMatcher(posix.normalize(file)));
  return (path) => matchers.some((matches) => matches(path));
}

/** What each accepted phase changed in the repository, oldest first. */
export async function changesOf({ line, base }: RunState, { workspace }: Around['ports']): Promise<Changed[]> {
  const steps: Changed[] = [];
  let before = base?.tree;
  for (const { phase, tree } of line) {
    steps.push({ phase, changed: before === undefined ? [] : await workspace.changed(before, tree) });
    before = tree;
  }
  return steps;
}

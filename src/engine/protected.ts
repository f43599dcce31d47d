import { posix } from 'node:path';
import type { Phase } from '../domain/plan.ts';
import { globMatcher } from '../text/glob.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { Recorder } from './recorder.ts';

const MAX_PATHS = 200;

type Attempt = { readonly phase: Phase; readonly tree: string; readonly start: string };

/** The protected paths a phase has changed since it began, but for those it is there to write. */
export async function changedProtected(
  { phase, tree, start }: Attempt,
  { ports, recorder }: { ports: EnginePorts; recorder: Recorder },
): Promise<string[]> {
  const { plan, phases } = recorder.state;
  const changed = await ports.workspace.changed(phases.get(phase.id)?.baseTree ?? start, tree);
  if (changed.length === 0) return [];
  const isProtected = matcher(plan.protected);
  const isDeclared = matcher([
    ...phase.output.files,
    ...phase.output.files.map((file) => posix.join(phase.output.directory, file)),
  ]);
  return changed
    .filter((path) => (isProtected(path) || isProtected(path.replace(/^(\.\.\/)+/, ''))) && !isDeclared(path))
    .slice(0, MAX_PATHS);
}

function matcher(patterns: readonly string[]): (path: string) => boolean {
  const matchers = patterns.map((pattern) => globMatcher(posix.normalize(pattern)));
  return (path) => matchers.some((matches) => matches(path));
}

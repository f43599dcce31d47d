import { posix } from 'node:path';
import type { ReviewMaterial } from '../../brief/review-section.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { creatorsBefore } from '../../domain/ladder/authors.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { reviewPaths } from '../../gates/judge/review.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher } from '../../text/glob.ts';
import { isBinary } from '../../text/is-binary.ts';
import { type ChangedFile, changedFiles } from '../step/changed-files.ts';
import type { EnginePorts } from '../step/engine-ports.ts';

const MOST_BYTES = 256 * 1024;
const FILE_LIMIT = 1024 * 1024;

type Around = { readonly ports: Pick<EnginePorts, 'workspace'>; readonly state: RunState };
type Reading = { readonly phase: Phase; readonly start: string; readonly inputs: readonly InputFile[] };

/** What a review is about: whose work, with which task, and what it changed; what judges wrote is no part of it. */
export async function reviewMaterial(reading: Reading, around: Around): Promise<ReviewMaterial> {
  const { plan, tip } = around.state;
  const { fromPhase } = reading.phase.input ?? {};
  const before = creatorsBefore(reading.phase, plan);
  const named = before.filter(({ id }) => id === fromPhase);
  const phases = named.length > 0 ? named : before;
  const changed = tip === undefined ? inDirectories(reading, phases, around) : inRepository(reading, named[0], around);
  const files: ReviewMaterial['files'][number][] = [];
  const patches: Buffer[] = [];
  let room = MOST_BYTES;
  for await (const { path, status, patch, only } of changed) {
    files.push({ path, status });
    const shown = patch !== undefined && patch.length <= room ? patch : undefined;
    room -= shown?.length ?? 0;
    patches.push(shown ?? Buffer.from(`# ${status}: ${path} (${only ?? 'too long to be shown here'})\n`));
  }
  return { phases, files, difference: Buffer.concat(patches).toString('utf8') };
}

/** All that was changed since the run began or, where the plan names whose work it is, since that began. */
async function* inRepository(
  { start }: Reading,
  author: Phase | undefined,
  { ports, state }: Around,
): AsyncGenerator<ChangedFile> {
  const began = author === undefined ? undefined : state.phases.get(author.id)?.baseTree;
  const from = began ?? state.base?.tree;
  if (from === undefined || from === start) return;
  const isVerdict = writtenByJudges(state);
  for await (const file of changedFiles([{ from, to: start, below: '' }], { workspace: ports.workspace, top: '' })) {
    if (!isVerdict(file.path)) yield file;
  }
}

/** Whoever reads the work must not know what others found in it. */
function writtenByJudges({ plan }: RunState): (path: string) => boolean {
  const outputs = plan.phases
    .filter(isJudge)
    .flatMap((phase) => [
      ...reviewPaths(phase),
      ...phase.output.files.flatMap((file) => [file, posix.join(phase.output.directory, file)]),
    ]);
  const matchers = outputs.map((pattern) => globMatcher(posix.normalize(pattern)));
  return (path) => matchers.some((matches) => matches(path));
}

/** Where phases have directories of their own: the inputs, each against what its phase began with. */
async function* inDirectories(
  { inputs }: Reading,
  phases: readonly Phase[],
  { ports, state }: Around,
): AsyncGenerator<ChangedFile> {
  const { renderPatch } = await import('../../report/run/patch.ts');
  for (const { path, from } of inputs) {
    if (!phases.some(({ id }) => id === from.phase)) continue;
    const base = state.phases.get(from.phase ?? '')?.baseTree;
    const before = base === undefined ? undefined : await sideOf(await ports.workspace.tree(base), from.path);
    const after = await sideOf(await ports.workspace.tree(from.tree), from.path);
    if (after === undefined || before?.content.equals(after.content) === true) continue;
    const named = { path, status: before === undefined ? 'added' : 'changed', added: 0, removed: 0 } as const;
    if (after.content.length > FILE_LIMIT) yield { ...named, only: 'large' };
    else if (isBinary(after.content)) yield { ...named, only: 'binary' };
    else yield { ...named, ...renderPatch({ path, before, after }) };
  }
}

async function sideOf(tree: Tree, path: string): Promise<{ content: Buffer; executable: boolean } | undefined> {
  const content = await tree.read(path, FILE_LIMIT + 1);
  return content === undefined ? undefined : { content, executable: false };
}

import { differenceFindings, fitDifference } from '../../approval/fit-difference.ts';
import type { ReviewMaterial } from '../../brief/review-section.ts';
import { matterOf } from '../../brief/task-sentence.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { Finding } from '../../domain/finding.ts';
import { creatorsBefore } from '../../domain/ladder/authors.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Tree } from '../../ports/tree.ts';
import { isBinary } from '../../text/is-binary.ts';
import { type ChangedFile, changedFiles } from '../difference/changed-files.ts';
import { differenceText } from '../difference/difference-text.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { withoutVerdicts } from '../step/without-verdicts.ts';

/** What a review is shown is chosen from that; beyond it a file is only named. */
const MOST_BYTES = 16 * 1024 * 1024;
const FILE_LIMIT = 1024 * 1024;

type Reading = { readonly phase: Phase; readonly start: string; readonly inputs: readonly InputFile[] };

/** What a review is about: whose work, with which task, and what it changed; what judges wrote is no part of it. */
export async function reviewMaterial(
  reading: Reading,
  around: RunContext,
): Promise<ReviewMaterial & { readonly notices: readonly Finding[] }> {
  const { plan, tip } = around.state;
  const { fromPhase } = reading.phase.input ?? {};
  const before = creatorsBefore(reading.phase, plan);
  const named = before.filter(({ id }) => id === fromPhase);
  const phases = named.length > 0 ? named : before;
  const changed = tip === undefined ? inDirectories(reading, phases, around) : inRepository(reading, named[0], around);
  const { files, patch } = await differenceText(changed, MOST_BYTES);
  const { patch: difference, shortened, unseen } = fitDifference(patch);
  return {
    phases,
    matter: matterOf(around.state),
    files,
    difference,
    shortened,
    unseen,
    notices: differenceFindings(patch),
  };
}

/** All that was changed since the run began or, where the plan names whose work it is, since that began. */
async function* inRepository(
  { start }: Reading,
  author: Phase | undefined,
  { ports, state }: RunContext,
): AsyncGenerator<ChangedFile> {
  const began = (author && state.phases.get(author.id)?.baseTree) ?? state.base?.tree;
  if (began === undefined) return;
  const from = await withoutVerdicts(began, { ports, state });
  const to = await withoutVerdicts(start, { ports, state });
  if (from !== to) yield* changedFiles([{ from, to, below: '' }], { workspace: ports.workspace, top: '' });
}

/** Where phases have directories of their own: the inputs, each against what its phase began with. */
async function* inDirectories(
  { inputs }: Reading,
  phases: readonly Phase[],
  { ports, state }: RunContext,
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

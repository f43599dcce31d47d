import type { ApprovalRequest } from '../../approval/approver.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Step } from '../../domain/run/decide.ts';
import { type ChangedFile, changedFiles } from '../difference/changed-files.ts';
import { differenceText } from '../difference/difference-text.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { withoutVerdicts } from '../step/without-verdicts.ts';
import { changeBegan, plannedFrom } from './whole-change.ts';

/** What a judge is shown is chosen from that; beyond it a file is only named. */
const MOST_BYTES = 16 * 1024 * 1024;

type JudgeStep = Pick<Extract<Step, { do: 'judge' }>, 'phase' | 'tree'>;

/** Types that judge a change and not a document; others get the difference where their gate asks for it, or where no copy shows it. */
const OF_CHANGES = new Set(['change', 'code', 'security']);

/** What the judged work changed, as a patch: since the revision the gate names, else since the work began. */
export async function differenceOf(
  { phase, tree }: JudgeStep,
  { type, diff }: Pick<ApprovalRequest, 'type' | 'diff'>,
  { ports, state }: RunContext,
): Promise<string | undefined> {
  const isWhole = diff !== undefined || OF_CHANGES.has(type);
  if (!isWhole && ((await ports.workspace.tree(tree)).outside ?? []).length === 0) return undefined;
  const began = diff === undefined ? changeBegan(phase, state) : await ports.workspace.revision(diff);
  if (diff !== undefined && began === undefined) {
    throw new HelixError('config', `there is no revision ${JSON.stringify(diff)} to compare with`, {
      hint: 'Name a branch, tag or commit of the repository in the gate: diff: main',
    });
  }
  if (began === undefined) return undefined;
  const span = { ...(await asJudged(began, tree, { ports, state })), below: '' };
  if (span.from === span.to) return undefined;
  const changed = changedFiles([span], { workspace: ports.workspace, top: '' });
  // What lies outside the directory that is worked on is in no judge's copy of it.
  const wanted = isWhole ? changed : outsideOf(changed);
  const { files, patch } = await differenceText(wanted, MOST_BYTES);
  return files.length === 0 ? undefined : patch;
}

/** What of the difference is new, where the run goes on from an accepted result. */
export async function newPartOf(
  { phase, tree }: JudgeStep,
  { type }: Pick<ApprovalRequest, 'type'>,
  { ports, state }: RunContext,
): Promise<string | undefined> {
  if (state.continues === undefined || state.base === undefined || !OF_CHANGES.has(type)) return undefined;
  // Of what was planned first the judge is shown nothing but what is new.
  if (phase.type === 'approval' || plannedFrom(phase, state) !== undefined) return undefined;
  const span = { ...(await asJudged(state.base.tree, tree, { ports, state })), below: '' };
  const changed = changedFiles([span], { workspace: ports.workspace, top: '' });
  return (await differenceText(changed, MOST_BYTES)).patch;
}

/** Both sides of a difference without what judges left there. */
async function asJudged(from: string, to: string, around: RunContext): Promise<{ from: string; to: string }> {
  return { from: await withoutVerdicts(from, around), to: await withoutVerdicts(to, around) };
}

async function* outsideOf(changed: AsyncIterable<ChangedFile>): AsyncGenerator<ChangedFile> {
  for await (const file of changed) if (file.path.startsWith('../')) yield file;
}

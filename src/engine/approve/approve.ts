import type { Asked } from '../../approval/judge.ts';
import type { Question } from '../../approval/question.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import { APPROVAL_TYPE } from '../../domain/judge/approval-type.ts';
import { present } from '../../domain/present.ts';
import type { Files } from '../../ports/files.ts';
import type { JudgingWorld } from '../../ports/judging-world.ts';
import type { PinnedProject } from '../../ports/pinned-project.ts';
import { renderJson } from '../../report/words/json.ts';
import { oneLine } from '../../text/sanitise.ts';
import { ask, type JudgeWatcher, openJudge } from './ask.ts';
import { chooseJudge, type JudgeChoice } from './choose-judge.ts';
import { ownSettings, type SettingsFindings } from './own-settings.ts';
import { prepareQuestion, type Wanted } from './prepare-question.ts';

/** Who is told on the way to a verdict. */
export type ApprovalWatcher = JudgeWatcher & {
  /** What is to be judged is pinned, and nobody has been asked or paid. */
  readonly onPinned: (pinned: PinnedProject) => Promise<void>;
  readonly onSettings: (found: SettingsFindings) => void;
};

/** How one approval outside of any run is made. */
export type Approving = {
  readonly world: JudgingWorld;
  readonly choice: JudgeChoice;
  readonly noCache: boolean;
  readonly stop: AbortSignal;
  readonly watcher: ApprovalWatcher;
};

/** What came of it, and where it lies in the project. */
export type Approved = { readonly path: string } & (
  | { readonly kind: 'answered'; readonly result: ApprovalResult; readonly question: Question }
  | Extract<Asked, { kind: 'interrupted' }>
);

/** One approval outside of any run; `use` gets what came of it while what was judged still lies there. */
export async function approve<T>(
  wanted: Wanted,
  { world, choice, noCache, stop, watcher }: Approving,
  use: (approved: Approved) => T | Promise<T>,
): Promise<T> {
  requireType(wanted.type);
  const pinned = await pin(world, wanted, stop);
  try {
    await watcher.onPinned(pinned);
    const settings = await ownSettings(world.project, pinned.before, watcher.onSettings);
    const { question: asked, runPreChecks } = await prepareQuestion(wanted, { world, pinned, settings, stop });
    const chosen = await chooseJudge(choice, world, { settings, approval: asked.settings });
    const agent = openJudge(chosen, world);
    const { question, seconds } = await runPreChecks();
    const id = world.newApprovalId();
    const { path, files } = world.approvalFolder(id);
    const answer = await ask(question, { world, chosen, settings, agent, id, files, stop, noCache, watcher });
    if (answer.kind === 'interrupted') return await use({ ...answer, path });
    return await use({ kind: 'answered', result: await keep(answer, files, seconds), question, path });
  } finally {
    await pinned.snapshot.dispose();
  }
}

/** Whatever is unclear is not approved. */
export function isApproved({ result, unsure }: ApprovalResult): boolean {
  return result === 'approved' && unsure !== true;
}

/** Refused before anything is read: it names a folder. */
export function requireType(type: string): void {
  if (APPROVAL_TYPE.test(type)) return;
  throw new HelixError('usage', `"${oneLine(type, 60)}" cannot be an approval type`, {
    hint: 'Use lower-case letters, digits, - and _, at most 64, the first one a letter or digit.',
  });
}

function pin(world: JudgingWorld, { type, files, diff }: Wanted, signal: AbortSignal): Promise<PinnedProject> {
  const own = world.shippedApproval(type) === undefined ? { newDefinition: `approvals/${type}` } : {};
  return world.pin({ files, signal, ...own, ...present({ diff }) });
}

async function keep(
  { result, record, brief }: Extract<Asked, { kind: 'answered' }>,
  files: Files,
  preCheckSeconds: number,
): Promise<ApprovalResult> {
  const { agent_context: context, stage } = result;
  const timed = { ...result, agent_context: { ...context, duration_seconds: preCheckSeconds } };
  // Where nobody was asked, the free checks are all that took time.
  const told = stage === 'pre_check' ? timed : result;
  await files.write('record.json', renderJson(record));
  await files.write('brief.md', brief);
  await files.write('approval-result.json', renderJson(told));
  return told;
}

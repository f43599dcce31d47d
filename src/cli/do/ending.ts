import type { RunState } from '../../domain/facts/run-state.ts';
import { resultOf } from '../../domain/facts/run-state.ts';
import { acceptedSpans } from '../../domain/facts/spans.ts';
import type { Tests } from '../../domain/verdict.ts';
import { changedFiles } from '../../engine/difference/changed-files.ts';
import { scopeOf } from '../../engine/run.ts';
import type { World } from '../../ports/world.ts';
import { type FileStat, renderStat } from '../../report/run/diff-text.ts';
import { renderSpending, spendingOf } from '../../report/words/cost.ts';
import { count } from '../../report/words/count.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { renderDuration } from '../../report/words/time.ts';
import { untoldLines } from '../../report/words/untold.ts';
import { projectOption } from '../call/open-project.ts';
import { withVisit } from '../call/with-visit.ts';
import { unchecked } from './opening.ts';

const MOST_FILES = 20;

/** How a task that was accepted ended: what it changed, what shows that it works, what nobody checked, how to take it. */
export async function renderEnding(state: RunState, world: World, canvas: Canvas): Promise<string> {
  const files = await statOf(state, world);
  const shown = files.slice(0, MOST_FILES);
  const more = files.length - shown.length;
  const branch = resultOf(state)?.branch ?? '';
  const at = projectOption(world.project.dir);
  const took = renderDuration(Date.parse(state.updatedAt) - Date.parse(state.startedAt));
  const lines: readonly (readonly [string, string])[] = [
    [`helix diff${at}`, 'the change'],
    [`helix logs${at}`, 'what happened'],
    [`git merge ${branch}`, 'take it'],
  ];
  const wide = Math.max(...lines.map(([command]) => command.length)) + 3;
  return [
    `${canvas.paint('good', 'Done')} in ${took}, ${renderSpending(spendingOf(state))}.`,
    renderStat(shown, canvas).trimEnd(),
    ...(more > 0 ? [` and ${count(more, 'more file')}: helix diff --stat`] : []),
    ...shownBy(state),
    ...untoldLines(state),
    '',
    ...lines.map(([command, what]) => `${command.padEnd(wide)}${what}`),
    '',
  ].join('\n');
}

async function statOf(state: RunState, world: World): Promise<FileStat[]> {
  const files: FileStat[] = [];
  await withVisit(world, { kind: 'diff', scope: scopeOf(state) }, async ({ workspace }) => {
    for await (const { patch: _, ...file } of changedFiles(acceptedSpans(state), { workspace, top: '' }))
      files.push(file);
  });
  return files;
}

/** What gates and judges saw of the accepted work, a line each. */
function shownBy(state: RunState): string[] {
  const phase = state.plan.phases.at(-1);
  const verdicts = phase === undefined ? [] : (state.phases.get(phase.id)?.lastVerdicts ?? []);
  const now = verdicts.findLast(({ tests }) => tests !== undefined)?.tests;
  const before = state.tried.find(({ tests }) => tests !== undefined)?.tests;
  const approval = state.approvals.findLast((given) => given.void !== true)?.result;
  const checks = approval?.checks?.map(({ id }) => id).join(', ');
  return [
    ...(now === undefined
      ? []
      : [`tests        ${testWords(now)}${before === undefined ? '' : ` (before: ${testWords(before)})`}`]),
    ...(approval === undefined ? [] : [`judge        ${approval.result}${checks ? `: ${checks}` : ''}`]),
    ...unchecked(phase?.gates ?? []).map((what) => `not checked  ${what}`),
  ];
}

function testWords({ total, failed, skipped = 0 }: Tests): string {
  const passed = `${total - failed.length - skipped} pass`;
  return [
    passed,
    ...(failed.length > 0 ? [`${failed.length} fail`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

import type { EvidenceDocument } from '../../domain/documents/evidence-document.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { resultOf } from '../../domain/facts/run-state.ts';
import { acceptedSpans } from '../../domain/facts/spans.ts';
import { changedFiles } from '../../engine/difference/changed-files.ts';
import { scopeOf } from '../../engine/run.ts';
import type { World } from '../../ports/world.ts';
import { type FileStat, renderStat } from '../../report/run/diff-text.ts';
import { evidenceDocument } from '../../report/run/evidence.ts';
import { probeLine, testsLine } from '../../report/run/evidence-text.ts';
import { shareLines, sharesOf } from '../../report/run/shares.ts';
import { renderSpending, spendingOf } from '../../report/words/cost.ts';
import { count } from '../../report/words/count.ts';
import { keptOutLine } from '../../report/words/kept-out.ts';
import { laterLines } from '../../report/words/later.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { renderDuration } from '../../report/words/time.ts';
import { untoldLines } from '../../report/words/untold.ts';
import { oneLine } from '../../text/sanitise.ts';
import { readRun } from '../call/find-run.ts';
import { projectOption } from '../call/open-project.ts';
import { withVisit } from '../call/with-visit.ts';

const MOST_FILES = 20;
const LONGEST_NOTE = 100;

/** How a task that was accepted ended: what it changed, what shows that it works, what nobody checked, how to take it. */
export async function renderEnding(state: RunState, world: World, canvas: Canvas): Promise<string> {
  const files = await statOf(state, world);
  const evidence = evidenceDocument(state);
  const shown = files.slice(0, MOST_FILES);
  const more = files.length - shown.length;
  const branch = resultOf(state)?.branch ?? '';
  const at = projectOption(world.project.dir);
  const shares = sharesOf((await readRun(world, state.run)).events);
  const took = renderDuration(shares.totalMs);
  const lines: readonly (readonly [string, string])[] = [
    [`helix diff${at}`, 'the change'],
    [`helix evidence${at}`, 'what shows that it works'],
    ...(state.base?.dirty === true
      ? ([
          ['git stash -u', 'first: the branch has what you had not committed, and git merges over none of it'],
        ] as const)
      : []),
    [`git merge ${branch}`, 'take it'],
    ['helix do --again "…"', 'go on from here'],
  ];
  const kept = keptOutLine(state, at);
  const wide = Math.max(...lines.map(([command]) => command.length)) + 3;
  return [
    `${canvas.paint('good', 'Done')} in ${took}, ${renderSpending(spendingOf(state))}.`,
    renderStat(shown, canvas, notesOf(evidence)).trimEnd(),
    ...(more > 0 ? [` and ${count(more, 'more file')}: helix diff --stat`] : []),
    ...shownBy(evidence),
    ...shareLines(shares),
    ...laterLines(state),
    ...untoldLines(state),
    ...(kept === undefined ? [] : [kept]),
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

/** What is known of a file that was changed: that its test fails without the change, or the parts of the task a judge saw in it. */
function notesOf({ reproduced, parts }: EvidenceDocument): Map<string, string> {
  const notes = new Map<string, string[]>();
  const note = (file: string, words: string) => notes.set(file, [...new Set([...(notes.get(file) ?? []), words])]);
  for (const { files, green } of reproduced) {
    if (green !== undefined) for (const file of files) note(file, 'fails without the change, passes with it');
  }
  // A part that is the whole task says nothing about a file.
  const wanted = parts.filter(({ state }) => state !== 'put_off');
  for (const { part, by, state } of wanted.length > 1 ? wanted : []) {
    if (state === 'shown') for (const { file } of by.flatMap(({ quotes }) => quotes)) note(file, part);
  }
  return new Map([...notes].map(([file, words]) => [file, oneLine(words.join('; '), LONGEST_NOTE)]));
}

/** What gates and judges saw of the accepted work, a line each. */
function shownBy({ tests, probes, judges, unchecked }: EvidenceDocument): string[] {
  const [last, judge, probe] = [tests.at(-1), judges.at(-1), probes.at(-1)];
  const shown = judge?.result === 'approved' ? judge.checks : judge?.checks.filter(({ outcome }) => outcome === 'fail');
  const checks = shown?.map(({ id }) => id).join(', ');
  return [
    ...(last === undefined ? [] : [`tests        ${testsLine(last)}`]),
    ...(probe === undefined ? [] : [`probe        ${probeLine(probe)}`]),
    ...(judge === undefined ? [] : [`judge        ${judge.result}${checks ? `: ${checks}` : ''}`]),
    ...unchecked.map((what) => `not checked  ${what}`),
  ];
}

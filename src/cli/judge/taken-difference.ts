import { differenceParts } from '../../approval/difference-parts.ts';
import { present } from '../../domain/present.ts';
import { type FileStat, renderStat } from '../../report/run/diff-text.ts';
import { count } from '../../report/words/count.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { oneLine } from '../../text/sanitise.ts';

const SHOWN = 30;

/** What a change consists of that is to be judged: since when, which files, and how many lines. */
export function takenDifference(
  patch: string,
  { since, base }: { readonly since: string; readonly base: string | undefined },
  canvas: Canvas,
): string {
  const files = differenceParts(patch).map(statOf);
  const from = base === undefined ? '' : ` (base commit ${base.slice(0, 12)})`;
  const left = files.length - SHOWN;
  return [
    `judging what changed since ${oneLine(since, 200)}${from}:`,
    ...(left > 0 ? [` ${count(files.length, 'file')}, the first ${SHOWN}:`] : []),
    renderStat(files.slice(0, SHOWN), canvas),
  ].join('\n');
}

function statOf({ name, status, text, onlyNamed, note }: ReturnType<typeof differenceParts>[number]): FileStat {
  // A file that became a link has two patches, each with a head in which no line counts.
  const content = text
    .split(/\n(?=diff --git )/)
    .flatMap((patch) => patch.slice(Math.max(0, patch.search(/^@@/m))).split('\n'));
  const lines = (sign: string) => (onlyNamed ? 0 : content.filter((line) => line.startsWith(sign)).length);
  return {
    path: name,
    status: status === 'deleted' ? 'removed' : status,
    added: lines('+'),
    removed: lines('-'),
    ...(onlyNamed && { only: 'binary' as const }),
    ...present({ note }),
  };
}

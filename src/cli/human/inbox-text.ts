import type { RequestState } from '../../domain/facts/run-state.ts';
import { wrap } from '../../report/words/columns.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { questionLines } from '../../report/words/question-words.ts';
import { renderTime } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An open question in a few lines; `at` is what a printed command needs to find the project. */
export function renderOpenRequest(
  request: RequestState,
  { now, at, width, paint }: Canvas & { readonly now: string; readonly at: string },
): string {
  const advised = request.options.find(({ recommended }) => recommended);
  const answer = `helix decide ${request.id}${at}`;
  const facts = [oneLine(request.phase, 64), `asked ${renderSpan(request.askedAt, now)} ago`, ...dueOf(request, now)];
  const [first = '', ...rest] = wrap(facts.join(', '), Math.max(20, width - request.id.length - 2));
  return [
    `${paint('strong', request.id)}  ${first}`,
    ...rest.map((line) => `  ${line}`),
    ...questionLines(request, 2000).flatMap((line) => wrap(line, width - 2).map((part) => `  ${part}`)),
    ...(advised === undefined
      ? []
      : wrap(`Recommended: ${oneLine(advised.id, 8)} ${oneLine(advised.description)}`, width - 2).map(
          (line) => `  ${line}`,
        )),
    `  ${paint('info', answer)}`,
    '',
  ].join('\n');
}

/** Until when an answer is waited for, and what happens else. */
export function dueOf({ deadline, onTimeout }: RequestState, now: string): string[] {
  // Where nothing happens then, the question just stays open.
  if (deadline === undefined || onTimeout === undefined) return [];
  const option = oneLine(onTimeout, 8);
  if (Date.parse(deadline) <= Date.parse(now)) return [`overdue: ${option} is taken`];
  return [`answer within ${renderSpan(now, deadline)}, by ${renderTime(deadline)}, else ${option}`];
}

/** The time between two moments, in the unit that says most: 40 s, 5 min, 3 h, 2 days. */
function renderSpan(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} days`;
}

import type { RequestState } from '../../domain/facts/run-state.ts';
import { wrap } from '../../report/words/columns.ts';
import { dueOf, renderSpan } from '../../report/words/due.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { questionLines } from '../../report/words/question-words.ts';
import { oneLine } from '../../text/sanitise.ts';

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

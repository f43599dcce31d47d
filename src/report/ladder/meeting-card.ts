import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { oneLine } from '../../text/sanitise.ts';
import { wrap } from '../words/columns.ts';
import { count } from '../words/count.ts';
import type { Canvas } from '../words/paint.ts';

const SHOWN = 8;

/** What stands above a question of a meeting: which of how many it is, and, above the first, what was read and is clear already. */
export function meetingCard(request: RequestState, state: RunState, { width, paint }: Canvas): string[] {
  const meeting = state.phases.get(request.phase)?.history.meeting;
  const { coverage = [], questions = [] } = meeting?.preparation ?? {};
  const place = request.meeting ?? 0;
  const named = (wanted: 'clear' | 'open') => {
    const topics = coverage.filter(({ state: known }) => (known === 'clear') === (wanted === 'clear'));
    const more = topics.length > SHOWN ? ` and ${topics.length - SHOWN} more` : '';
    return `${topics
      .slice(0, SHOWN)
      .map(({ topic }) => oneLine(topic, 80))
      .join(', ')}${more}`;
  };
  const [clear, open] = [named('clear'), named('open')];
  const lefts = (meeting?.leftOut ?? []).map(({ expert }) => oneLine(expert, 64));
  const before = [
    ...(clear === '' ? [] : [`The repository was read. Clear: ${clear}.`]),
    ...(open === '' ? [] : [`Not to be found there: ${open} (${count(questions.length, 'question')}).`]),
    ...(lefts.length === 0 ? [] : [`Not heard: ${lefts.join(', ')}.`]),
  ];
  return [
    ...(place === 0 ? before.flatMap((line) => wrap(line, width)) : []),
    paint('strong', `${oneLine(request.phase, 64)} asks ${place + 1} of ${questions.length}`),
  ];
}

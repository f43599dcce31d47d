import type { NewEvent } from '../../domain/facts/run-event.ts';
import { oneLine } from '../../text/sanitise.ts';
import { renderCost } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { renderDuration } from '../words/time.ts';

/** A fact of a meeting. */
type MeetingFact = Extract<
  NewEvent,
  {
    type:
      | 'experts_chosen'
      | 'meeting_asked'
      | 'meeting_answered'
      | 'meeting_refused'
      | 'meeting_interrupted'
      | 'expert_left_out'
      | 'answer_assumed'
      | 'criteria_skipped';
  }
>;

/** What happened in a meeting, as a sentence. */
export function meetingSentence(event: MeetingFact): string {
  switch (event.type) {
    case 'experts_chosen': {
      const named = event.data.experts.map(({ id, because }) => `${oneLine(id, 64)} (${oneLine(because, 200)})`);
      return named.length === 0
        ? 'no expert is heard: nothing in the request or the project calls for one'
        : `hears ${count(named.length, 'expert')}: ${named.join(', ')}`;
    }
    case 'meeting_asked': {
      const { agent, model } = event.data;
      const who = [oneLine(agent, 40), ...(model === undefined ? [] : [oneLine(model, 80)])].join(', ');
      return `${askedWords(event.data)} (${who})`;
    }
    case 'meeting_answered':
      return answeredWords(event.data);
    case 'meeting_refused':
      return `${whoOf(event.data)}: the answer cannot be used: ${oneLine(event.data.reasons.join('; '))}`;
    case 'meeting_interrupted':
      return `${whoOf(event.data)} interrupted: ${event.data.failure}: ${oneLine(event.data.message)}`;
    case 'expert_left_out':
      return `goes on without the expert ${oneLine(event.data.expert, 64)}: ${oneLine(event.data.reason)}`;
    case 'answer_assumed':
      return `assumed, nobody was asked: ${oneLine(event.data.answer)} (${oneLine(event.data.because)})`;
    case 'criteria_skipped':
      return `no criteria are written: ${oneLine(event.data.reason)}`;
  }
}

type Whom = { readonly part: 'expert' | 'questions' | 'criteria'; readonly expert?: string | undefined };

function askedWords(whom: Whom): string {
  if (whom.part === 'expert') return `${whoOf(whom)} is heard`;
  return whom.part === 'questions'
    ? 'consultant looks what is clear and what to ask'
    : 'second consultant writes criteria';
}

function whoOf({ part, expert = '' }: Whom): string {
  if (part === 'expert') return `expert ${oneLine(expert, 64)}`;
  return part === 'questions' ? 'consultant' : 'second consultant';
}

function answeredWords({ said, durationMs, cost }: Extract<NewEvent, { type: 'meeting_answered' }>['data']): string {
  const after = `after ${renderDuration(durationMs)}, ${renderCost(cost)}`;
  if (said.part === 'expert') {
    const { matters, risks } = said.words;
    return `expert ${oneLine(said.expert, 64)}: ${count(matters.length, 'point')}, ${count(risks.length, 'risk')}, ${after}`;
  }
  if (said.part === 'criteria')
    return `second consultant: ${said.criteria.length === 1 ? '1 criterion' : `${said.criteria.length} criteria`}, ${after}`;
  const clear = said.coverage.filter(({ state }) => state === 'clear').length;
  return `consultant: ${clear} of ${count(said.coverage.length, 'topic')} clear, ${count(said.questions.length, 'question')}, ${after}`;
}

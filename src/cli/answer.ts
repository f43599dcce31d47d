import { HelixError } from '../domain/helix-error.ts';
import type { NewEvent } from '../domain/run-event.ts';
import { openRequests, type RequestState, type RunState } from '../domain/run-state.ts';
import { wrap } from '../report/columns.ts';
import { excerpt, oneLine } from '../text/sanitise.ts';
import { openKeyboard } from './keyboard.ts';

/** What a human answers to a question. */
export type Answer = { readonly option: string; readonly comment?: string };

/** Where a question is asked: how to write lines, and how to show what the answer is typed behind. */
export type Sheet = {
  say(text: string): void;
  prompt(text: string): void;
  columns(): number;
};

export function unknownRequest(request: string): HelixError {
  return new HelixError('not_found', `there is no question ${request}`, {
    hint: 'See what waits for you: helix inbox',
  });
}

/** The question, or a HelixError that says why it cannot be answered any more. */
export function requestOf(state: RunState, id: string): RequestState {
  const request = state.requests.get(id);
  if (request === undefined) throw unknownRequest(id);
  if (request.answer !== undefined) {
    const { option, actor, at } = request.answer;
    throw new HelixError('usage', `${id} was already answered with ${option} by ${actor} at ${at}`, {
      hint: 'The first answer stands.',
    });
  }
  if (request.withdrawn === true) {
    throw new HelixError('usage', `${id} is not asked any more: the plan was changed or the work sent back since`, {
      hint: `See what is: helix status ${state.run}`,
    });
  }
  if (state.ended !== undefined || !openRequests(state).includes(request)) {
    throw new HelixError('usage', `run ${state.run} has already ended`, { hint: `See it: helix status ${state.run}` });
  }
  return request;
}

/** The fact an answer makes. */
export function decision(request: RequestState, { option, comment }: Answer, actor: string): NewEvent {
  const chosen = chosenBy(request, option);
  if (chosen === undefined) {
    throw new HelixError('usage', `${request.id} has no option ${JSON.stringify(option)}`, {
      hint: `Options: ${request.options.map(({ id }) => id).join(', ')}`,
    });
  }
  const said = [chosen.decision.guidance, comment].filter((text) => text !== undefined).join('\n');
  const guidance = chosen.decision.action === 'retry' && said !== '' ? said : undefined;
  return {
    type: 'decision_taken',
    data: {
      request: request.id,
      option: chosen.id,
      decision: { ...chosen.decision, ...(guidance !== undefined && { guidance }) },
      ...(comment !== undefined && { comment }),
      actor,
    },
  };
}

function chosenBy({ options }: RequestState, option: string) {
  return options.find(({ id }) => id.toLowerCase() === option.toLowerCase());
}

/** The question and its options, line by line. */
export function renderQuestion(request: RequestState, width: number): string[] {
  return [
    ...excerpt(request.question, 4000)
      .split('\n')
      .flatMap((line) => wrap(line, width)),
    ...request.options.flatMap(({ id, description, recommended }) => {
      const text = `${oneLine(description)}${recommended ? ' (recommended)' : ''}`;
      return wrap(text, width - 5).map((line, index) => `  ${index === 0 ? oneLine(id, 8) : ' '}  ${line}`);
    }),
  ];
}

/** Asks at the keyboard; undefined when it is left open, by an empty line, the end of input or the signal. */
export async function ask(request: RequestState, sheet: Sheet, signal: AbortSignal): Promise<Answer | undefined> {
  const keyboard = await openKeyboard(signal);
  try {
    for (const line of renderQuestion(request, sheet.columns())) sheet.say(line);
    for (;;) {
      sheet.prompt(`${request.options.map(({ id }) => oneLine(id, 8)).join('/')}, empty leaves it open: `);
      const option = (await keyboard.line())?.trim();
      if (option === undefined || option === '') return undefined;
      if (chosenBy(request, option) === undefined) {
        sheet.say(`there is no option ${oneLine(option, 40)}`);
        continue;
      }
      sheet.prompt('comment (may be empty): ');
      const comment = (await keyboard.line())?.trim();
      if (comment === undefined) return undefined;
      return { option, ...(comment !== '' && { comment }) };
    }
  } finally {
    keyboard.close();
  }
}

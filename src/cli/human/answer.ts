import type { Option } from '../../domain/facts/consultation.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { type Answer, chosenBy } from '../../domain/ladder/answer.ts';
import { retryOf } from '../../domain/ladder/direction.ts';
import { revertTargets } from '../../domain/ladder/revert.ts';
import { optionEffect } from '../../report/ladder/option-effect.ts';
import { wrap } from '../../report/words/columns.ts';
import { questionWords } from '../../report/words/question-words.ts';
import { manualPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Keyboard, openKeyboard } from '../call/keyboard.ts';

/** Where a question is asked: how to write lines, and how to show what the answer is typed behind. */
export type Sheet = {
  say(text: string): void;
  prompt(text: string): void;
  columns(): number;
};

/** A question and the run that asks it; `more` is what can be looked at before the answer. */
export type Open = {
  readonly request: RequestState;
  readonly state: RunState;
  readonly more?: { readonly difference: () => Promise<readonly string[]>; readonly output: () => readonly string[] };
};

/** The question and its options, line by line; with the run also what each of them will do. */
export function renderQuestion(request: RequestState, width: number, state?: RunState): string[] {
  // Others may have written it: nothing but its first line may pass for a heading or an option of HELIX.
  const before = (line: number, part: number) => (line > 0 ? '> ' : part > 0 ? '  ' : '');
  return [
    ...questionWords(request, 4000)
      .split('\n')
      .flatMap((text, line) => wrap(text, width - 2).map((words, part) => `${before(line, part)}${words}`)),
    ...request.options.flatMap((option) => {
      const { id, description, effort, recommended } = option;
      // An answer is no work, and says itself why it is recommended.
      const cost =
        option.decision.action === 'answer'
          ? ''
          : ` (effort: ${oneLine(effort, 80)}${recommended ? '; recommended' : ''})`;
      const text = `${oneLine(description)}${cost}`;
      const effect =
        state === undefined || !LEADS.has(option.decision.action) ? '' : `→ ${optionEffect(option, request, state)}`;
      return [
        ...wrap(text, width - 5).map((line, index) => `  ${index === 0 ? oneLine(id, 8) : ' '}  ${line}`),
        ...wrap(effect, width - 5).map((line) => `     ${line}`),
      ];
    }),
  ];
}

/** Asks at the keyboard; undefined when it is left open, by an empty line, the end of input or the signal. */
export async function ask(open: Open, sheet: Sheet, signal: AbortSignal): Promise<Answer | undefined> {
  const { request } = open;
  const keyboard = await openKeyboard(signal);
  // Before a question of a meeting nobody has tried anything yet.
  const more = request.reason === 'question' ? undefined : open.more;
  try {
    for (const line of renderQuestion(request, sheet.columns(), open.state)) sheet.say(line);
    const own = request.options.find(({ decision }) => decision.action === 'take');
    if (own !== undefined) sheet.say(`For ${own.id}, change what lies in ${placeOf(open)} first.`);
    if (more !== undefined) for (const line of wrap(KEYS, sheet.columns())) sheet.say(line);
    for (;;) {
      sheet.prompt(`${choicesOf(request)}, empty leaves it open: `);
      const option = (await keyboard.line())?.trim();
      if (option === undefined || option === '' || option === 'l') return undefined;
      if (more !== undefined && (option === 'd' || option === 'o')) {
        for (const line of await looked(option, more)) sheet.say(line);
        continue;
      }
      const answer = await understood(option, open, { sheet, keyboard });
      if (answer !== AGAIN) return answer;
    }
  } finally {
    keyboard.close();
  }
}

/** What was typed: the letter of an option or, where that is an answer, more than a letter in words of one's own. */
async function understood(typed: string, open: Open, asking: Asking): Promise<Answer | Again | undefined> {
  const chosen = chosenBy(open.request, typed);
  if (chosen !== undefined) return askMore(open, chosen, asking);
  const words = ownWords(open.request);
  if (words !== undefined && typed.length > 1) return { option: words.id, comment: typed };
  asking.sheet.say(`there is no option ${oneLine(typed, 40)}`);
  return AGAIN;
}

function choicesOf(request: RequestState): string {
  const letters = request.options.map(({ id }) => oneLine(id, 8)).join('/');
  return ownWords(request) === undefined ? letters : `${letters} or your own words`;
}

/** The option that is an answer in one's own words. */
function ownWords({ options }: RequestState): Option | undefined {
  return options.find(({ decision }) => decision.action === 'answer' && decision.guidance === undefined);
}

/** What these options do depends on the run; the others say it themselves. */
const LEADS: ReadonlySet<Option['decision']['action']> = new Set(['retry', 'revert']);

/** Small letters look at something, whatever the options are called. */
const KEYS = '[d] difference between attempts  [o] whole output  [l] later';

async function looked(key: 'd' | 'o', more: NonNullable<Open['more']>): Promise<readonly string[]> {
  const lines = key === 'd' ? await more.difference() : more.output();
  return lines.length === 0 ? ['there is nothing to show'] : lines;
}

/** Where a human's own change lies. */
function placeOf({ state, request }: Open): string {
  return manualPath(state.run, request.phase);
}

type Asking = { readonly sheet: Sheet; readonly keyboard: Keyboard };

const PROMPTS: Partial<Record<Option['decision']['action'], string>> = {
  retry: 'guidance (may be empty): ',
  accept: 'reason (it is recorded): ',
  answer: 'your answer: ',
};

/** What a comment becomes is said where it is asked for. */
function promptFor({ request, state }: Open, { decision }: Option): string {
  const isUnheard = decision.action === 'retry' && retryOf(decision, request, state) === 'asks-judge';
  return (isUnheard ? undefined : PROMPTS[decision.action]) ?? 'comment (may be empty): ';
}

/** What was typed does not do. */
const AGAIN = Symbol('again');
type Again = typeof AGAIN;

/** Asks for what else the option needs. */
async function askMore(open: Open, chosen: Option, asking: Asking): Promise<Answer | Again | undefined> {
  const { sheet, keyboard } = asking;
  const { action, guidance } = chosen.decision;
  if (action === 'answer' && guidance !== undefined) return { option: chosen.id };
  const phase = action === 'revert' ? await askPhase(open, chosen, asking) : '';
  if (phase === undefined || phase === AGAIN) return phase;
  if (action === 'take') sheet.say(`it is taken from ${placeOf(open)}`);
  sheet.prompt(promptFor(open, chosen));
  const comment = (await keyboard.line())?.trim();
  if (comment === undefined) return undefined;
  if (action === 'accept' && comment === '') {
    sheet.say('to accept what a gate rejects needs a reason');
    return AGAIN;
  }
  if (action === 'answer' && comment === '') return AGAIN;
  return { option: chosen.id, ...(comment !== '' && { comment }), ...(phase !== '' && { phase }) };
}

async function askPhase(
  { request, state }: Open,
  chosen: Option,
  { sheet, keyboard }: Asking,
): Promise<string | Again | undefined> {
  const targets = revertTargets(request.phase, state);
  const usual = chosen.decision.phase ?? '';
  if (targets.length < 2) return usual;
  sheet.say(`back to one of: ${targets.join(', ')}`);
  sheet.prompt(`phase (empty: ${usual}): `);
  const typed = (await keyboard.line())?.trim();
  if (typed === undefined || typed === '') return typed === undefined ? undefined : usual;
  if (targets.includes(typed)) return typed;
  sheet.say(`the run cannot go back to ${oneLine(typed, 64)}`);
  return AGAIN;
}

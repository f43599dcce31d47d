import { UserDecisionDocument } from '../domain/escalation-documents.ts';
import type { RequestState } from '../domain/run-state.ts';

/** A user-decision.json that lies there; undefined when the text is none. */
export function readUserDecision(text: string): UserDecisionDocument | undefined {
  try {
    return UserDecisionDocument.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data;
  } catch {
    return undefined;
  }
}

/** Tells whether what lies there is the answer that was taken. */
export function isTaken({ id, answer }: RequestState, found: UserDecisionDocument): boolean {
  const { request, chosen_option } = found;
  const same = chosen_option.toLowerCase() === answer?.option.toLowerCase();
  return same && (request === undefined || request === null || request === id);
}

/** escalation/stufe-2/user-decision.json, however the answer came; what a human wrote beside the option is kept. */
export function userDecision(
  { id, answer }: RequestState,
  found: UserDecisionDocument | undefined,
): UserDecisionDocument | undefined {
  if (answer === undefined) return undefined;
  const { at, option, comment, decision } = answer;
  const said = found?.user_comment ?? comment ?? null;
  const spec = decision.changes?.spec;
  const given = { spec_override: spec ?? null, manual_code: decision.files ?? null, priority_change: null };
  return {
    timestamp: at,
    request: id,
    chosen_option: option,
    user_comment: said,
    additional_input: { ...given, ...found?.additional_input },
  };
}

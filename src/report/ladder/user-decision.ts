import { UserDecisionDocument } from '../../domain/documents/escalation-documents.ts';
import type { Decision } from '../../domain/facts/consultation.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { partsOfComment } from '../../domain/ladder/answer.ts';
import { isSilence } from '../../domain/ladder/direction.ts';

/** Older journals have a change of priority in the specification. */
const PRIORITY_CHANGES = 'priority_changes';

type Input = NonNullable<UserDecisionDocument['additional_input']>;

/** A user-decision.json that lies there; undefined when the text is none. */
export function readUserDecision(text: string): UserDecisionDocument | undefined {
  try {
    return UserDecisionDocument.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).data;
  } catch {
    return undefined;
  }
}

/** Tells whether what lies there says no more than the answer that was taken. */
export function isTaken(request: RequestState, found: UserDecisionDocument): boolean {
  const taken = userDecision(request);
  if (taken === undefined || (found.request ?? request.id) !== request.id) return false;
  const { spec_override, manual_code, priority_change, revert_to } = found.additional_input ?? {};
  const known = taken.additional_input ?? {};
  return (
    found.chosen_option.toLowerCase() === taken.chosen_option.toLowerCase() &&
    plain(found.user_comment) === plain(taken.user_comment) &&
    plain(priority_change) === plain(known.priority_change) &&
    (plain(revert_to) === '' || revert_to === known.revert_to) &&
    (isEmpty(spec_override) || !isEmpty(known.spec_override)) &&
    isSameCode(manual_code, known.manual_code)
  );
}

/** escalation/stufe-2/user-decision.json as the journal has it, however the answer came; none where nobody answered. */
export function userDecision({ id, answer }: RequestState): UserDecisionDocument | undefined {
  if (answer === undefined || isSilence(answer)) return undefined;
  const { at, option, comment: recorded, decision } = answer;
  const { comment, priority } = partsOfComment(recorded ?? '');
  return {
    timestamp: at,
    request: id,
    chosen_option: option,
    user_comment: comment || null,
    additional_input: {
      spec_override: overrideOf(decision),
      manual_code: decision.files ?? null,
      priority_change: priority ?? null,
      ...(decision.action === 'revert' && { revert_to: decision.phase ?? null }),
    },
  };
}

/** Journals of before had what a human put into the specification among what is added to it. */
function overrideOf({ changes: { override, spec = {} } = {} }: Decision): Input['spec_override'] {
  if (override !== undefined) return override;
  const { [PRIORITY_CHANGES]: _told, ...rest } = spec;
  return Object.keys(rest).length === 0 ? null : rest;
}

function plain(text: string | null | undefined): string {
  return (text ?? '').trim().replaceAll(/\s+/g, ' ');
}

function isEmpty(given: Input['spec_override'] | Input['manual_code']): boolean {
  return (
    given === undefined ||
    given === null ||
    (typeof given === 'string' ? plain(given) : Object.keys(given)).length === 0
  );
}

/** A patch was applied before it was recorded, and cannot be compared with that. */
function isSameCode(found: Input['manual_code'], taken: Input['manual_code']): boolean {
  if (typeof found === 'string' || isEmpty(found)) return isEmpty(found) === isEmpty(taken);
  return JSON.stringify(Object.values(found ?? {})) === JSON.stringify(Object.values(taken ?? {}));
}

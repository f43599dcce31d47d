import { wordsBefore } from './negation.ts';
import type { Match } from './phrase.ts';

const WINDOW = 10;
/** What is avoided, only possible or somebody else's is not what an ADR does. */
const ONLY_THOUGHT_OF = new Set(
  `would could might may if whether unless potential potentially possible possibly avoid avoids avoided avoiding prevent prevents prevented preventing
  instead rather unlike until future
  würde würden könnte könnten wenn falls ob möglich mögliche möglichen möglicherweise eventuell eventuelle potentiell potenziell vermeiden vermeidet vermieden
  verhindern verhindert verhinderung vermeidung statt anstatt anstelle
  éviter évite évitant pourrait pourraient serait seraient si éventuel éventuelle`.split(/\s+/),
);

/** True when a text only thinks of what it mentions: "to avoid breaking changes", "would be a breaking change". */
export function isHypothetical(text: string, { start }: Match): boolean {
  return wordsBefore(text, start, WINDOW).some((word) => ONLY_THOUGHT_OF.has(word));
}

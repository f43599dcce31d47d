import { wordsBefore } from './clause.ts';
import type { Match, Phrase } from './phrase.ts';

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** What is avoided, only possible or somebody else's is not what an ADR does. */
const ONLY_THOUGHT_OF =
  set(`would could might if whether unless potential potentially possible possibly unlikely hypothetical
  avoid avoids avoided avoiding prevent prevents prevented preventing minimize minimise minimizes minimizing minimising reduce reduces reducing
  detect detects detecting catch catches discourage discourages risk risks threat instead rather unlike until future whenever distinguish becomes become accommodate accommodates tolerate tolerates adapt adapts
  rejected
  würde würden könnte könnten wenn falls ob möglich mögliche möglichen möglicherweise eventuell eventuelle eventuellen etwaige potentiell potenziell
  vermeiden vermeidet vermieden verhindern verhindert verhinderung vermeidung minimieren minimiert reduzieren risiko gefahr statt anstatt anstelle verworfen abgelehnt
  éviter évite évitant pourrait pourraient serait seraient si éventuel éventuelle risque réduire`);
/** These stay in force over "but" and "and": if it compiles but is a breaking change. */
const CONDITIONS = set('if whether unless until whenever wenn falls ob si');
/** Between one of these and one of those a thought ends: it reduces work but is a breaking change. */
const JOINING = set('but yet and aber jedoch und mais et');
const FINITE = set(`is are was were will introduces causes brings means requires needs remains comes makes
  ist sind war wird bleibt bringt bedeutet erfordert est sont sera reste`);
/** A clause that starts with one of these is a condition: should a breaking change become necessary. */
const INVERTED = set('should were sollte sollten');
/** Right before a plural these make it any such thing: "checked for breaking changes", "what breaking changes are included". */
const ANY = set(`any all each every what which for of about on against or with between no
  alle jede jeder jeden jedes für von bei über gegen oder mit zwischen tout tous toute toutes pour de des`);
const THESE = set(`the this these those its our following two three four several some many
  die diese dieser folgende folgenden einige mehrere zwei drei vier unsere les ces plusieurs deux trois`);
/** What is said of all such things: "Breaking changes must …", "… are always announced". */
const RULED =
  /^(?:[^.;:!?\n|]|\n(?!\s*\n)){0,220}?\s(?:must|should|shall|require|need|müssen|sollen|sollten|dürfen|brauchen|erfordern|doivent|(?:are|sind|werden|sont)\s+(?:more|only|clearly|always|often|usually|never|allowed|handled|nur|immer|oft|stets|toujours))\s/u;
/** "For instance, …" in the same sentence. */
const EXAMPLE =
  /(?<!\p{L})(?:for (?:instance|example)|as an example|zum beispiel|beispielsweise|par exemple)(?:(?![.!?]\s|\n\s*\n)[\s\S])*$/u;
const A = set('a an ein eine un une');
/** "A breaking change to a module should be …" */
const POLICY =
  /^(?:[\s-]+[\p{L}-]+){0,5}?\s+(?:must|should|shall|requires|needs|muss|sollte|soll|darf|braucht|erfordert|doit)\s/u;
const AVOIDED =
  /^(?:(?!\s(?:not|nicht|cannot|never|kaum|hardly|pas)\s)[^.;:!?,|]){0,60}?\s(?:vermeiden|vermieden|verhindern|verhindert|avoided|prevented|évités?)(?!\p{L})/u;
const STUDY =
  /^[\s-]+(?:detection|detector|detectors|checks?|checker|polic(?:y|ies)|analysis|management|erkennung|prüfung)(?!\p{L})/u;

const WINDOW = 10;

/**
 * True when a text only thinks of what it mentions: "to avoid breaking changes", "would be a breaking change", "Breaking changes
 * must have a new major version".
 */
export function isHypothetical(text: string, match: Match, { source }: Phrase): boolean {
  const before = wordsBefore(text, match.start, WINDOW);
  if (isOnlyThoughtOf(before) || isInverted(before) || STUDY.test(text.slice(match.end, match.end + 20))) return true;
  if (AVOIDED.test(text.slice(match.end, match.end + 80))) return true;
  if (A.has(before.at(-1) ?? '') && POLICY.test(text.slice(match.end, match.end + 60))) return true;
  if (EXAMPLE.test(text.slice(Math.max(0, match.start - 200), match.start))) return true;
  const plural = match.end - match.start > source.length;
  if (!plural) return false;
  const near = before.slice(0, 4);
  if (near.some((word) => THESE.has(word))) return false;
  const starts = before.length < 3 && text[match.start - 1] !== '*';
  return near.some((word) => ANY.has(word)) || (starts && RULED.test(text.slice(match.end, match.end + 240)));
}

function isOnlyThoughtOf(before: readonly string[]): boolean {
  const joint = before.findIndex((word, index) => JOINING.has(word) && FINITE.has(before[index - 1] ?? ''));
  return before.some((word, index) => {
    const reaches = joint < 0 || index < joint || CONDITIONS.has(word);
    return reaches && ONLY_THOUGHT_OF.has(word) && !cannotBe(before.slice(index + 1));
  });
}

function isInverted(before: readonly string[]): boolean {
  return before.length < WINDOW && INVERTED.has(before.at(-1) ?? '') && before.at(-2) !== 'be';
}

/** "We cannot avoid", "no way to avoid". */
function cannotBe(before: readonly string[]): boolean {
  return before.slice(0, 3).some((word) => /^(?:cannot|no|impossible|(?:can|could)n['’]t)$/.test(word));
}

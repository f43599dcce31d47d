import { isWordAt } from './word-boundary.ts';

/** The words of a list, for looking one up. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Here a new thought starts, with or without a comma, or a circumstance: there is no downtime during a rollback. */
export const CLAUSE_WORDS =
  wordSet(`aber sondern jedoch doch denn weil obwohl während wenn falls sobald sofern damit dass daher deshalb
  but because since so therefore thus hence however although though whereas while if when unless until except that which
  mais car parce puisque si quand lorsque donc
  we they you wir man nous during beim bei nach after before on upon durch via pendant lors`);
/** In German these stand behind the verb: "Rollback haben wir nicht geplant"; only after "und" they start a thought. */
const SUBJECTS = wordSet('wir man');
const JOINING = wordSet('und oder sowie');

const HARD_BREAK = /^[ \t]*(?:$|\n|[-*+#|>]|\d{1,3}[.)]\s)/;

/** Longer chains of hyphens are no words. */
const LONGEST_COMPOUND = 40;

/** The words before an offset, nearest first, as far as the clause goes. */
export function wordsBefore(text: string, start: number, limit: number): string[] {
  const found: string[] = [];
  let end = start;
  for (let at = start - 1; at >= -1 && found.length < limit; at -= 1) {
    if (at >= 0 && (isInWord(text, at) || (at < start - 1 && end - at < LONGEST_COMPOUND && isHyphen(text, at))))
      continue;
    if (end > at + 1) found.push(text.slice(at + 1, end));
    end = at;
    if (at < 0 || isBorder(text, at)) break;
  }
  return found;
}

function isInWord(text: string, at: number): boolean {
  const char = text[at];
  if (char === '_') return false;
  return isWordAt(text, at) || ((char === "'" || char === '’') && isWordAt(text, at + 1) && isWordAt(text, at - 1));
}

/** "Zero-downtime" is one word, and denies nothing but a downtime. */
function isHyphen(text: string, at: number): boolean {
  return text[at] === '-' && isWordAt(text, at - 1) && isWordAt(text, at + 1);
}

/** True where a clause ends: punctuation, a cell of a table, the end of a heading, paragraph or list item. */
function isBorder(text: string, at: number): boolean {
  const char = text[at] ?? '';
  if (char === '\n') return HARD_BREAK.test(text.slice(at + 1, at + 40).split('\n', 1)[0] ?? '');
  if (char === '.' || char === ',' || char === ':') return !isWordAt(text, at + 1);
  if (char === '-') return text[at - 1] === ' ' && text[at + 1] === ' ';
  return ';!?()|–—…\ue000'.includes(char);
}

/** Where the clause ends that a text starts with. */
export function clauseEnd(rest: string): number {
  let before = '';
  for (let at = 0; at < rest.length; at += 1) {
    if (isBorder(rest, at)) return at;
    if (rest[at] === ' ' || rest[at] === '\n') {
      const [word = ''] = /^[\p{L}]{2,9}/u.exec(rest.slice(at + 1, at + 11)) ?? [];
      if (CLAUSE_WORDS.has(word) && (!SUBJECTS.has(word) || JOINING.has(before))) return at;
      before = word;
    }
  }
  return rest.length;
}

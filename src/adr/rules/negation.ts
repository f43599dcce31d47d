import type { Match } from './phrase.ts';
import { isWordAt } from './word-boundary.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that deny what follows them directly; they reach over "and". */
const DETERMINERS =
  words(`kein keine keinen keinem keiner keines keinerlei ohne weder no without neither none zero aucun aucune sans ni
  verzicht verzichten verzichtet lack lacks lacking fehlend fehlende fehlender fehlenden fehlendes`);
const WITHOUT = words('ohne without sans');
const ADVERBS = words(`nicht nie niemals nichts not never nothing cannot pas jamais`);
/** After these a negator denies nothing: not only, nicht nur, non seulement. */
const ONLY = words('nur only just merely simply bloß lediglich allein seulement uniquement');
/** Here a new thought starts, with or without a comma, or a circumstance: there is no downtime during a rollback. */
const CLAUSE_WORDS =
  words(`aber sondern jedoch doch denn weil obwohl während wenn falls sobald sofern damit dass daher deshalb
  but because since so therefore thus hence however although though whereas while if when unless until except that which
  mais car parce puisque si quand lorsque donc
  we they you wir man nous during beim bei nach after before on upon durch via pendant lors`);
/** What cannot be avoided or doubted is done: no way around, kein Weg vorbei an, no doubt this is, cannot ignore. */
const NO_WAY_AROUND =
  /^(?:way (?:around|past|to avoid|to prevent)|getting (?:around|past)|alternative (?:to|zu|à)|weg (?:vorbei )?an|moyen d['’]éviter|avoid|prevent|ignore|overlook|escape|skip|vermeiden|umgehen|ignorieren|éviter|ignorer|(?:a |any |the )?(?:doubt|question)|zweifel|doute)(?!\p{L})/u;
const RELATIVE = words('that which who qui');
const FINITE = words('will would must can could should shall may might is are was were has gets sees needs sont');
const AND = words('and und et sowie &');

const WINDOW = 7;
const REACH = 3;
const HARD_BREAK = /^[ \t]*(?:$|\n|[-*+#|>]|\d{1,3}[.)]\s)/;

/** True when a text denies what it mentions: "kein Rollback", "a rollback is not planned", "Rollback: entfällt". */
export function isNegated(text: string, match: Match): boolean {
  return deniedBefore(text, match.start) || deniedAfter(text, match.end);
}

function deniedBefore(text: string, start: number): boolean {
  if (/(?:^|[^\p{L}\p{N}])(?:non|nicht)[-\u2010\u2011 ]$/u.test(text.slice(Math.max(0, start - 8), start))) return true;
  let beyondAnd = false;
  let without = false;
  let following = '';
  const before = wordsBefore(text, start, WINDOW + REACH);
  for (const [index, word] of before.slice(0, WINDOW).entries()) {
    if (CLAUSE_WORDS.has(word)) break;
    if (AND.has(word)) beyondAnd = true;
    const negates = DETERMINERS.has(word) || (!beyondAnd && (ADVERBS.has(word) || /n['’]t$/.test(word)));
    if (negates && NO_WAY_AROUND.test(before.slice(0, index).reverse().join(' '))) return false;
    if (negates && !ONLY.has(following) && !deniesAside(before, index)) {
      // "Not without a rollback" has one.
      if (without) return false;
      if (!WITHOUT.has(word)) return true;
      without = true;
    }
    following = word;
  }
  return without;
}

/** "Clients that do not upgrade will see …": what is denied is only who it is about. */
function deniesAside(before: readonly string[], negator: number): boolean {
  const opens = before.slice(negator + 1, negator + 1 + REACH).some((word) => RELATIVE.has(word));
  return opens && before.slice(0, negator).some((word) => FINITE.has(word));
}

/** The words before an offset, nearest first, as far as the clause goes. */
export function wordsBefore(text: string, start: number, limit: number): string[] {
  const found: string[] = [];
  let end = start;
  for (let at = start - 1; at >= -1 && found.length < limit; at -= 1) {
    if (at >= 0 && isInWord(text, at)) continue;
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

/** True where a clause ends: punctuation, a cell of a table, the end of a heading, paragraph or list item. */
function isBorder(text: string, at: number): boolean {
  const char = text[at] ?? '';
  if (char === '\n') return HARD_BREAK.test(text.slice(at + 1, at + 40).split('\n', 1)[0] ?? '');
  if (char === '.' || char === ',' || char === ':') return !isWordAt(text, at + 1);
  if (char === '-') return text[at - 1] === ' ' && text[at + 1] === ' ';
  return ';!?()|–—…\ue000'.includes(char);
}

const VERBS =
  `is|are|was|were|be|been|will|can|could|should|shall|must|has|have|had|does|do|did|ist|sind|war|waren|wird|werden|wurde|wurden|kann|können|
  muss|müssen|soll|sollen|hat|haben|bleibt|gibt|est|sont|sera|seront|n['’]est|n['’]est|ne`.replace(/\s+/g, '');
const DENIED =
  `planned|needed|required|possible|necessary|provided|supported|foreseen|intended|expected|anticipated|applicable|available|considered|included|
  covered|introduced|involved|offered|wanted|desired|defined|documented|part|in scope|an option|allowed|feasible|relevant|
  vorgesehen|nötig|notwendig|geplant|möglich|erforderlich|angedacht|unterstützt|vorhanden|anwendbar|relevant|enthalten|gewünscht|beabsichtigt|
  definiert|dokumentiert|beschrieben|erwartet|zu erwarten|geben|gebraucht|benötigt|angeboten|bestandteil|teil|umgesetzt|nötig|
  prévu|prévue|prévus|prévues|nécessaire|nécessaires|possible|possibles|requis|requise|applicable`.replace(
    /\s*\n\s*/g,
    '',
  );
const NOTHING =
  'none|tbd|tba|todo|offen|n/a|n\\.a\\.|nein|no|nil|keiner?|keines?|keinen|entfällt|entfallen|not applicable|nicht anwendbar|aucune?|néant|non|[-–—]';

/** The letters of the three languages; classes of all letters there are take long to compile. */
const LETTER = 'a-zà-öø-ÿœ';

/** "… is not planned", "… ist (derzeit) nicht vorgesehen", "… isn't needed", "… nicht nötig". */
const SAID_NOT = new RegExp(
  `^(?:[^.;!?,|\\ue000]{0,60}?(?:^|[^${LETTER}])(?:(?:${VERBS})(?:\\s+[${LETTER}]+){0,3}?\\s+(?:not|nicht|never|nie|niemals|pas)|[${LETTER}]+n['’]t|cannot|can not)|(?:[\\s-]+[${LETTER}]+){0,2}?\\s+(?:not|nicht|pas))(?:\\s+[${LETTER}]+){0,3}?\\s+(?:${DENIED})(?![${LETTER}])`,
);
/** "… entfällt", "… is unnecessary", "… is out of scope". */
const SAID_NEEDLESS =
  /^[^.;!?,|\ue000]{0,40}?(?:^|[^a-zà-öø-ÿœ])(?:entfällt|entfallen|unnecessary|unnötig|impossible|unmöglich|ausgeschlossen|überflüssig|out of scope|verzichtet|keine option|no option|kein thema|inutile)(?![a-zà-öø-ÿœ])/;
/** "…: none", "… | n/a |", "… (nicht nötig)"; a heading with this below it. */
const ANSWERED_NOTHING = new RegExp(
  `^[${LETTER}*_\` -]{0,30}(?:[:|(?\\ue000–—]|\\s-\\s)[\\s*_>|-]*(?:(?:${NOTHING})[*_]*\\s*(?=[.;,)|!\\n\\ue000]|$)|(?:not|nicht|pas|no|keine?|aucune?)(?:\\s+[${LETTER}-]+){0,4}?\\s*(?:${DENIED})(?![${LETTER}]))`,
);
/** A heading whose text starts with "There are no breaking changes". */
const HEADED_NOTHING =
  /^[^\n\ue000]{0,40}\ue000\s*(?:[-*+]\s+)?(?:there (?:is|are)|es gibt|il n['’]y a)\s+(?:[a-zà-öø-ÿœ]+\s+)?(?:no|none|keinen?|aucune?)(?![a-zà-öø-ÿœ])/;

/** What every denial has in it: the long patterns take their time to compile, and most texts never need them. */
const MAY_BE_ANSWERED = /^[^\n]{0,40}?(?:[:|(?\ue000–—]| - )/;
const MAY_BE_NEEDLESS = /entfa?ä?ll|unn|imposs|unm|ausg|überfl|out of|verzichtet|option|thema|inut/;
const MAY_BE_DENIED = /(?:not|nicht|never|nie|niemals|pas)(?![a-z])|n['’]t/;

function deniedAfter(text: string, end: number): boolean {
  const rest = text.slice(end, end + 160);
  if (MAY_BE_ANSWERED.test(rest) && (ANSWERED_NOTHING.test(rest) || HEADED_NOTHING.test(rest))) return true;
  const clause = rest.slice(0, clauseEnd(rest));
  if (MAY_BE_NEEDLESS.test(clause) && SAID_NEEDLESS.test(clause)) return true;
  return MAY_BE_DENIED.test(clause) && SAID_NOT.test(clause);
}

function clauseEnd(rest: string): number {
  for (let at = 0; at < rest.length; at += 1) {
    if (isBorder(rest, at)) return at;
    if (rest[at] === ' ' || rest[at] === '\n') {
      const [word = ''] = /^[\p{L}]{2,9}/u.exec(rest.slice(at + 1, at + 11)) ?? [];
      if (CLAUSE_WORDS.has(word)) return at;
    }
  }
  return rest.length;
}

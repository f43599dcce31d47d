import { CLAUSE_WORDS, clauseEnd, wordSet as words, wordsBefore } from './clause.ts';
import { deniedAfter } from './denied-after.ts';
import type { Match } from './phrase.ts';

/** Words that deny what follows them directly; they reach over "and". */
const DETERMINERS =
  words(`kein keine keinen keinem keiner keines keinerlei ohne weder no without neither none zero aucun aucune sans ni
  verzicht verzichten verzichtet lack lacks lacking fehlend fehlende fehlender fehlenden fehlendes`);
const WITHOUT = words('ohne without sans');
const ADVERBS = words(`nicht nie niemals nichts not never nothing cannot pas jamais`);
/** After these a negator denies nothing: not only, nicht nur, non seulement. */
const ONLY = words('nur only just merely simply bloß lediglich allein seulement uniquement');
/** What cannot be avoided or doubted is done: no way around, kein Weg vorbei an, no doubt this is, cannot ignore. */
const NO_WAY_AROUND =
  /^(?:way (?:around|past|to avoid|to prevent)|getting (?:around|past)|alternative (?:to|zu|à)|weg (?:vorbei )?an|moyen d['’]éviter|(?:to )?(?:avoid|prevent|ignore|overlook|escape|skip|vermeiden|umgehen|ignorieren|éviter|ignorer)|(?:a |any |the )?(?:doubt|question)|zweifel|doute)(?!\p{L})/u;
/** "A zero downtime rollback" is one. */
const SPARED = words('downtime interruption outage ausfallzeit');
const RELATIVE = words('that which who qui');
const FINITE = words('will would must can could should shall may might is are was were has gets sees needs sont');
const AND = words('and und et sowie &');

const WINDOW = 7;
const REACH = 3;

const ARTICLES = words(
  `a an the this these any such dieser diesem dieses ein eine einen einem einer eines den dem der des das die un une le la`,
);
/** "In a rollback", "im Falle eines Rollbacks": what is denied before is denied for this case only. */
const IN = words('in im within throughout');
const CASE = words('case cases event course of falle fall zuge rahmen verlauf');
/** … but for "no point in a rollback". */
const POINTLESS = words('point sense interest interested value use benefit need believe trust sinn nutzen interesse');
/** "Skip the rollback", "ruled out a rollback", "instead of a rollback", "impossible to roll back". */
const REFUSED =
  /^(?:(?:skip|skips|skipped|omit|omits|omitted|exclude|excludes|excluded|forgo|forego|abandon|abandoned|reject|rejected|waive|waived|statt|anstatt|anstelle)|out (?:rule|rules|ruled|leave|leaves|left)|of instead|than rather|to (?:impossible|unable|infeasible|unfeasible))(?: |$)/;
const AGAINST = words('against gegen contre');
const DECIDED = words(`decided decide decides decision opted opt chose voted argued advise advised recommend recommended
  entschieden entscheiden entscheidet entschied entscheidung ausgesprochen décidé`);
/** True when a text denies what it mentions: "kein Rollback", "a rollback is not planned", "Rollback: entfällt". */
export function isNegated(text: string, match: Match): boolean {
  const before = wordsBefore(text, match.start, WINDOW + REACH);
  if (isRefused(before, text, match.end)) return true;
  return deniedBefore(text, match.start, before) || deniedAfter(text, match.end);
}

function isRefused(before: readonly string[], text: string, end: number): boolean {
  const bare = before.slice(before.findIndex((word) => !ARTICLES.has(word)));
  const [first = ''] = bare;
  if (AGAINST.has(first)) {
    const rest = text.slice(end, end + 80);
    const behind = first === 'gegen' ? rest.slice(0, clauseEnd(rest)).split(/\s+/) : [];
    return [...bare.slice(1, 1 + REACH), ...behind].some((word) => DECIDED.has(word));
  }
  const refusal = REFUSED.exec(bare.join(' '))?.[0];
  const beyond = bare.slice(refusal?.trim().split(' ').length);
  return refusal !== undefined && !beyond.slice(0, REACH).some((word) => isNegator(word));
}

function isNegator(word: string): boolean {
  return DETERMINERS.has(word) || ADVERBS.has(word) || /n['’]t$/.test(word);
}

/** The clause before only tells what happens in such a case. */
function isCircumstance(before: readonly string[]): boolean {
  const at = before.findIndex((word) => !ARTICLES.has(word) && !CASE.has(word));
  return IN.has(before[at] ?? '') && !POINTLESS.has(before[at + 1] ?? '');
}

function deniedBefore(text: string, start: number, before: readonly string[]): boolean {
  if (/(?:^|[^\p{L}\p{N}])(?:non|nicht)[-\u2010\u2011 ]$/u.test(text.slice(Math.max(0, start - 8), start))) return true;
  if (isCircumstance(before)) return false;
  let beyondAnd = false;
  let without = false;
  let following = '';
  for (const [index, word] of before.slice(0, WINDOW).entries()) {
    if (CLAUSE_WORDS.has(word)) break;
    if (AND.has(word)) beyondAnd = true;
    const negates = DETERMINERS.has(word) || (!beyondAnd && (ADVERBS.has(word) || /n['’]t$/.test(word)));
    if (negates && NO_WAY_AROUND.test(before.slice(0, index).reverse().join(' '))) return false;
    if (negates && !ONLY.has(following) && !(index === 1 && SPARED.has(following)) && !deniesAside(before, index)) {
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

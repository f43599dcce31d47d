import { clauseEnd } from './clause.ts';
import { saidNotInGerman, withoutCircumstance } from './said-not-in-german.ts';

const list = (words: string): string => words.trim().replace(/\s*\n\s*/g, '|');

const VERBS = list(`is|are|was|were|be|been|will|can|could|should|shall|must|has|have|had|does|do|did
  ist|sind|war|waren|wird|werden|wurde|wurden|kann|können|muss|müssen|soll|sollen|hat|haben|bleibt|gibt|kommt|kommen|steht|stehen
  est|sont|sera|seront|n['’]est|n['’]est|ne`);
const DENIED =
  list(`planned|needed|required|possible|necessary|provided|supported|foreseen|intended|expected|anticipated|applicable|available|considered|included
  covered|introduced|involved|offered|wanted|desired|defined|documented|part|in scope|an option|allowed|feasible|relevant
  viable|practical|practicable|achievable|workable|prepared|specified|addressed|permitted|worthwhile|sensible|reasonable|realistic|a goal|worth|on the table
  vorgesehen|nötig|notwendig|geplant|möglich|erforderlich|angedacht|unterstützt|vorhanden|anwendbar|relevant|enthalten|gewünscht|beabsichtigt
  definiert|dokumentiert|beschrieben|erwartet|zu erwarten|geben|gebraucht|benötigt|angeboten|bestandteil|teil|umgesetzt|nötig
  machbar|realisierbar|umsetzbar|durchführbar|sinnvoll|praktikabel|verfügbar|eingeplant|zulässig|erlaubt|gewollt|erwünscht|angestrebt|berücksichtigt
  betrachtet|vorbereitet|ausgearbeitet|in frage|infrage|zur verfügung|zur debatte
  prévu|prévue|prévus|prévues|nécessaire|nécessaires|possible|possibles|requis|requise|applicable`);
/** What is not done by users, or on Fridays, is done: these deny only at the end of their clause. */
const DENIED_AT_END =
  list(`done|made|performed|executed|implemented|built|attempted|tried|happen|work|exist|carried out|taken
  occur|occurred|arise|arisen|appear|emerge|result|follow|apply|take place|taken place|caused|created|added|produced|triggered|accepted|tolerated
  durchgeführt|gemacht|ausgeführt|implementiert|realisiert|machen|durchführen|ausführen|umsetzen|realisieren|anbieten|planen|vorsehen|leisten|unterstützen
  eingeführt|eingebaut|eingebracht|vorgenommen|verursacht|erzeugt|ausgelöst|hervorgerufen|herbeigeführt|geschaffen|zugelassen|akzeptiert|toleriert|hingenommen|in kauf genommen
  einführen|vornehmen|verursachen|erzeugen|auslösen|zulassen|zu rechnen|zu befürchten|verbunden
  auftreten|auftritt|eintreten|eintritt|entstehen|entsteht|vorliegen|vorliegt|vorkommen|vorkommt|geschehen|geschieht|passieren|passiert`);
/** A mark instead of a word. */
const NO_MARK = '(?:[❌✗✘✖⛔]|🚫)\\ufe0f?';
const NOTHING =
  list(`none|nothing|nichts|0(?![.,]\\d)|zero|false|none (?:known|so far|yet)|keine (?:bekannt|bekannten)|out of scope|not in scope|unnecessary|unnötig|überflüssig|hors périmètre
  tbd|tba|todo|offen|n/a|n\\.a\\.|nein|no|nil|keiner?|keines?|keinen|entfällt|entfallen|not applicable|nicht anwendbar|aucune?|néant|non`);

/** The letters of the three languages; classes of all letters there are take long to compile. */
const LETTER = 'a-zà-öø-ÿœ';

/** What is not only possible is more than that. */
const NOT_ONLY = `(?!\\s+(?:only|just|merely|simply|nur|bloß|lediglich|allein|seulement|uniquement)(?![${LETTER}]))`;
/** "… is not", "… ist (derzeit) nicht", "… isn't", "… nicht", and up to three words more. */
const NOT = `^(?:[^.;!?,|\\ue000]{0,60}?(?:^|[^${LETTER}])(?:(?:${VERBS})(?:\\s+[${LETTER}]+){0,3}?\\s+(?:not|nicht|never|nie|niemals|pas)|[${LETTER}]+n['’]t|cannot|can not)|(?:[\\s-]+[${LETTER}]+){0,2}?\\s+(?:not|nicht|never|nie|niemals|pas))${NOT_ONLY}(?:\\s+[${LETTER}]+){0,3}?\\s+`;
/** "… is not planned", "… ist nicht vorgesehen". */
const SAID_NOT = new RegExp(`${NOT}(?:${DENIED})(?![${LETTER}])`);
/** "… cannot be done", "… wird nicht durchgeführt". */
const SAID_NOT_AT_END = new RegExp(
  `${NOT}(?:${DENIED_AT_END})(?:\\s+(?:at all|here|anymore|any more|yet|hier|mehr|werden|worden|wird|wurden?|können|kann|(?:in|with|from|by|through) (?:this|the) (?:change|release|version|update|adr|decision|refactoring)))*\\s*$`,
);
/** "… brauchen wir nicht", "… gibt es nicht", "… findet nicht statt", "… lassen wir weg". */
const SAID_IN_GERMAN = new RegExp(
  `^(?:[\\s-]+[${LETTER}]+){0,3}?\\s+(?:(?:brauchen|braucht|planen|machen|bieten|wollen|benötigen|sehen|unterstützen|gibt|existiert|existieren|findet|finden|erfolgt|geht|funktioniert|klappt)(?:\\s+(?:wir|man|es|sie|hier|jetzt|derzeit|aktuell|leider|bewusst|vorerst|dafür|also))*\\s+(?:nicht|nie|niemals)(?:\\s+(?:an|vor|statt|mehr))?|(?:lassen|sehen|fällt)(?:\\s+[${LETTER}]+){0,3}?\\s+(?:weg|aus|ab))\\s*$`,
);
/** With one of these behind it, something fails only now and then. */
const SOMETIMES =
  /^[\s,]*(?:after|before|on|upon|during|while|when|if|unless|until|except|wenn|falls|sobald|sofern|solange|während|bei|beim|nach|durch|via)(?![a-zà-öø-ÿœ])/;
/** "… entfällt", "… is unnecessary", "… is out of scope". */
const SAID_NEEDLESS =
  /^[^.;!?,|\ue000]{0,40}?(?:^|[^a-zà-öø-ÿœ])(?:entfällt|entfallen|unterbleibt|fehlt(?! nicht)|unnecessary|unnötig|impossible|unmöglich|ausgeschlossen|überflüssig|out of scope|verzichtet|keine option|no option|kein thema|kein ziel|inutile)(?![a-zà-öø-ÿœ])/;
const LEFT_OUT =
  list(`left out|left aside|excluded|omitted|skipped|dropped|dismissed|rejected|discarded|abandoned|waived|ruled out|off the table|missing|lacking|absent
  infeasible|unfeasible|unsupported|unplanned|unavailable|unwanted|unrealistic|pointless|neither
  weggelassen|ausgelassen|ausgeklammert|ausgespart|ausgenommen|gestrichen|verworfen|abgelehnt|abgesehen|hinfällig|obsolet|sinnlos|außen vor|weder
  exclue?s?|écartée?s?|abandonnée?s?`);
const WAS =
  'is|are|was|were|be|been|remains|stays|ist|sind|war|waren|wird|werden|wurde|wurden|bleibt|bleiben|est|sont|sera|été';
const SAME_THOUGHT = `(?!(?:and|und|et|or|oder|as|what|${WAS})(?![${LETTER}]))[${LETTER}]+`;
/** "… is deliberately left out", "… wurde geprüft und verworfen"; not "… of rejected orders". */
const SAID_LEFT_OUT = new RegExp(
  `^(?:[\\s-]+(?!(?:and|und|et|or|oder|as|what|case|once|where)(?![${LETTER}]))[${LETTER}]+){0,5}?\\s+(?:${WAS})(?:\\s+(?:considered|discussed|evaluated|geprüft|erwogen|diskutiert|betrachtet)\\s+(?:and|und))?(?:\\s+${SAME_THOUGHT}){0,3}?\\s+(?:${LEFT_OUT})(?![${LETTER}])`,
);
/** "…: none", "… | n/a |", "… (nicht nötig)"; a heading with this below it. */
const ANSWERED_NOTHING = new RegExp(
  `^[${LETTER}*_\` -]{0,30}(?:[:|(?=→\\ue000–—]|\\s->?\\s)[\\s*_>|(-]*(?:(?:${NO_MARK}|(?:${NO_MARK}\\s*)?(?:${NOTHING}))[*_]*\\s*(?=[.;,()|!\\n\\ue000–—]|$)|[-–—][*_]*\\s*(?=[.;,)|!\\n\\ue000]|$)|(?:not|nicht|pas|no|keine?|aucune?)(?!\\s+(?:downtime|ausfall))${NOT_ONLY}(?:\\s+[${LETTER}-]+){0,4}?\\s*(?:${DENIED})(?![${LETTER}]))`,
);
/** A heading whose text starts with "There are no breaking changes". */
const HEADED_NOTHING =
  /^[^\n\ue000]{0,40}\ue000\s*(?:[-*+]\s+)?(?:there (?:is|are)|es gibt|il n['’]y a)\s+(?:[a-zà-öø-ÿœ]+\s+)?(?:no|none|keinen?|aucune?)(?![a-zà-öø-ÿœ])/;

/** What every denial has in it: the long patterns take their time to compile, and most texts never need them. */
const MAY_BE_ANSWERED = /^[^\n]{0,40}?(?:[:|(?=→\ue000–—]| ->? )/;
const MAY_BE_NEEDLESS = /entfa?ä?ll|unter|fehlt|unn|imposs|unm|ausg|überfl|out of|verzichtet|option|thema|ziel|inut/;
const MAY_BE_LEFT_OUT =
  /left|exclu|omit|skip|drop|dismiss|reject|discard|abandon|waive|ruled|off the|missing|lacking|absent|feasible|uns|unp|unava|unw|unr|pointless|neither|gelassen|ausg|gestr|verworf|abge|hinf|obsol|sinnl|außen|weder|écart/;
const MAY_BE_DENIED = /(?:not|nicht|never|nie|niemals|pas)(?![a-z])|n['’]t/;
const ENDS_SEPARABLY = /\s(?:weg|aus|ab)\s*$/;

/** True when what follows a mention up to the end of its clause denies it. */
export function deniedAfter(text: string, end: number): boolean {
  const rest = withoutCircumstance(text.slice(end, end + 160));
  if (MAY_BE_ANSWERED.test(rest) && (ANSWERED_NOTHING.test(rest) || HEADED_NOTHING.test(rest))) return true;
  const at = clauseEnd(rest);
  const clause = rest.slice(0, at);
  if (MAY_BE_NEEDLESS.test(clause) && saidPlainly(SAID_NEEDLESS, clause)) return true;
  if (MAY_BE_LEFT_OUT.test(clause) && saidPlainly(SAID_LEFT_OUT, clause)) return true;
  const denied = MAY_BE_DENIED.test(clause);
  if (denied && SAID_NOT.test(clause)) return true;
  if (!(denied || ENDS_SEPARABLY.test(clause)) || SOMETIMES.test(rest.slice(at))) return false;
  return SAID_NOT_AT_END.test(clause) || SAID_IN_GERMAN.test(clause) || saidNotInGerman(clause);
}

/** "Cannot be ruled out" denies nothing. */
function saidPlainly(saying: RegExp, clause: string): boolean {
  const [said] = saying.exec(clause) ?? [];
  return said !== undefined && !MAY_BE_DENIED.test(said);
}

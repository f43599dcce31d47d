/** The letters of German; classes of all letters there are take long to compile. */
const LETTER = 'a-zäöüß';
const WORD = `[${LETTER}-]+`;
const NEVER = '(?:nicht|nie|niemals)(?:\\s+mehr)?';

/** A thought that goes on with one of these is another one. */
const SAME_THOUGHT = `(?!(?:und|oder|sowie|aber|sondern|nur|wenn|falls|weil|da|dass)(?![${LETTER}]))${WORD}`;
const NOT_AT_ALL = `(?:\\s+${SAME_THOUGHT}){0,6}?\\s+${NEVER}`;
/** "… tritt (in dieser Version) nicht auf", "… entstehen nicht": only what is mentioned can be meant. */
const OCCURS = [
  `(?:tritt|treten|trat|traten)${NOT_AT_ALL}\\s+(?:auf|ein)`,
  `(?:liegt|liegen|lag|lagen|kommt|kommen)${NOT_AT_ALL}\\s+vor`,
  `(?:fällt|fallen)${NOT_AT_ALL}\\s+an`,
  `(?:ergibt|ergeben)\\s+sich${NOT_AT_ALL}`,
  `(?:entsteht|entstehen|entstand|entstanden|geschieht|geschehen|passiert|passieren|resultiert|resultieren|droht|drohen)${NOT_AT_ALL}`,
].join('|');

const CHANGE =
  'änderung|umstellung|version|release|update|upgrade|umbau|entscheidung|lösung|schritt|migration|refactoring|anpassung|erweiterung|adr|neuerung|ansatz|variante|vorgehen';
/** Who does not bring something about: "das", "wir", "diese Änderung"; what the mentioned does to others is no matter. */
const SUBJECT = `(?:das|dies|es|er|sie|wir|man|(?:d(?:as|ie|er)|dies(?:e[rs]?)?|unsere?)\\s+(?:${WORD}\\s+)?[${LETTER}-]*(?:${CHANGE}))`;
const ADVERBS =
  '(?:\\s+(?:hier|jetzt|derzeit|aktuell|also|dadurch|dabei|hierbei|hierdurch|somit|sicher|auch|noch|selbst|für (?:nutzer|anwender|clients|aufrufer|kunden)))*';
const BRINGS =
  'ist|sind|war|waren|wäre|wären|stellt|stellen|bedeutet|bedeuten|verursacht|verursachen|erzeugt|erzeugen|bringt|bringen|enthält|erwartet|erwarten|rechnen|führt|führen|nimmt|nehmen|hat|haben|handelt|zieht|löst|lösen|macht|machen';
/** "… ist das nicht", "… führen wir nicht ein". */
const BROUGHT = `(?:${BRINGS})${ADVERBS}\\s+${SUBJECT}(?:\\s+sich)?${ADVERBS}\\s+${NEVER}(?:\\s+(?:aus|dar|ein|hervor|mit|mit sich|vor|zur folge))?`;

const SAID_NOT = new RegExp(`^(?:\\s+${SAME_THOUGHT}){0,3}?\\s+(?:${OCCURS}|${BROUGHT})\\s*$`);

/** True for the rest of a German main clause that says of what stands before it that it does not come about. */
export function saidNotInGerman(clause: string): boolean {
  return SAID_NOT.test(clause);
}

/** What only seems to start a new thought: "… entstehen durch diese Änderung nicht", "… führen wir nicht durch". */
const CIRCUMSTANCE = new RegExp(
  `\\s(?:(?:durch\\s+(?:d(?:as|en|ie)|dies${WORD})|(?:bei|mit|nach)\\s+dies${WORD})\\s+${WORD}(?=(?:\\s+${WORD})?\\s+nicht(?![${LETTER}]))|(?:damit|daher|deshalb)(?=\\s+nicht(?![${LETTER}]))|nach\\s+sich(?![${LETTER}])|durch(?=\\s*(?:[.;:!?,)|]|$)))`,
  'g',
);

/** A text without the circumstance that its "nicht" belongs to. */
export function withoutCircumstance(text: string): string {
  return text.includes('nicht') ? text.replace(CIRCUMSTANCE, '') : text;
}

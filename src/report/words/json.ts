/** What JSON leaves as it is although a terminal or a reader would not: C1 controls, bidi and invisible characters. */
const INVISIBLE = /[\x7f-\x9f\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** A document as JSON text: nothing is lost, and nothing in it can move a cursor or hide. */
export function renderJson(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2).replace(INVISIBLE, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

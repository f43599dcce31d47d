/** Words that stand in nearly every text or program, so that quoting them shows nothing. */
const COMMON = new Set(
  [
    'a an the of and or to in into is are was were be been it its this that these those with without for on at by as from',
    'not no but if then so than do does did has have had can could will would should must may we you they he she who what which',
    'der die das den dem des ein eine einen einem einer eines und oder im ist sind war zu zum zur von vom mit auf als nicht es wir',
    'const let var return else elif while function import export default def class public private protected static void null nil',
    'none undefined true false new end begin async await try catch throw throws self int string',
  ].flatMap((words) => words.split(' ')),
);
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]+/gu;
const DIGITS = /^[\p{N}_]*$/u;
const TELLING_DIGITS = 3;

/** The different words of a text that tell it from others; where words have no blanks between them, two characters count as one. */
export function tellingWords(text: string): Set<string> {
  const words = text.replace(UNSEEN, '').normalize('NFC').toLowerCase();
  const unspaced = (words.match(UNSPACED) ?? []).flatMap((run) => run.match(/../gu) ?? []);
  const spaced = (words.replace(UNSPACED, ' ').match(WORD) ?? []).filter(isTelling);
  return new Set([...spaced, ...unspaced]);
}

function isTelling(word: string): boolean {
  if (DIGITS.test(word)) return word.replaceAll('_', '').length >= TELLING_DIGITS;
  return [...word].length > 1 && !COMMON.has(word);
}

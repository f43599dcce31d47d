import { expect, it } from 'vitest';
import { tellingWords } from './telling-words.ts';

it.each<[text: string, words: string[]]>([
  ['the', []],
  ['of the and', []],
  ['We keep the journal in SQLite', ['keep', 'journal', 'sqlite']],
  ['keep keep Keep', ['keep']],
  ['} else {', []],
  ['});', []],
  ['---', []],
  ['export const answer = 42;', ['answer']],
  ['if (readText(path) === undefined) return', ['readtext', 'path']],
  ['on 2026-03-01', ['2026']],
  ['x = y + 1', []],
  ['max_retries: 3', ['max_retries']],
  ['Die Größe ist u\u0308ber', ['größe', 'über']],
  ['注文を保存する', ['注文', 'を保', '存す']],
  ['ข้อมูล', ['ข้', 'อม', 'ูล']],
  ['주문을 저장한다', ['주문을', '저장한다']],
  ['t\u200bhe', []],
  ['', []],
])('what tells in %j', (text, words) => {
  expect([...tellingWords(text)]).toEqual(words);
});

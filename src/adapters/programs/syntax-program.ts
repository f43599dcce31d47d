// A program of its own, started by the gates: a parser of web-tree-sitter cannot be interrupted, and a hostile text keeps it
// busy for hours or breaks it for good. It reads its questions as lines of JSON and answers each, in order, with a line.
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import type { Language } from '../../domain/language.ts';
import { checkSyntax } from '../../text/syntax/check-syntax.ts';

// A short check would end with waiting for the optimised code of a grammar, which it does not need any more.
setFlagsFromString('--wasm-tiering-budget=50000000');

const questions = (await text(process.stdin)).split('\n').filter((line) => line !== '');
for (const question of questions) {
  const asked = JSON.parse(question) as { language: Language; text: string };
  process.stdout.write(`${JSON.stringify(await checkSyntax(asked.language, asked.text))}\n`);
}

import { expect, it } from 'vitest';
import { isBinary } from './is-binary.ts';

it.each([
  ['a text', 'exports.a = 1;\n', false],
  ['a text with a NUL in a comment', 'exports.a = 1; /* \0 */\nverify(signature);\n', false],
  ['text of two bytes a character', 't\0e\0x\0t\0', true],
  ['an image', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', true],
  ['nothing', '', false],
])('%s', (_, content, expected) => {
  expect(isBinary(Buffer.from(content, 'latin1'))).toBe(expected);
});

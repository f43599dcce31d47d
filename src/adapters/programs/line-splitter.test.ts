import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './line-splitter.ts';

function split(chunks: readonly Buffer[], lineBytes = 1000): [string, boolean][] {
  const lines: [string, boolean][] = [];
  const splitter = createLineSplitter(lineBytes, (line, truncated) => lines.push([line, truncated]));
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return lines;
}

function texts(...chunks: string[]): Buffer[] {
  return chunks.map((chunk) => Buffer.from(chunk));
}

test('lines are the same wherever the chunks are cut, even within a character', () => {
  const line = fc.string({ unit: 'binary' }).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat({ max: 40 })), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const chunks: Buffer[] = [];
      let from = 0;
      for (const size of sizes) {
        chunks.push(bytes.subarray(from, from + size));
        from += size;
      }
      chunks.push(bytes.subarray(from));
      expect(split(chunks)).toEqual(lines.map((text) => [text.toWellFormed(), false]));
    }),
  );
});

test('a carriage return before the line feed is not part of the line', () => {
  expect(split(texts('a\r', '\nb\r\n', 'c'))).toEqual([
    ['a', false],
    ['b', false],
    ['c', false],
  ]);
});

test('a line that is too long is delivered once, cut, and the next one is whole', () => {
  expect(split(texts('12345', '678', '9\nnext\n'), 6)).toEqual([
    ['123456', true],
    ['next', false],
  ]);
});

test('a line of exactly the limit is not cut', () => {
  expect(split(texts('123', '456\n123456\n'), 6)).toEqual([
    ['123456', false],
    ['123456', false],
  ]);
});

test('a cut never leaves half a character', () => {
  expect(split(texts('aaä€€\n'), 6)).toEqual([['aaä', true]]);
});

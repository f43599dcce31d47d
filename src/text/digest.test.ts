import { expect, it } from 'vitest';
import { sha256 } from './digest.ts';

it('is the same for a text and its UTF-8 bytes', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(sha256('ü')).toBe(sha256(Buffer.from('ü')));
});

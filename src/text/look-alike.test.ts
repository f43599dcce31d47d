import { expect, it } from 'vitest';
import { plainName, unseenIn } from './look-alike.ts';

it.each([
  ['of zero width', 'phases\u200b.yaml', ['U+200B']],
  ['that turn the direction of writing', 'a\u202etxt.sh\u2066', ['U+202E', 'U+2066']],
  ['that fill', 'a\u3164b\u00adc', ['U+3164', 'U+00AD']],
  ['that control', 'a\nb\u0085', ['U+000A', 'U+0085']],
  ['that style a letter', 'a\ufe0f.txt', ['U+FE0F']],
  ['that join letters which do not join', 'a\u200db', ['U+200D']],
  ['of the plane for tags', 'a\u{e0041}', ['U+E0041']],
])('characters are named %s', (_, name, codes) => {
  expect(unseenIn(name)).toEqual(codes);
});

it.each([
  'plain name.txt',
  'grüße.md',
  '設計.md',
  '❤\ufe0f.md',
  '👩🏽\u200d💻.md',
  '1\ufe0f\u20e3.md',
  'می\u200cخواهم.md',
])('nothing is unseen in %s', (name) => {
  expect(unseenIn(name)).toEqual([]);
});

it.each([
  ['case', 'README.md', 'readme.MD'],
  ['case of other letters', 'GRÜSSE', 'grüsse'],
  ['composed letters', 'gru\u0308n', 'gr\u00fcn'],
  ['wide letters', 'ｐｈａｓｅｓ.yaml', 'phases.yaml'],
  ['invisible characters', 'phases\u200b.yaml', 'phases.yaml'],
])('names are alike but for their %s', (_, one, other) => {
  expect(one).not.toBe(other);
  expect(plainName(one)).toBe(plainName(other));
});

it('other names are not', () => {
  expect(plainName('grun')).not.toBe(plainName('grün'));
});

import { describe, expect, it } from 'vitest';
import { didYouMean, suggestion } from './did-you-mean.ts';

const KEYS = ['quality_gate', 'depends_on', 'max_retries', 'output', 'input', 'type', 'id', 'timeout'];

describe('didYouMean', () => {
  it.each([
    ['ouput', 'output'],
    ['outptu', 'output'],
    ['dependsOn', 'depends_on'],
    ['Depends-On', 'depends_on'],
    ['qualty_gates', 'quality_gate'],
    ['retries', 'max_retries'],
    ['typ', 'type'],
  ])('takes %s for %s', (word, expected) => {
    expect(didYouMean(word, KEYS)).toBe(expected);
  });

  it.each(['colour', 'x', 'd', '', 'quality_of_life', 'z'.repeat(1000)])('has no guess for "%s"', (word) => {
    expect(didYouMean(word, KEYS)).toBeUndefined();
  });

  it('prefers the nearest candidate', () => {
    expect(didYouMean('phase-21', ['phase-12', 'phase-22', 'phase-20'])).toBe('phase-12');
    expect(didYouMean('tests', ['test', 'testing'])).toBe('test');
  });

  it('lists what is known when nothing is near', () => {
    expect(suggestion('colour', ['size', 'weight'])).toBe('known are: size, weight');
    expect(suggestion('wieght', ['size', 'weight'])).toBe('did you mean "weight"?');
  });
});

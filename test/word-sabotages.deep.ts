import { describe, expect, it } from 'vitest';
import { expectNoticed, runWith } from './planted-bug.ts';
import { WORD_SABOTAGES } from './word-sabotages.ts';

describe.each(WORD_SABOTAGES)('$what', (sabotage) => {
  it('is noticed by the test that is named for it, which passes without it', () => {
    expectNoticed(sabotage);
    const { status, output } = runWith(sabotage, true);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toMatch(/Tests {2}\d+ passed/);
  });
});

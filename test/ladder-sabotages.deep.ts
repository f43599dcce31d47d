import { describe, it } from 'vitest';
import { LADDER_SABOTAGES } from './ladder-sabotages.ts';
import { expectNoticed } from './planted-bug.ts';

describe.each(LADDER_SABOTAGES)('$what', (bug) => {
  it('is noticed by the test that is named for it', () => expectNoticed(bug));
});

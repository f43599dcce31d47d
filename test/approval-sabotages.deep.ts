import { describe, it } from 'vitest';
import { SABOTAGES } from './approval-sabotages.ts';
import { expectNoticed } from './planted-bug.ts';

describe.each(SABOTAGES)('$what', (sabotage) => {
  it('is noticed by the test that is named for it', () => expectNoticed(sabotage));
});

import type { Bug } from '../planted-bug.ts';

/** Words that are kept from somebody who needs them, and the test that notices; `always` are the ones npm test tries. */
export type WordSabotage = Bug & {
  /** What reaches whom, or what is done about it. */
  readonly promise: string;
  readonly always?: boolean;
};

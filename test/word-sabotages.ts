import { ASKED_SABOTAGES } from './word-sabotages/asked.ts';
import { FAILURE_SABOTAGES } from './word-sabotages/failures.ts';
import { JUDGE_SABOTAGES } from './word-sabotages/judges.ts';
import { LADDER_WORD_SABOTAGES } from './word-sabotages/ladder.ts';
import { MEETING_SABOTAGES } from './word-sabotages/meetings.ts';
import { REVIEW_SABOTAGES } from './word-sabotages/reviews.ts';
import type { WordSabotage } from './word-sabotages/sabotage.ts';
import { SCREEN_SABOTAGES } from './word-sabotages/screens.ts';
import { START_SABOTAGES } from './word-sabotages/starts.ts';

/** Everything that is to reach somebody, kept from them one at a time. */
export const WORD_SABOTAGES: readonly WordSabotage[] = [
  ...ASKED_SABOTAGES,
  ...FAILURE_SABOTAGES,
  ...REVIEW_SABOTAGES,
  ...LADDER_WORD_SABOTAGES,
  ...JUDGE_SABOTAGES,
  ...MEETING_SABOTAGES,
  ...START_SABOTAGES,
  ...SCREEN_SABOTAGES,
];

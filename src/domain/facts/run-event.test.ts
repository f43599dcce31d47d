import { expect, it } from 'vitest';
import { sampleStart } from '../../../test/sample-start.ts';
import { EVENTS, EXTERNAL_EVENTS } from './run-event.ts';

it('others may only answer, say something, cancel, and tell people of questions', () => {
  expect([...EXTERNAL_EVENTS].sort()).toEqual([
    'approval_marked',
    'cancel_requested',
    'decision_taken',
    'guidance_given',
    'notification_sent',
  ]);
});

it('the first fact has the form that is promised, and a field nobody knows is refused', () => {
  const { data } = sampleStart('r1');
  expect(EVENTS.run_started.safeParse(data).success).toBe(true);
  expect(EVENTS.run_started.safeParse({ ...data, extra: 1 }).success).toBe(false);
});

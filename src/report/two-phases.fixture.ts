import { accepted, missing, samplePhase, samplePlan, tried, verdict } from '../../test/sample-run.ts';

/** A plan of two phases, the second after the first. */
export const plan = samplePlan([samplePhase('01-first'), samplePhase('02-second', { dependsOn: ['01-first'] })]);

/** The first phase passes. */
export const first = [...tried('01-first', 1, verdict('pass')), accepted('01-first')];

/** The second phase is rejected three times. */
export const stuck = [1, 2, 3].flatMap((attempt) => tried('02-second', attempt, verdict('reject', [missing()])));

import type { WordSabotage } from './sabotage.ts';

const REVIEWS = 'test/review-words.test.ts';
const OUTPUTS = 'src/engine/attempt/review-outputs.ts';

/** What becomes of what reviews find. */
export const REVIEW_SABOTAGES: readonly WordSabotage[] = [
  {
    promise: 'What a review rejects goes back to its author, and the review is not asked again about the same work',
    what: 'a review that is asked again about work it rejected',
    file: 'src/domain/ladder/authors.ts',
    find: "if (!isReview(phase) || at?.current?.stage !== 'judged' || at.current.authors === undefined) return false;",
    plant: "if (!isReview(phase) || at?.current?.stage !== 'judged' || at.status !== 'passed') return false;",
    by: ['src/domain/ladder/authors.test.ts', 'never leads to another reading of the same work'],
    always: true,
  },
  {
    promise: 'What a review finds reaches the author',
    what: 'work that comes back without the findings of the review',
    file: 'src/engine/judge/review-authors.ts',
    find: "if ('unreadable' in review || !review.rejects) return undefined;",
    plant: "if (!('unreadable' in review) || !review) return undefined;",
    by: [REVIEWS, 'what it finds goes to the author'],
  },
  {
    promise: 'Each author is told what concerns its own work',
    what: 'findings that all go to the nearest author',
    file: 'src/engine/judge/review-authors.ts',
    find: "return ({ location }) => owners.get(location?.file ?? '');",
    plant: "return ({ location }) => owners.get(location?.file === undefined ? '' : '');",
    by: [REVIEWS, 'each of two authors is told of its own mistakes only'],
  },
  {
    promise: 'What one review found is kept from the next one',
    what: 'a reviewer who is told what was found before',
    file: 'src/engine/attempt/attempt-brief.ts',
    find: 'verdicts: at?.current?.authors === undefined ? (at?.lastVerdicts ?? []) : [],',
    plant: 'verdicts: at?.lastVerdicts ?? [],',
    by: [REVIEWS, 'a review of what nobody in the run made asks a human'],
  },
  {
    promise: 'A review changes nothing but its outputs',
    what: 'changes of a reviewer that are kept',
    file: OUTPUTS,
    find: 'const strays = changed.filter((path) => !isOutput(path));',
    plant: 'const strays = changed.filter((path) => !isOutput(path) && before === undefined);',
    by: [REVIEWS, 'what else a reviewer changes is dropped with a warning'],
  },
  {
    promise: 'The structured answer of a reviewer is written as review.json by HELIX',
    what: 'an answer that is written nowhere',
    file: OUTPUTS,
    find: 'if (answer === undefined || path === undefined) return tree;',
    plant: 'if (answer !== undefined || path === undefined) return tree;',
    by: [REVIEWS, 'each of two authors is told of its own mistakes only'],
  },
];

import { describe, expect, it } from 'vitest';
import { questionFaults } from './meeting.ts';

const options = [{ answer: 'Yes', recommended: true, reason: 'README' }, { answer: 'No' }];
const coverage = [
  { topic: 'Format', state: 'missing' as const },
  { topic: 'Storage', state: 'clear' as const },
];
const about = (change: object) => ({ topic: 'format ', question: 'Is it CSV?', options, ...change });

describe('questions of a meeting', () => {
  it('may be asked where their topic is not clear, with one recommendation and its reason', () => {
    expect(questionFaults({ coverage, questions: [about({})] }, 1)).toEqual([]);
    expect(questionFaults({ coverage: [], questions: [] }, 5)).toEqual([]);
  });

  it.each([
    [about({ topic: 'Storage' }), 'questions.0: its topic is clear, so there is nothing to ask'],
    [about({ topic: 'Colour' }), 'questions.0: its topic is not in the coverage map'],
    [
      about({ options: options.map(({ answer }) => ({ answer })) }),
      'questions.0: just one option has to be recommended, not 0',
    ],
    [
      about({ options: [...options, { answer: 'Maybe', recommended: true, reason: 'x' }] }),
      'questions.0: just one option has to be recommended, not 2',
    ],
    [
      about({ options: [{ answer: 'Yes', recommended: true, reason: ' ' }, { answer: 'No' }] }),
      'questions.0: the recommended option needs a reason',
    ],
    [about({ options: [...options, { answer: ' yes ' }] }), 'questions.0: two of its options are the same'],
  ])('are refused: %j', (question, fault) => {
    expect(questionFaults({ coverage, questions: [question] }, 5)).toEqual([fault]);
  });

  it('are refused where there are more than may be asked, and where one is asked twice', () => {
    const questions = [about({}), about({ question: 'is it  CSV?' }), about({ question: 'Is it XML?' })];
    expect(questionFaults({ coverage, questions }, 2)).toEqual([
      'there are 3 questions; at most 2 may be asked',
      'questions.1: it is asked twice',
    ]);
  });
});

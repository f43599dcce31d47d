import { expect, it } from 'vitest';
import { loadText, shown } from '../memory-project.fixture.ts';

async function found(fields: string, { mode = 'phase-dirs', gate = '' } = {}): Promise<string[]> {
  const phase = `{ id: a, type: review, quality_gate: { type: review_approved${gate} }, ${fields} }`;
  return shown((await loadText(`workspace: ${mode}\nphases:\n  - ${phase}\n`)).findings);
}

it('a review that is declared beside the one its gate reads is warned of, at its place', async () => {
  expect(await found('output: [review.json]')).toEqual([
    '3:78 warning: phase "a" declares review.json, and its gate review_approved reads output/review.json: these are two files (write "output/review.json" under output, or file: "review.json" in the gate)',
  ]);
  expect(await found('output: { directory: reviews, files: [x.md, ./review.json] }')).toEqual([
    expect.stringMatching(/^3:113 warning: .*declares review\.json, .* reads reviews\/review\.json/),
  ]);
  expect(await found('output: { expected_files: [review.json] }', { gate: ', file: review.json' })).toEqual([
    expect.stringMatching(/^3:115 warning: .*declares output\/review\.json, .* reads review\.json/),
  ]);
  expect(await found('output: [reviews/review.json]', { mode: 'repo' })).toEqual([
    expect.stringMatching(/^3:78 warning: .*declares reviews\/review\.json, .* reads review\.json/),
  ]);
});

it.each([
  'output: [output/review.json]',
  'output: [report.md]',
  'output: [output/**, review.json]',
  'output: { expected_files: [review.json] }',
  'output: { directory: reviews, files: [reviews/review.json] }',
  'output: [review.json, output/review.json]',
])('it is one file in %s', async (output) => {
  expect(await found(output)).toEqual([]);
});

it('it is one file where the gate names it', async () => {
  expect(await found('output: [review.json]', { gate: ', file: ./review.json' })).toEqual([]);
});

import { expect, test } from 'vitest';
import { asked, samplePhase, samplePlan, sampleRun } from '../../../test/sample-run.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { renderQuestion } from './answer.ts';

function run(...facts: NewEvent[]): RunState {
  return sampleRun(samplePlan([samplePhase('a')]), [asked('a'), ...facts]).state;
}

test('a question is shown within the width, without what could harm a terminal', () => {
  const [request] = run().requests.values();
  if (request === undefined) throw new Error('nothing is asked');
  const lines = renderQuestion({ ...request, question: `Really?\u001b[2J ${'long '.repeat(20)}\nAnd?` }, 50);
  expect(lines.every((line) => line.length <= 50)).toBe(true);
  expect(lines.join('\n')).not.toContain('\u001b');
  expect(lines.filter((line) => !/^( {2}|> )/.test(line))).toEqual([lines[0]]);
  expect(lines.slice(-3)).toEqual([
    '> And?',
    '  A  Try again (effort: low; recommended)',
    '  B  Abort the run (effort: none)',
  ]);
});

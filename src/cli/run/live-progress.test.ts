import { expect, it } from 'vitest';
import { samplePhase, samplePlan, sampleRun, started } from '../../../test/sample-run.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import { columns } from '../../report/words/columns.ts';
import type { Terminal } from '../call/terminal.ts';
import { LiveProgress } from './live-progress.ts';

const WIDTH = 80;

it('a line that is longer than the terminal goes on below, for its cost and its reason stand last', () => {
  let said = '';
  const terminal = {
    err: (text: string) => (said += text),
    columns: () => WIDTH,
    paint: (_: string, text: string) => text,
  } as unknown as Terminal;
  const plan = samplePlan([samplePhase('a-phase-with-quite-a-long-name')]);
  const { state, events } = sampleRun(plan, [started('a-phase-with-quite-a-long-name')]);
  const because = 'none of its three attempts passed its gates, and the last of them failed ZEBRA-1';
  const consulted: RunEvent = {
    ...(events.at(-1) as RunEvent),
    type: 'consultation_started',
    data: { phase: 'a-phase-with-quite-a-long-name', purpose: 'decide', agent: 'consultant', because },
  } as RunEvent;
  const progress = new LiveProgress(terminal);
  progress.onEvent(consulted, state);
  progress.close();
  expect(said).toContain('ZEBRA-1');
  expect(said).not.toContain('…');
  expect(said.split('\n').filter((line) => columns(line) >= WIDTH)).toEqual([]);
});

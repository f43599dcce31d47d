import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { Simulation } from '../../domain/run/simulation.fixture.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Files } from '../../ports/files.ts';
import { cutShort } from './cut-short.ts';

const LATER = Date.parse('2026-11-15T00:01:00.000Z');

/** Files that tell when which of them was written last. */
function filesAt(times: Readonly<Record<string, number>>): Files {
  const files: Pick<Files, 'readLines' | 'changedAt'> = {
    readLines: async (path) => (path in times ? ['{"spent":3}'] : []),
    changedAt: async (path) => times[path],
  };
  return files as Files;
}

const paid: Pick<Agent, 'costOf'> = {
  costOf: (lines) => (lines.length > 0 ? { usd: 3, basis: 'reported' } : { basis: 'unknown' }),
};
const agent = async () => paid as Agent;

function askedSimulation(): Simulation {
  const simulation = new Simulation(samplePlan([samplePhase('hard')]), { simulated: false });
  const at = { phase: 'hard', attempt: 3, agent: 'default' };
  const asked = { ...at, consultation: 'c1', purpose: 'decide', because: 'it failed', reserved: 5 } as const;
  simulation.add({ type: 'consultation_started', data: asked });
  const judge = { ...at, approval: 'a1', of: 'code', role: 'reviewer', reservedMs: 1000 } as const;
  simulation.add({ type: 'approval_started', data: judge });
  return simulation;
}

it('a consultant and a judge that nobody waits for any more are cut short, each at what it is known to have cost', async () => {
  const { state, events } = askedSimulation();
  const files = filesAt({
    'phases/hard/escalation/stufe-1/consultations/c1/transcript.jsonl': LATER,
    'approvals/a1/transcript.jsonl': LATER,
  });
  const cut = await cutShort(state, events, { files, agent });
  const common = { phase: 'hard', failure: 'orchestrator', cost: { usd: 3, basis: 'reported' } };
  expect(cut).toMatchObject([
    { type: 'consultation_interrupted', data: { ...common, consultation: 'c1', durationMs: 60_000 } },
    { type: 'approval_interrupted', data: { ...common, approval: 'a1', durationMs: 1000 } },
  ]);
});

it('after that the consultant can be asked again, and nothing was counted', async () => {
  const simulation = askedSimulation();
  const cut = await cutShort(simulation.state, simulation.events, { files: filesAt({}), agent });
  for (const event of cut) simulation.add(event);
  expect(simulation.state.phases.get('hard')).toMatchObject({ asking: [], rung: { interruptions: 0, refusals: 0 } });
  expect(simulation.state.asked.consultant).toBe(0);
});

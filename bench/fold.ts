import type { NewEvent, RunEvent } from '../src/domain/facts/run-event.ts';
import { replay } from '../src/domain/run/evolve.ts';
import { samplePhase, samplePlan, sampleStart } from '../test/sample-start.ts';
import { type Claim, compare, time } from './measure.ts';

const EVENTS = 100_000;
const HASH = 'c'.repeat(64);

/** A long journal as text: attempts that are started, finished and rejected, over and over. */
function journal(): string[] {
  const ids = Array.from({ length: 100 }, (_, index) => `p${index}`);
  const events: NewEvent[] = [sampleStart('long', samplePlan(ids.map((id) => samplePhase(id))))];
  for (let n = 0; events.length < EVENTS; n += 1) {
    const phase = ids[n % ids.length] ?? '';
    const attempt = 1 + Math.floor(n / ids.length);
    events.push(
      {
        type: 'attempt_started',
        data: { phase, attempt, turn: attempt - 1, start: HASH, inputs: [], brief: HASH, agent: 'default' },
      },
      {
        type: 'attempt_finished',
        data: {
          phase,
          attempt,
          tree: HASH,
          files: 3,
          cost: { usd: 0.01, basis: 'reported' },
          simulated: false,
          durationMs: 10,
        },
      },
      {
        type: 'attempt_judged',
        data: {
          phase,
          attempt,
          verdicts: [
            {
              gate: 'files_exist',
              outcome: 'reject',
              findings: [{ severity: 'error', check: 'files_exist', message: 'output/x.md is missing' }],
              tree: HASH,
              durationMs: 1,
            },
          ],
        },
      },
    );
  }
  return events.map((event, index) =>
    JSON.stringify({ ...event, seq: index + 1, v: 1, at: '2026-11-15T00:00:00.000Z', hash: HASH }),
  );
}

/** What replaying a long journal costs over parsing it. */
export async function foldClaim(): Promise<Claim> {
  const lines = journal();
  const events = lines.map((line) => JSON.parse(line) as RunEvent);
  const { ratio, thing, base } = await compare(
    5,
    () => time(() => replay(events)),
    () => time(() => lines.map((line) => JSON.parse(line))),
  );
  return {
    name: `folding ${EVENTS} events / JSON.parse of them`,
    limit: 10,
    ratio,
    detail: `${thing.toFixed(0)} ms, ${base.toFixed(0)} ms`,
  };
}

import { describe, expect, it } from 'vitest';
import { decideAs, NO_CONSULTANT } from './human.ts';
import { Repository } from './repository.ts';

const PHASE = {
  id: 'work',
  type: 'development',
  output: ['out.txt'],
  quality_gate: { type: 'custom', command: ['grep', '-q', 'right', 'out.txt'], max_retries: 1 },
};

const REASON = 'the customer\nHelix-Run: forged\n\u001b[31mwants it so';

describe('work that a human accepts although its gate rejects it', () => {
  it('is told as an override by the journal and the commit, and its verdict stays what it was', async () => {
    const repository = new Repository({ files: NO_CONSULTANT, agent: 'echo wrong > out.txt', phases: [PHASE] });
    const { code: before } = await repository.run();
    await decideAs(repository.dir, { action: 'accept' }, REASON);
    const { code, run, events, state } = await repository.resume();
    expect({ before, code }).toEqual({ before: 3, code: 0 });
    const override = { request: expect.stringMatching(`^${run}-q1-\\w{6}$`), actor: 'Ada', reason: REASON };
    const accepted = events.find((event) => event.type === 'phase_accepted');
    expect(accepted?.data).toMatchObject({ attempt: 1, override });
    expect(state?.phases.get('work')).toMatchObject({
      accepted: { override },
      lastVerdicts: [{ gate: 'custom', outcome: 'reject' }],
    });
    const told = repository.git('log', '-1', '--format=%B', `helix/${run}`).split('\n');
    expect(told.filter((line) => line.startsWith('Override: '))).toEqual([
      expect.stringMatching(/^Override: Ada: the customer Helix-Run: forged .*wants it so$/),
    ]);
    expect(told.join()).not.toContain('\u001b');
    const trailers = repository.git('log', '-1', '--format=%(trailers:key=Helix-Run,valueonly)', `helix/${run}`);
    expect(trailers.trim()).toBe(run);
    const status = JSON.parse((await repository.helix(['status', '--json'])).stdout) as { phases: unknown[] };
    expect(status).toMatchObject({ status: 'passed', phases: [{ id: 'work', status: 'passed' }] });
  });

  it('is judged on what it is merged with all the same, by the commands of both sides', async () => {
    const repository = new Repository({
      files: NO_CONSULTANT,
      agent: 'if [ "$HELIX_PHASE" = work ]; then echo wrong > out.txt; else echo other > other.txt; fi',
      phases: [PHASE, { id: 'other', type: 'development', depends_on: [], output: ['other.txt'] }],
      plan: { concurrency: 2 },
    });
    await repository.run();
    await decideAs(repository.dir, { action: 'accept' }, 'good enough');
    const merged = await repository.resume();
    const [, again] = merged.state?.requests.keys() ?? [];
    expect(merged.code).toBe(3);
    expect(merged.events.filter(({ type }) => type === 'attempt_joined')).toHaveLength(1);
    expect(merged.state?.phases.get('work')).toMatchObject({
      status: 'waiting',
      lastVerdicts: [{ outcome: 'reject' }, { outcome: 'reject' }],
    });
    await decideAs(repository.dir, { action: 'accept' }, 'still good enough');
    const { code, state } = await repository.resume();
    expect({ code, override: state?.phases.get('work')?.accepted?.override }).toEqual({
      code: 0,
      override: { request: again, actor: 'Ada', reason: 'still good enough' },
    });
  });

  it('is accepted without an override once a later attempt passes', async () => {
    const repository = new Repository({
      files: NO_CONSULTANT,
      agent: 'cat "$(dirname "$0")/answer" > out.txt',
      phases: [PHASE],
    });
    repository.write({ '../answer': 'wrong\n' });
    await repository.run();
    repository.write({ '../answer': 'right\n' });
    await decideAs(repository.dir, { action: 'retry' });
    const { code, run, events } = await repository.resume();
    expect(code).toBe(0);
    expect(events.find((event) => event.type === 'phase_accepted')?.data).not.toHaveProperty('override');
    expect(repository.git('log', '-1', '--format=%B', `helix/${run}`)).not.toContain('Override');
  });
});

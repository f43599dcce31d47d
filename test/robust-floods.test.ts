import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { RobustProject } from './robust-project.ts';

const MB = 1024 * 1024;
const projects: RobustProject[] = [];
afterAll(() => {
  for (const project of projects) project.dispose();
});

function flooding(parts: { gate?: Record<string, unknown>; floods?: number }): RobustProject {
  const project = new RobustProject({
    phases: [
      {
        id: 'one',
        type: 'development',
        output: ['output/a.txt'],
        ...(parts.gate && { quality_gate: { type: 'custom', ...parts.gate } }),
      },
    ],
    script: { one: [{ floods: parts.floods ?? 0, writes: { 'output/a.txt': 'a' } }] },
  });
  projects.push(project);
  return project;
}

function transcriptSizes({ dir }: RobustProject): number[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('transcript.jsonl'))
    .map((path) => statSync(join(dir, path)).size);
}

describe.concurrent('a flood of output', () => {
  it('by an agent of 700 MB is cut off at 64 MB each time, then a human is asked', async ({ expect }) => {
    const project = flooding({ floods: 700 });
    const { code, peakMb, stderr } = await project.helix(['run']);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('output_limit: more than') });
    expect(peakMb).toBeLessThan(250);
    const { facts } = await project.journaled();
    expect(facts.filter((fact) => fact === 'attempt_interrupted one#1 output_limit')).toHaveLength(5);
    expect(transcriptSizes(project)).toHaveLength(5);
    expect(Math.max(...transcriptSizes(project))).toBeLessThan(65 * MB);
  });

  it('of an agent that stays below the limit is kept whole, line by line, and the work is judged', async ({
    expect,
  }) => {
    const project = flooding({ floods: 20 });
    const { code, peakMb } = await project.helix(['run']);
    expect(code).toBe(0);
    expect(peakMb).toBeLessThan(250);
    expect(transcriptSizes(project)).toEqual([20 * MB + 1]);
  });

  it.for([
    { what: 'endless short lines', gate: { command: ['yes'] } },
    { what: 'endless short lines as findings', gate: { command: ['yes'], findings: 'json' } },
    { what: '600 MB without a line end', gate: { command: ['head', '-c', '600M', '/dev/zero'] } },
    { what: '600 MB of findings without a line end', gate: { command: 'head -c 600M /dev/zero', findings: 'sarif' } },
    { what: 'endless errors', gate: { command: 'yes >&2' } },
  ])('by a gate with $what is no opinion: it is cut off, then a human is asked', async ({ gate }, { expect }) => {
    const project = flooding({ gate });
    const { code, peakMb } = await project.helix(['run', '--trust']);
    expect(code).toBe(3);
    expect(peakMb).toBeLessThan(250);
    const { facts } = await project.journaled();
    expect(facts.filter((fact) => fact === 'judging_interrupted one#1 output_limit')).toHaveLength(5);
    expect(facts.filter((fact) => fact.startsWith('attempt_judged'))).toEqual([]);
    expect(await project.left()).toEqual([]);
  });

  it('below the limit does not keep a gate from its verdict', async ({ expect }) => {
    const loud = flooding({ gate: { command: 'head -c 50M /dev/zero | tr "\\0" x; exit 0' } });
    const long = flooding({
      gate: {
        command: `printf '['; for n in $(seq 20000); do printf '{"severity":"info","message":"%0100d"},' 7; done; printf '{"severity":"info","message":"last"}]'`,
        findings: 'json',
      },
    });
    const [first, second] = await Promise.all([loud.helix(['run', '--trust']), long.helix(['run', '--trust'])]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(Math.max(first.peakMb, second.peakMb)).toBeLessThan(250);
    const { state } = await long.journaled();
    expect(state.phases.get('one')?.lastVerdicts[0]?.findings.at(-1)?.message).toContain('and 19801 more findings');
  });
});

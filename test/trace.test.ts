import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { SummaryDocument } from '../src/domain/documents/documents.ts';
import { helix } from './helix-process.ts';
import { scratch } from './scratch.ts';

const SPEC = stringify({
  goal: 'A greeting',
  acceptance_criteria: [
    { id: 'C1', text: 'greet.txt says "hello"' },
    { id: 'C2', text: 'greet.txt ends in a newline' },
  ],
});
const SETTINGS = { agents: { default: { driver: 'scripted' } }, allow_simulated: true };

function project(phases: readonly object[], files: Record<string, string>): string {
  const plan = { project: { name: 'traced', description: 'Say hello' }, workspace: 'phase-dirs', phases };
  return scratch({ 'phases.yaml': stringify(plan), 'helix.yaml': stringify(SETTINGS), ...files });
}

const BUILD = { id: 'build', type: 'development', output: ['greet.txt'] };
const named = (criteria: readonly string[]) => ({ quality_gate: { type: 'files_exist', criteria } });
const written = { phases: { build: [{ writes: { 'greet.txt': 'hello\n' } }] } };

it('a criterion of spec.yaml that no gate and no judge looks at is a warning of the plan, and so is a gate for one there is not', async () => {
  const dir = project([{ ...BUILD, ...named(['C1', 'C9']) }], { 'spec.yaml': SPEC });
  const { code, stdout } = await helix(['plan', '--json'], { cwd: dir });
  const { findings } = JSON.parse(stdout) as { findings: { severity: string; check: string; message: string }[] };
  expect(code).toBe(0);
  expect(findings.map(({ severity, check, message }) => `${severity} ${check}: ${message}`)).toEqual([
    'warning uncovered-criterion: no gate or judge looks at C2 of spec.yaml',
    'warning unknown-criterion: the gate files_exist of "build" names C9, which is no criterion of spec.yaml',
  ]);
  const judged = project([{ ...BUILD, ...named(['C1']), verify_agent: true }], { 'spec.yaml': SPEC });
  expect(JSON.parse((await helix(['plan', '--json'], { cwd: judged })).stdout)).toMatchObject({ findings: [] });
});

it('what nothing has proven at the end is a finding of the result, on the terminal and in its summary', async () => {
  const dir = project([{ ...BUILD, ...named(['C1']) }], { 'spec.yaml': SPEC, 'scripted.yaml': stringify(written) });
  const { code, stdout, stderr } = await helix(['run', '--trust', '--no-wait'], { cwd: dir });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('not proven: C2: nothing shows that it is met: greet.txt ends in a newline');
  expect(stdout).toMatch(/see all: helix status \S+ --trace/);
  const [run = ''] = readdirSync(join(dir, '.helix/runs'));
  const summary = SummaryDocument.parse(
    JSON.parse(readFileSync(join(dir, '.helix/runs', run, 'final/summary.json'), 'utf8')),
  );
  expect(summary.findings?.map(({ check, message }) => [check, message.slice(0, 3)])).toEqual([
    ['unproven-criterion', 'C2:'],
  ]);
  const trace = await helix(['status', '--trace'], { cwd: dir });
  expect(trace.stdout).toMatch(
    /✔ C1 .*\n +build: gate files_exist has passed\n +\? C2 .*\n +nothing: no gate names it/,
  );
});

const MEETING = {
  ...{ id: 'agree', type: 'meeting' },
  output: ['output/spec.yaml', 'output/phases.yaml', 'output/quality-gates.yaml'],
};
const grown = (criteria: readonly string[]) => ({
  'output/spec.yaml': SPEC,
  'output/phases.yaml': stringify({ phases: [{ ...BUILD, description: 'Write greet.txt' }] }),
  'output/quality-gates.yaml': stringify({ gates: [{ id: 'g', type: 'files_exist', phase: 'build', criteria }] }),
});

it('of a plan that a meeting writes, a criterion that no phase owns goes back to its author', async () => {
  const script = { phases: { agree: [{ writes: grown(['C1']) }, { writes: grown(['C1', 'C2']) }], ...written.phases } };
  const dir = project([MEETING, BUILD], { 'scripted.yaml': stringify(script) });
  const { code, stderr, stdout } = await helix(['run', '--trust', '--no-wait'], { cwd: dir });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('no phase owns C2 of spec.yaml, and others are owned');
  expect(stdout).not.toContain('not proven');
  expect((await helix(['status', '--trace'], { cwd: dir })).stdout).toContain('Criteria  2 of 2 proven');
});

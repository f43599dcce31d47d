import { expect, it } from 'vitest';
import { loadText, shown } from './memory-project.fixture.ts';

const FILE = 'config/phase-types.yaml';
const TYPES = `phase_types:
  hardware-test:
    description: Flash the board and watch it start
    default_gates: [files_exist, syntax_check]
    output_pattern: reports/*.json
    timeout: 120
    tools_required: [serial]
  documentation:
    default_gates: [syntax_check]
`;
const plan = (phases: string, types = TYPES) => loadText(`phases:\n${phases}`, { [FILE]: types });
const BOARD = '  - { id: board, type: hardware-test }\n';

it("a type of the project's own is a phase with what the type says", async () => {
  const loaded = await plan(BOARD);
  expect(shown(loaded.findings)).toEqual([]);
  expect(loaded.phases).toMatchObject([{ id: 'board', type: 'hardware-test', gates: ['files_exist', 'syntax_check'] }]);
  expect(loaded.plan?.phases[0]).toMatchObject({
    ...{ type: 'development', ownType: { name: 'hardware-test', description: 'Flash the board and watch it start' } },
    ...{ timeoutSeconds: 120, output: { files: ['reports/*.json'] }, config: { tools: ['serial'] } },
  });
});

it.each([
  ['default_gates', 'default_gates: [files_exist, syntax_check]', { gates: [{ type: 'files_exist' }] }],
  ['output_pattern', 'output_pattern: reports/*.json', { output: { files: [] } }],
  ['tools_required', 'tools_required: [serial]', { config: {} }],
  ['description', 'description: Flash the board and watch it start', { ownType: { name: 'hardware-test' } }],
])('without %s the phase is another one', async (_key, line, expected) => {
  const { plan: changed } = await plan(BOARD, TYPES.replace(`    ${line}\n`, ''));
  const { plan: whole } = await plan(BOARD);
  expect(changed?.phases[0]).toMatchObject(expected);
  expect(changed?.phases[0]).not.toEqual(whole?.phases[0]);
});

it('without its timeout a phase has that of all phases', async () => {
  const { plan: changed } = await plan(BOARD, TYPES.replace('    timeout: 120\n', ''));
  expect(changed?.phases[0]?.timeoutSeconds).not.toBe(120);
});

it('what the phase says itself goes first, and a type HELIX has stays what it is', async () => {
  const own = '{ output: [a.txt], timeout: 7, config: { tools: [rg] }, quality_gate: { type: files_exist } }';
  const { plan: made } = await plan(
    `  - ${own.replace('{', '{ id: board, type: hardware-test,')}\n  - { id: docs, type: documentation }\n`,
  );
  expect(made?.phases[0]).toMatchObject({ output: { files: ['a.txt'] }, timeoutSeconds: 7, config: { tools: ['rg'] } });
  expect(made?.phases[0]?.gates.map(({ type }) => type)).toEqual(['files_exist']);
  expect(made?.phases[1]).toMatchObject({ type: 'documentation', gates: [{ type: 'syntax_check' }] });
  expect(made?.phases[1]?.ownType).toBeUndefined();
});

it('a type nobody describes is an error, and so is what is wrong in the file, each with its place', async () => {
  expect(shown((await plan('  - { id: a, type: hardwre-test }\n')).findings)).toEqual([
    '2:20 error: unknown phase type "hardwre-test" (did you mean "hardware-test"?)',
  ]);
  const wrong = 'phase_types:\n  x: { default_gate: [a] }\n  "../y": { timeout: 1 }\n';
  expect(shown((await plan(BOARD, `${TYPES}${wrong.slice(13)}`)).findings)).toEqual([
    expect.stringContaining(`${FILE}:10:`),
    expect.stringContaining(`${FILE}:11:`),
  ]);
  const [unknown] = shown((await plan(BOARD, TYPES.replace('syntax_check]', 'lint_pass]'))).findings);
  expect(unknown).toMatch(/error: .*lint_pass/);
});

it('what has another place in HELIX is told', async () => {
  const found = shown((await plan(BOARD, `${TYPES}    can_decompose: true\nretry: { max_retries: 2 }\n`)).findings);
  expect(found).toEqual([
    expect.stringContaining('warning: "can_decompose" has no effect'),
    expect.stringContaining('warning: "retry" has no effect'),
  ]);
});

import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { GATE_SETTINGS } from '../../domain/plan/gate.ts';
import { HelixFile } from '../../domain/plan/helix-file.ts';
import { PhaseEntry, PhasesFile } from '../../domain/plan/phases-file.ts';
import { loadFiles, loadText, memoryProject, shown } from '../memory-project.fixture.ts';

const MARK = '«';

/** Loads a plan and gives its findings. In a test's text « stands where a finding is expected. */
async function found(text: string, files: Record<string, string> = {}): Promise<string[]> {
  const { findings, plan } = await loadText(text.replaceAll(MARK, ''), files);
  expect(plan === undefined).toBe(hasError(findings));
  return shown(findings);
}

/** The places of the marks as `line:column`. */
function marks(text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = [...line.matchAll(/«/g)].map((match, before) => match.index - before + 1);
    return columns.map((column) => `${index + 1}:${column}`);
  });
}

/** Checks that the marked text has exactly these findings, at the marks. */
async function expectFindings(
  text: string,
  expected: readonly (string | RegExp)[],
  files: Record<string, string> = {},
): Promise<void> {
  const lines = await found(text, files);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(marks(text));
  const messages = lines.map((line) => line.replace(/^\S+ /, ''));
  expect(messages).toEqual(expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))));
}

const plan = (...phases: string[]) => `phases:\n${phases.map((phase) => `  - { ${phase} }\n`).join('')}`;
const gate = (settings: string) => plan(`id: a, type: test, quality_gate: ${settings}`);
const ID_HINT = '(use letters, digits, - and _, at most 64, the first one a letter or digit)';
const GATE_HINT = '(write it as { type: files_exist }, or as a list of such gates)';

describe('what is not written right', () => {
  it.each<[string, string, string | RegExp]>([
    ['an empty file', '«', 'error: the file is empty (list the phases under "phases:")'],
    ['a list', '«- id: a', 'error: a plan must be a map with the key "phases" (list the phases under "phases:")'],
    ['no phases', '«name: x', 'error: "phases" is missing (list the phases below it, each starting with "- id:")'],
    ['no phase', 'phases: «[]', /^error: "phases" must be a list with at least one phase \(/],
    ['a phase that is text', 'phases: [«a]', 'error: a phase must be a map (start it with "- id:")'],
    ['no id', 'phases:\n  - «{ type: test }', `error: "id" is missing ${ID_HINT}`],
    ['an id that is a path', plan('id: «../../x, type: test'), `error: "id" cannot be "../../x" ${ID_HINT}`],
    ['no type', 'phases:\n  - «id: a', /^error: "type" is missing \(one of: meeting, /],
    [
      'a phase type',
      plan('id: a, type: «developmnt'),
      'error: unknown phase type "developmnt" (did you mean "development"?)',
    ],
    ['a gate type', gate('{ type: «test_pass }'), 'error: unknown gate type "test_pass" (did you mean "tests_pass"?)'],
    ['a gate type like a method', gate('{ type: «constructor }'), /^error: unknown gate type "constructor"/],
    [
      'a setting of another gate',
      gate('{ type: files_exist, «command: [npm] }'),
      /^error: unknown key "command" \(known are: type, /,
    ],
    ['a setting without a gate type', gate('{ «command: [npm] }'), /^error: unknown key "command" \(known are: type, /],
    [
      'a gate that is text',
      gate('«tests_pass'),
      `error: "quality_gate" must be a map or a list, not text ${GATE_HINT}`,
    ],
    ['no gate in the list', gate('«[]'), `error: "quality_gate" must not be empty ${GATE_HINT}`],
    [
      'no file in the list',
      gate('{ type: files_exist, files: «[] }'),
      /^error: a gate over an empty list of files would let anything pass \(/,
    ],
    [
      'text for a number',
      plan('id: a, type: test, max_retries: «three'),
      'error: "max_retries" must be a number, not text (write a number such as 3)',
    ],
    [
      'a number too small',
      plan('id: a, type: test, max_retries: «0'),
      'error: "max_retries" must be at least 1 (change the value)',
    ],
    [
      'a number too big',
      plan('id: a, type: test, timeout: «1e9'),
      'error: "timeout" must be at most 604800 (change the value)',
    ],
    [
      'a fraction',
      plan('id: a, type: test, max_retries: «1.5'),
      'error: "max_retries" must be a whole number, not 1.5 (write a whole number such as 3)',
    ],
    [
      'a key without a value',
      'phases:\n  - id: a\n    type: test\n    config:«\n',
      'error: "config" has no value (give it one, or remove the key)',
    ],
    [
      'text for a list',
      plan('id: a, type: test, output: «out.md'),
      'error: "output" must be a list or a map, not text (write it as [first, second])',
    ],
    [
      'a list in a list',
      plan('id: a, type: test, output: [x, «[y]]'),
      'error: an entry of "output" must be text, not a list (write text, in quotes where in doubt)',
    ],
    [
      'a workspace',
      `workspace: «phase-dir\n${plan('id: a, type: test')}`,
      'error: unknown workspace "phase-dir" (did you mean "phase-dirs"?)',
    ],
    [
      'a word where true would do',
      gate('{ type: adr_complete, semantic: «maybe }'),
      'error: unknown semantic "maybe" (known are: auto, true, false)',
    ],
    [
      'an action',
      plan('id: z, type: test', 'id: a, type: approval, approval_type: adr, on_rejection: { action: «retry }'),
      'error: unknown action "retry" (did you mean "retry_phase"?)',
    ],
    [
      'a project type',
      `project: { type: «featur }\n${plan('id: a, type: test')}`,
      'error: unknown project type "featur" (did you mean "feature"?)',
    ],
    [
      "a project type of one's own",
      `project_type: «internal\n${plan('id: a, type: test')}`,
      /^warning: unknown project type "internal"/,
    ],
    ['broken YAML', 'phases:\n  - id: a\n«   type: test\n', /^error: .*\(.+\)$/],
    ['an alias', `x-a: «&a 1\n${plan('id: a, type: test, max_retries: *a')}`, /^error: anchors and aliases/],
  ])('%s', async (_, text, expected) => {
    await expectFindings(text, [expected]);
  });

  it.each(Object.keys(PhasesFile.shape))('a misspelt %s at the top is recognised', async (key) => {
    const text = `${key}x: 1\n${key === 'phases' ? '' : plan('id: a, type: test')}`;
    expect(await found(text)).toContain(`1:1 error: unknown key "${key}x" (did you mean "${key}"?)`);
  });

  it.each(Object.keys(PhaseEntry.shape))('a misspelt %s of a phase is recognised', async (key) => {
    const rest = ['id: a', 'type: test'].filter((pair) => !pair.startsWith(`${key}:`));
    const lines = await found(plan([`${key}x: 1`, ...rest].join(', ')));
    expect(lines).toContain(`2:7 error: unknown key "${key}x" (did you mean "${key}"?)`);
  });

  const settings = Object.entries(GATE_SETTINGS).flatMap(([type, { shape }]) =>
    Object.keys(shape).map((key) => [type, key]),
  );
  it.each(settings)('of the gate %s a misspelt %s is recognised', async (type, key) => {
    const lines = await found(gate(`{ ${key}x: 1, type: ${type} }`));
    expect(lines).toContainEqual(
      expect.stringMatching(`^2:42 error: unknown key "${key}x" \\(did you mean "${key}s?"`),
    );
  });

  it.each(Object.keys(HelixFile.shape))('a misspelt %s of helix.yaml is recognised', async (key) => {
    const lines = await found(plan('id: a, type: test'), { 'helix.yaml': `${key}x: 1\n` });
    expect(lines).toEqual([`helix.yaml:1:1 error: unknown key "${key}x" (did you mean "${key}"?)`]);
  });

  it('all of it is told at once, in the order of the lines', async () => {
    const phases = ['id: a, type: «tets, «outputs: []', 'id: b, depends_on: «c, type: test, budget: { usd: «-1 }'];
    await expectFindings(`«workspac: repo\n${plan(...phases)}`, [
      'error: unknown key "workspac" (did you mean "workspace"?)',
      'error: unknown phase type "tets" (did you mean "test"?)',
      'error: unknown key "outputs" (did you mean "output"?)',
      'error: there is no phase "c" (known are: a, b)',
      'error: "usd" must be at least 0 (change the value)',
    ]);
  });

  it("keys that start with x- are the user's own, everywhere", async () => {
    const phase = 'id: a, type: test, x-b: 1, config: { x-c: 1 }, quality_gate: { x-d: 1, type: files_exist }';
    const text = `x-note: 1\nproject: { x-a: 1 }\n${plan(phase)}`;
    const loaded = await loadText(text, { 'helix.yaml': 'x-e: 1\nagents: { x-f: { driver: codex } }\n' });
    expect(loaded.findings).toEqual([]);
    expect(loaded.plan?.phases[0]?.gates[0]?.settings).toEqual({});
    expect(loaded.agents).toHaveProperty('x-f');
  });
});

describe('the graph of phases', () => {
  const approval = 'type: approval, approval_type: adr, on_rejection: ';
  it.each<[string, string[], string]>([
    [
      'the same id twice',
      ['id: a, type: test', 'id: «a, type: test'],
      'the id "a" is already used in line 2 (give every phase an id of its own)',
    ],
    [
      'ids that differ in case only',
      ['id: a, type: test', 'id: «A, type: test'],
      'the id "A" is too similar to "a" in line 2 (give every phase an id of its own)',
    ],
    [
      'an unknown dependency',
      ['id: alpha, type: test', 'id: b, type: test, depends_on: [«alpa]'],
      'there is no phase "alpa" (did you mean "alpha"?)',
    ],
    ['a phase that waits for itself', ['id: a, type: test, depends_on: «a'], 'phase "a" depends on itself (remove it)'],
    [
      'a circle',
      ['id: a, type: test, depends_on: «c', 'id: b, type: test', 'id: c, type: test'],
      'these phases wait for each other: a -> c -> b -> a (remove one of the dependencies; each arrow means "depends on")',
    ],
    [
      'input from an unknown phase',
      ['id: ab, type: test', 'id: b, type: test, input: { from_phase: «abb }'],
      'there is no phase "abb" (did you mean "ab"?)',
    ],
    [
      'input from a later phase',
      ['id: a, type: test, input: { from_phase: «b }', 'id: b, type: test'],
      '"b" is not finished before phase "a" starts (add it to depends_on of "a")',
    ],
    [
      'input from a phase beside it',
      [
        'id: a, type: test',
        'id: b, type: test, depends_on: []',
        'id: c, type: test, depends_on: b, input: { from_phase: «a }',
      ],
      '"a" is not finished before phase "c" starts (add it to depends_on of "c")',
    ],
    [
      'a rejection that goes nowhere',
      ['id: dev, type: test', `id: b, ${approval}{ action: retry_phase, target_phase: «dve }`],
      'there is no phase "dve" (did you mean "dev"?)',
    ],
    [
      'a rejection that goes forward',
      ['id: z, type: test', `id: a, ${approval}{ action: retry_phase, target_phase: «b }`, 'id: b, type: test'],
      '"b" is not an earlier phase that "a" depends on (name a phase whose work this approval judges)',
    ],
    [
      'a rejection that could go to two phases',
      ['id: a, type: test', 'id: b, type: test', `id: c, depends_on: [a, b], ${approval}«{ action: retry_phase }`],
      '"target_phase" is missing, and it is not clear which phase to repeat (name the phase that gets the feedback)',
    ],
  ])('%s', async (_, phases, expected) => {
    await expectFindings(plan(...phases), [`error: ${expected}`]);
  });

  it('names every circle', async () => {
    const pairs = ['id: a, type: test, depends_on: «b', 'id: b, type: test, depends_on: a'];
    const more = ['id: c, type: test, dependencies: «[d]', 'id: d, type: test, depends_on: [c, a]'];
    await expectFindings(plan(...pairs, ...more), [/: a -> b -> a \(/, /: c -> d -> c \(/]);
  });
});

describe('paths', () => {
  it.each([
    ['output: [«../x]', '../x', 'leaves its directory'],
    ['output: { files: [«/x] }', '/x', 'is absolute; write it relative'],
    ['output: { directory: «../x }', '../x', 'leaves its directory'],
    ['output: { expected_files: [«"a\\0b"] }', 'ab', 'contains a control character'],
    ['input: [«~/x]', '~/x', 'starts with ~; write it relative'],
    ['input: { files: [«"C:/x"] }', 'C:/x', 'starts with a drive letter; write it relative'],
    ['template: «../x', '../x', 'leaves its directory'],
    ['config: { template: «../x }', '../x', 'leaves its directory'],
    ['config: { skills: [«../x] }', '../x', 'leaves its directory'],
    ['phase_config: { phase_template: «../x }', '../x', 'leaves its directory'],
    [
      'quality_gate: { type: files_exist, files: [«"a\\\\b"] }',
      'a\\b',
      'contains a backslash; separate folders with /',
    ],
    ['quality_gate: { type: review_approved, file: «/x }', '/x', 'is absolute; write it relative'],
    ['quality_gate: { type: adr_complete, concept: «../c.md }', '../c.md', 'leaves its directory'],
    ['quality_gate: { type: adr_valid, rules: «../r }', '../r', 'leaves its directory'],
    ['quality_gate: [{ type: approval_passed, result_file: «../r }]', '../r', 'leaves its directory'],
    [
      'output: [«"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"]',
      '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
      'has more than 64 alternatives',
    ],
  ])('%s', async (field, path, reason) => {
    const hint = '(paths are relative to the project; for a file of another phase use from_phase)';
    await expectFindings(plan(`id: a, type: test, ${field}`), [`error: the path "${path}" ${reason} ${hint}`]);
  });

  it('of the workspace, too', async () => {
    const text = `workspace: { copy: [«../.env], cache: [«/tmp] }\nprotected: [«../x]\n${plan('id: a, type: test')}`;
    await expectFindings(text, [/"..\/.env" leaves/, /"\/tmp" is absolute/, /"..\/x" leaves/]);
  });
});

describe('rule files of ADR gates', () => {
  const gate = (rules: string) =>
    plan(`id: a, type: consultant, quality_gate: { type: adr_complete, rules: ${rules} }`);

  it('must exist', async () => {
    await expectFindings(gate('«config/none.yaml'), [/^error: the rules config\/none.yaml do not exist/]);
  });

  it('are checked before the first agent starts, the default one too', async () => {
    const broken =
      'contextual_rules:\n  - id: x\n    name: x\n    when: { change_scop: major }\n    require: {}\n    message: x\n';
    const named = await loadText(gate('own.yaml'), { 'own.yaml': broken });
    expect(named.findings.map(({ location }) => `${location?.file}:${location?.line}`)).toContain('own.yaml:4');
    expect(named.plan).toBeUndefined();
    const path = 'config/adr-completeness-rules.yaml';
    const found = await loadText(plan('id: a, type: consultant, quality_gate: { type: adr_valid }'), {
      [path]: broken,
    });
    expect(found.findings[0]?.location?.file).toBe(path);
  });
});

describe('the concept of an ADR gate', () => {
  const adr = (concept: string) =>
    `id: adr, type: documentation, output: [docs/adr/001.md], quality_gate: { type: adr_complete, concept: ${concept} }`;

  it('must be there by then', async () => {
    await expectFindings(plan(adr('«docs/nope.md')), [
      /^error: no phase writes the concept "docs\/nope.md" by then, and the project does not have it/,
    ]);
    const later = 'id: later, type: planning, depends_on: [adr], output: [docs/nope.md]';
    await expectFindings(plan(adr('«docs/nope.md'), later), [/^error: no phase writes the concept/]);
  });

  it('may lie in the project or be written before or by the phase itself', async () => {
    expect(await found(plan(adr('docs/concept.md')), { 'docs/concept.md': '# C' })).toEqual([]);
    const before = 'id: before, type: planning, output: [docs/concept.md]';
    expect(await found(plan(before, adr('docs/concept.md')))).toEqual([]);
    expect(await found(plan(adr('docs/adr/001.md')))).toEqual([]);
  });
});

describe('inputs', () => {
  const dev = 'id: dev, type: development, output: [out/spec.md, "src/*.py"]';
  const nobody = (path: string) => `error: no earlier phase writes "${path}", and the project does not have it`;
  const NO_IDEA = '(declare it as an output of an earlier phase, or put it into the project)';
  const uncertain = (path: string, phase: string) =>
    `warning: "${path}" may be missing when phase "${phase}" starts: no earlier phase declares it (list it under output of the phase that writes it)`;

  it.each([
    ['a declared file', 'out/spec.md'],
    ['a file a declared pattern covers', 'src/main.py'],
    ['a pattern that finds a declared file', 'out/*'],
    ['a file of the project', 'README.md'],
    ['a pattern that finds a file of the project', '*.md'],
  ])('%s is fine', async (_, input) => {
    await expectFindings(plan(dev, `id: b, type: test, input: ["${input}"]`), [], { 'README.md': '' });
  });

  it.each([
    ['a file nobody writes', 'out/spce.md', `${nobody('out/spce.md')} (did you mean "out/spec.md"?)`],
    [
      'a file of a later phase',
      'late.md',
      `${nobody('late.md')} (phase "c" writes it, so this one must wait for it: add it to depends_on)`,
    ],
    ['a directory', 'docs', `${nobody('docs')} ("docs" is a directory; write "docs/**" for all files in it)`],
    ['a pattern that may find nothing', 'src/x*.py', uncertain('src/x*.py', 'b')],
  ])('%s is reported', async (_, input, expected) => {
    const text = plan(dev, `id: b, type: test, input: [«"${input}"]`, 'id: c, type: test, output: [late.md]');
    await expectFindings(text, [expected], { 'docs/a.md': '' });
  });

  it('a phase that declares nothing may write anything, so that is a warning', async () => {
    await expectFindings(plan('id: a, type: test', 'id: b, type: test, input: [«x.md]'), [uncertain('x.md', 'b')]);
  });

  it('the first phase can only be given what the project has', async () => {
    await expectFindings(plan('id: a, type: test, input: [«x.md]'), [`${nobody('x.md')} ${NO_IDEA}`]);
    await expectFindings(plan('id: a, type: test, input: [x.md]'), [], { 'x.md': '' });
  });

  it('an approval phase writes nothing but what it declares', async () => {
    const approval = 'id: a, type: approval, approval_type: adr, input: [in.md], output: [result.json]';
    const text = plan(approval, 'id: b, type: test, input: [result.json, «other.txt]');
    await expectFindings(text, [`${nobody('other.txt')} ${NO_IDEA}`], { 'in.md': '' });
    const silent = 'id: a, type: approval, approval_type: adr, input: [in.md]';
    await expectFindings(plan(silent, 'id: b, type: test, input: [«x.md]'), [`${nobody('x.md')} ${NO_IDEA}`], {
      'in.md': '',
    });
  });

  it('the phases a phase generates may write anything', async () => {
    const source = 'id: a, type: planning, generates_phases: true, output: [phases.md]';
    await expectFindings(plan(source, 'id: b, type: test, input: [«x.md]'), [uncertain('x.md', 'b')]);
  });

  it('a file that cannot be used is no input', async () => {
    const match = async () => {
      throw new HelixError('io', 'x.md leads out of the project, to /etc/passwd');
    };
    const files = {
      'phases.yaml': plan('id: a, type: test, input: [x.md], quality_gate: { type: custom, command: [./x] }'),
    };
    const { findings } = await loadFiles(files, {}, { ...memoryProject(files), match });
    expect(shown(findings)).toEqual([`2:34 error: x.md leads out of the project, to /etc/passwd ${NO_IDEA}`]);
  });

  it.each([
    ['its outputs, however they are named, and its own inputs', 'src/main.py, main.py, spec.md', []],
    ['maybe something else in its output directory', '«src/util.py', [uncertain('src/util.py', 'c')]],
    ['nothing from elsewhere', '«lib/x.py', [`${nobody('lib/x.py')} ${NO_IDEA}`]],
  ])('from a phase come %s', async (_, files, expected) => {
    const source = 'id: b, type: development, input: [spec.md], output: { directory: src, expected_files: [main.py] }';
    const text = plan(source, `id: c, type: test, input: { from_phase: b, files: [${files}] }`);
    await expectFindings(text, expected, { 'spec.md': '' });
  });
});

it('a long chain that names no input is warned about, and one that does is not', async () => {
  const chain = (input: string) =>
    [
      'phases:',
      ...Array.from({ length: 130 }, (_, n) => `  - { id: p${n}, type: test, output: [o/x]${n === 0 ? '' : input} }`),
    ].join('\n');
  const crowded = ({ findings }: { findings: readonly { check: string }[] }) =>
    findings.filter(({ check }) => check === 'crowded-input').length;
  expect(crowded(await loadText(chain('')))).toBe(1);
  expect(crowded(await loadText(chain(', input: [o/x]')))).toBe(0);
});

describe('commands', () => {
  const custom = (command: string) =>
    plan(`id: a, type: test, output: [made.sh], quality_gate: { type: custom, command: ${command} }`);
  const files = { 'run.sh': '' };

  it.each(['[npm, test]', '[./run.sh]', '[./made.sh]', '"npm test && true"'])('%s is fine', async (command) => {
    await expectFindings(custom(command), [], files);
  });

  it.each([
    ['[«nmp, test]', 'the program "nmp" was not found (install it, or mend the name)'],
    [
      '[«npm test]',
      'the program "npm test" was not found (write program and arguments as separate entries: [npm, test])',
    ],
    ['[«./rnu.sh]', 'the program "./rnu.sh" was not found (install it, or mend the name)'],
    ['[«../run.sh]', 'the path "../run.sh" leaves its directory (use a program of the project or of the system)'],
    ['«"  "', 'the command is empty (name a program)'],
    ['«[]', '"command" must not be empty (write it as a list: [npm, test])'],
  ])('%s is reported', async (command, expected) => {
    await expectFindings(custom(command), [`error: ${expected}`], files);
  });

  it('of set-up and rollback are looked for, and set-up may install those of gates', async () => {
    const vitest = 'quality_gate: { type: tests_pass, command: [node_modules/.bin/vitest] }';
    const text = `workspace: { setup: [[«pnpm, i], [npm, ci]] }\n${plan(`id: a, type: deploy, rollback: [«undo], ${vitest}`)}`;
    await expectFindings(text, [/program "pnpm" was not found/, /program "undo" was not found/]);
  });

  it('may be installed by set-up, into a folder that is kept', async () => {
    const commands = '[[npm, ci], [.venv/bin/pip, install], [«.other/bin/pip, install]]';
    const text = `workspace: { setup: ${commands}, cache: [.venv] }\n${plan('id: a, type: test')}`;
    await expectFindings(text, [/program "\.other\/bin\/pip" was not found/]);
  });

  it('of a phase in its own directory are looked for there, too', async () => {
    const text =
      'workspace: phase-dirs\nphases: [{ id: a, type: test, quality_gate: { type: custom, command: [./run.sh] } }]';
    await expectFindings(text, [], { 'phases/a/run.sh': '' });
    await expectFindings(text.replace('./run', '«./run'), [/"\.\/run.sh" was not found/], { 'phases/b/run.sh': '' });
  });

  it('of agents are a warning, because a run may use another agent', async () => {
    const settings = 'agents:\n  mine: { driver: command, command: [nobody] }\n  acp: { driver: acp }\n';
    expect(await found(plan('id: a, type: test'), { 'helix.yaml': settings })).toEqual([
      'helix.yaml:2:38 warning: the program "nobody" was not found (install it, or mend the name)',
      'helix.yaml:3:8 error: agent "acp" has no command (the driver acp needs one: command: [program])',
    ]);
  });
});

describe('agents and templates', () => {
  it.each<[string, string[], string | RegExp]>([
    [
      'an unknown agent',
      ['id: a, type: test, agent: «reviwer'],
      'error: there is no agent "reviwer" (did you mean "reviewer"?)',
    ],
    [
      'a misspelt driver',
      ['id: a, type: test, agent: «claude-cod'],
      'error: there is no agent "claude-cod" (did you mean "claude-code"?)',
    ],
    [
      'two templates',
      ['id: a, type: test, «template: x, config: { template: developer/python }'],
      'warning: "template" has no effect beside "config.template" (keep one of them)',
    ],
  ])('%s', async (_, phases, expected) => {
    await expectFindings(plan(...phases), [expected], { 'helix.yaml': 'agents: { reviewer: { driver: codex } }' });
  });

  it('a role must name an agent there is', async () => {
    const settings =
      'agents: { fast: { driver: codex } }\nroles: { reviewer: fats, verifier: fast, consultant: codex }\n';
    expect(await found(plan('id: a, type: test'), { 'helix.yaml': settings })).toEqual([
      'helix.yaml:2:20 error: there is no agent "fats" (did you mean "fast"?)',
    ]);
  });

  it('an agent that is written wrong is still known by its name', async () => {
    const files = { 'helix.yaml': 'agents: { mine: { driver: codx } }' };
    expect(await found(plan('id: a, type: test, agent: mine'), files)).toEqual([
      'helix.yaml:1:27 error: unknown driver "codx" (did you mean "codex"?)',
    ]);
  });
});

describe('size', () => {
  it('of many warnings the first are shown, and errors behind them are not lost', async () => {
    const idle = Array.from({ length: 300 }, (_, at) => `id: p${at}, type: test, on_rejection: {}`);
    const { findings, plan: loaded } = await loadText(plan(...idle));
    expect([findings.length, findings.at(-1)?.message]).toEqual([201, 'more warnings are not shown']);
    expect(loaded).toBeDefined();
    expect((await loadText(plan(...idle, 'id: p0, type: test'))).plan).toBeUndefined();
  });

  it.each([
    ['all right', (at: number) => `id: p${at}, type: test, output: [o${at}], input: [${at === 0 ? '' : `o${at - 1}`}]`],
    ['all wrong', (at: number) => `id: p${at}, type: tset, depends_on: q${at}, input: ["x${at}/*"]`],
    ['all in pairs', (at: number) => `id: p${at}, type: test, depends_on: p${at ^ 1}`],
  ])('a plan of thousands of phases, %s, is checked in little time', async (_, phase) => {
    const text = plan(...Array.from({ length: 3600 }, (_each, at) => phase(at)));
    const work = workMeter();
    const { phases, findings } = await loadText(text);
    expect(work()).toBeLessThan(1000);
    expect(phases).toHaveLength(3600);
    expect(findings.length).toBeLessThan(500);
  });
});

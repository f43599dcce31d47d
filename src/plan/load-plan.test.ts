import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import { DEFAULT_BUDGET, Phase, Plan } from '../domain/plan/plan.ts';
import { sha256 } from '../text/digest.ts';
import { loadFiles, loadText, memoryProject, shown } from './memory-project.fixture.ts';

const RICH =
  'project: { name: x, type: feature }\nworkspace: { mode: repo, setup: [[npm, ci]] }\nbudget: { usd: 1 }\nagents: { default: { driver: codex } }\n';
const ONE = 'phases: [{ id: a, type: development }]\n';

async function onlyPhase(fields: string, header = ''): Promise<Phase> {
  const { plan, findings } = await loadText(
    `${header}phases:\n  - { id: z, type: test, output: [in.md] }\n  - { ${fields} }\n`,
  );
  expect(findings).toEqual([]);
  return Phase.parse(plan?.phases[1]);
}

describe('where the plan comes from', () => {
  it("the user's comes first, then the consultant's, then the template", async () => {
    const files = {
      'phases.yaml': ONE,
      'phases/01-consultant/output/phases.yaml': 'phases: [{ id: b, type: test }]',
      'state.json': '{\n\t"project_type": "bugfix"\n}\n',
    };
    const { 'phases.yaml': _, ...consultant } = files;
    const { 'phases/01-consultant/output/phases.yaml': __, ...template } = consultant;
    expect((await loadFiles(files)).source).toEqual({ path: 'phases.yaml', sha256: sha256(ONE), origin: 'project' });
    expect((await loadFiles(consultant)).source).toMatchObject({
      path: 'phases/01-consultant/output/phases.yaml',
      origin: 'consultant',
    });
    const { source, phases } = await loadFiles(template);
    expect(source).toMatchObject({ path: 'templates/project-types/bugfix.yaml', origin: 'template' });
    expect(phases[0]?.name).toBe('bugfix');
  });

  it.each([
    ['{}'],
    ['{"project_type": "feature"}'],
    [undefined],
  ])('the type is feature unless state.json says otherwise: %s', async (state) => {
    const { phases } = await loadFiles(state === undefined ? {} : { 'state.json': state });
    expect(phases[0]?.name).toBe('feature');
  });

  it.each([
    [
      '{\n  "project_type": "bugfx" }',
      'state.json:2:19 error: there is no phases.yaml and no template for the project type "bugfx" (did you mean "bugfix"?)',
    ],
    ['{"project_type": "../../x"}', /^state.json:1:18 error: there is no .* "..\/..\/x" \(known are: feature/],
    ['{"project_type": ', /^state.json:1:\d+ error: /],
  ])('a state.json of %j is an error', async (state, expected) => {
    const { plan, findings, phases } = await loadFiles({ 'state.json': state });
    expect([plan, phases]).toEqual([undefined, []]);
    expect(shown(findings)[0]).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });

  it('no template outside of the templates is asked for', async () => {
    const asked: string[] = [];
    const template = async (type: string) => void asked.push(type);
    await loadFiles({ 'state.json': '{"project_type": "../../x"}' }, { template });
    await loadFiles({ 'state.json': '{"project_type": "mine"}' }, { template });
    expect(asked).toEqual(['mine']);
  });

  it('a file that cannot be read is a finding, not an exception', async () => {
    const read = async (path: string) => {
      if (path !== 'phases.yaml') return undefined;
      throw new HelixError('io', 'phases.yaml is too large', { hint: 'Make it smaller.' });
    };
    const { plan, findings } = await loadFiles({}, {}, { ...memoryProject({}), read });
    expect(plan).toBeUndefined();
    expect(shown(findings)).toEqual(['1:1 error: phases.yaml is too large (Make it smaller.)']);
  });
});

describe('defaults of a plan', () => {
  it.each([
    ['repo inside git', { git: true }, {}, 'repo', 1, '.'],
    ['phase-dirs elsewhere', { git: false }, {}, 'phase-dirs', 4, 'output'],
    ['phase-dirs where phases/ exists', { git: true }, { 'phases/a/x': '' }, 'phase-dirs', 4, 'output'],
  ])('%s', async (_, place, more, mode, concurrency, directory) => {
    const files = { 'phases.yaml': ONE, ...more };
    const { plan } = await loadFiles(files, {}, memoryProject(files, place));
    expect(plan).toMatchObject({ workspace: { mode, setup: [], copy: [], cache: [] }, concurrency });
    expect(plan?.phases[0]?.output).toEqual({ directory, files: [] });
  });

  it('what the plan says wins, then helix.yaml', async () => {
    const header =
      'workspace: { mode: phase-dirs, setup: [npm, ci], cache: [node_modules/] }\nconcurrency: 2\nprotected: [ci/]\n';
    const { plan, settings } = await loadText(`${header}${ONE}`, {
      'helix.yaml': 'budget: { usd: 3 }\nsandbox: strict\n',
    });
    expect(plan).toMatchObject({
      workspace: { mode: 'phase-dirs', setup: [['npm', 'ci']], cache: ['node_modules'] },
      concurrency: 2,
      protected: expect.arrayContaining(['helix.yaml', 'ci/**']),
      budget: { usd: 3 },
    });
    expect(settings.sandbox).toBe('strict');
    const own = await loadText(`budget: { attempts: 5 }\n${ONE}`, { 'helix.yaml': 'budget: { usd: 3 }\n' });
    expect(own.plan?.budget).toEqual({ attempts: 5 });
    expect((await loadText(ONE)).plan?.budget).toEqual(DEFAULT_BUDGET);
  });

  it('protects what decides about agents', async () => {
    const { plan } = await loadText(ONE);
    expect(plan?.protected).toEqual(
      expect.arrayContaining([
        'phases.yaml',
        'helix.yaml',
        'config/escalation.yaml',
        'approvals/**',
        '.github/workflows/**',
      ]),
    );
  });

  it('is named after its directory unless it has a name', async () => {
    expect((await loadText(ONE)).project).toBe('demo');
    expect((await loadText(`name: 007\n${ONE}`)).project).toBe('007');
    expect((await loadText(`project: { name: 1.10, type: research }\n${ONE}`)).plan?.project).toEqual({
      name: '1.10',
      type: 'research',
    });
  });

  it('fulfils its own schema', async () => {
    const { plan } = await loadText(`max_dynamic_phases: 3\ndynamic_phase_template: x\n${ONE}`);
    expect(Plan.parse(plan)).toEqual(plan);
  });
});

describe('shapes of a phase', () => {
  it('ids stay as they are written', async () => {
    const text =
      'phases:\n  - { id: 01, name: 1.0, type: test }\n  - { id: 015, type: test, depends_on: [01], input: { from_phase: 01 } }\n';
    const { plan } = await loadText(text);
    expect(plan?.phases.map(({ id, name, dependsOn }) => [id, name, dependsOn])).toEqual([
      ['01', '1.0', []],
      ['015', '015', ['01']],
    ]);
  });

  it('depends_on and dependencies are one', async () => {
    const text =
      'phases:\n  - { id: a, type: test }\n  - { id: b, type: test }\n  - { id: c, type: test, depends_on: a, dependencies: [b, a] }\n';
    expect((await loadText(text)).phases[2]?.dependsOn).toEqual(['a', 'b']);
  });

  it.each([
    ['output: [a.md, docs/]', { directory: '.', files: ['a.md', 'docs/**'] }],
    ['output: { files: [./a.md] }', { directory: '.', files: ['a.md'] }],
    [
      'output: { directory: src/, expected_files: [a.py, sub/b.py] }',
      { directory: 'src', files: ['src/a.py', 'src/sub/b.py'] },
    ],
    [
      'output: { directory: src, expected_files: [a.py], files: [b.md, src/a.py] }',
      { directory: 'src', files: ['b.md', 'src/a.py'] },
    ],
    ['output: { expected_files: [2024] }', { directory: '.', files: ['2024'] }],
  ])('%s', async (field, output) => {
    expect((await onlyPhase(`id: a, type: test, ${field}`)).output).toEqual(output);
  });

  it('expected files lie in the output directory of phase-dirs', async () => {
    const { plan } = await loadText(
      'workspace: phase-dirs\nphases: [{ id: a, type: test, output: { expected_files: [x] } }]',
    );
    expect(plan?.phases[0]?.output).toEqual({ directory: 'output', files: ['output/x'] });
  });

  it.each([
    ['input: [in.md]', { files: ['in.md'] }],
    ['input: { files: [./in.md] }', { files: ['in.md'] }],
    ['input: { from_phase: z, files: [in.md] }', { fromPhase: 'z', files: ['in.md'] }],
    ['input: { from_phase: z }', { fromPhase: 'z', files: [] }],
  ])('%s', async (field, input) => {
    expect((await onlyPhase(`id: a, type: test, ${field}`)).input).toEqual(input);
  });

  it('a template may stand in the phase, and auto without a list', async () => {
    const phase = await onlyPhase(
      'id: a, type: test, template: developer/python, config: { skills: auto, experts: [security] }',
    );
    expect(phase.config).toEqual({ template: 'developer/python', skills: ['auto'], experts: ['security'] });
  });

  it('keeps what a run needs later', async () => {
    const extras =
      'target: prod, rollback: [make, undo], after_dynamic: true, stop_when_stuck: 2, timeout: 60, budget: { usd: 1 }';
    const phase = await onlyPhase(
      `id: a, type: deploy, ${extras}, phase_config: { max_phases: 3, phase_template: dev }`,
    );
    expect(phase).toMatchObject({
      target: 'prod',
      rollback: ['make', 'undo'],
      afterDynamic: true,
      stopWhenStuck: 2,
      timeoutSeconds: 60,
      budget: { usd: 1 },
      phaseConfig: { maxPhases: 3, phaseTemplate: 'dev' },
    });
  });
});

describe('gates', () => {
  it('without one the declared files must be there', async () => {
    const { gates } = await onlyPhase('id: a, type: test, output: [x]');
    expect(gates).toEqual([{ type: 'files_exist', settings: {}, onFailure: 'retry', maxRetries: 3 }]);
  });

  it('one or a list, each with its own settings as written', async () => {
    const gate = '{ type: tests_pass, command: [sleep, 5], on_failure: abort, max_retries: 2, checks: [unit] }';
    const { gates } = await onlyPhase(
      `id: a, type: test, max_retries: 7, quality_gate: [${gate}, { type: adr_valid, file: ./a.md }]`,
    );
    expect(gates).toEqual([
      {
        type: 'tests_pass',
        settings: { command: ['sleep', '5'], checks: ['unit'] },
        onFailure: 'abort',
        maxRetries: 2,
      },
      { type: 'adr_valid', settings: { file: './a.md' }, onFailure: 'retry', maxRetries: 7 },
    ]);
  });

  it('a gate without a type checks the files, as in ADR-006', async () => {
    const { gates } = await onlyPhase('id: a, type: test, quality_gate: { on_failure: escalation }');
    expect(gates).toEqual([{ type: 'files_exist', settings: {}, onFailure: 'escalation', maxRetries: 3 }]);
  });

  it.each([
    ['', '', 3],
    ['max_retries: 5\n', '', 5],
    ['max_retries: 5\nproject: { max_retries: 6 }\n', '', 6],
    ['max_retries: 5\n', ', max_retries: 4', 4],
  ])('retries come from the nearest place: %j %j', async (header, field, expected) => {
    const phase = await onlyPhase(`id: a, type: test${field}`, header);
    expect([phase.maxRetries, phase.gates[0]?.maxRetries]).toEqual([expected, expected]);
  });

  it('an approval phase is judged by its approval', async () => {
    const phase = await onlyPhase(
      'id: a, type: approval, approval_type: adr, input: [in.md], config: { model: opus }, on_rejection: { action: retry_phase }',
    );
    expect(phase.gates).toEqual([
      {
        type: 'approval',
        settings: { approval_type: 'adr', model: 'opus' },
        onFailure: 'retry',
        maxRetries: 3,
      },
    ]);
    expect(phase).toMatchObject({ approvalType: 'adr', onRejection: { action: 'retry_phase', target_phase: 'z' } });
  });

  it('an approval after a review sends work back to whoever made it, not to the review', async () => {
    const { plan } = await loadText(`phases:
  - { id: z, type: test, output: [in.md] }
  - { id: r, type: review, quality_gate: { type: review_approved } }
  - { id: a, type: approval, approval_type: adr, input: [in.md], on_rejection: { action: retry_phase } }
`);
    expect(plan?.phases[2]?.onRejection?.target_phase).toBe('z');
  });

  it('an approval phase may name its own gate', async () => {
    const phase = await onlyPhase('id: a, type: approval, quality_gate: { type: approval, approval_type: code }');
    expect(phase.approvalType).toBe('code');
    expect(phase.gates.map(({ type }) => type)).toEqual(['approval']);
  });

  it("a library user's gate has its own settings checked", async () => {
    const gates = [{ type: 'coverage', settings: z.strictObject({ percent: z.number().default(80) }) }];
    const text = (gate: string) => `phases: [{ id: a, type: test, quality_gate: ${gate} }]`;
    const good = await loadText(text('{ type: coverage, checks: [c], max_retries: 1 }'), {}, { gates });
    expect(good.plan?.phases[0]?.gates).toEqual([
      { type: 'coverage', settings: { checks: ['c'], percent: 80 }, onFailure: 'retry', maxRetries: 1 },
    ]);
    const bad = await loadText(text('{ type: coverage, precent: 1 }'), {}, { gates });
    expect(shown(bad.findings)).toEqual(['1:63 error: unknown key "precent" (did you mean "percent"?)']);
    const misspelt = await loadText(text('{ type: coverag }'), {}, { gates });
    expect(misspelt.findings[0]?.hint).toBe('did you mean "coverage"?');
  });
});

describe('agents', () => {
  it('there is always a default', async () => {
    expect((await loadText(ONE)).agents).toEqual({ default: { driver: 'claude-code' } });
  });

  it("the plan's own come before those of helix.yaml, and drivers can be named directly", async () => {
    const settings =
      'agents: { default: { driver: codex }, fast: { driver: codex, model: 5 } }\nroles: { reviewer: claude-code }\n';
    const plan =
      'agents: { fast: { driver: scripted } }\nphases: [{ id: a, type: test, agent: fast, config: { model: m } }]';
    const { agents, phases } = await loadText(plan, { 'helix.yaml': settings });
    expect(agents).toEqual({
      default: { driver: 'codex' },
      fast: { driver: 'scripted' },
      'claude-code': { driver: 'claude-code' },
    });
    expect(phases).toEqual([
      { id: 'a', name: 'a', type: 'test', dependsOn: [], gates: ['files_exist'], agent: 'fast', model: 'm' },
    ]);
  });
});

describe('a plan with errors', () => {
  it('is shown as far as it could be read', async () => {
    const text =
      'phases:\n  - { id: ../x, type: nonsense, name: First }\n  - { type: test, max_retries: many }\n  - 5\n  - { id: c, type: test, quality_gate: { type: what } }\n';
    const { plan, phases } = await loadText(text);
    expect(plan).toBeUndefined();
    expect(phases).toEqual([
      { id: '../x', name: 'First', type: 'nonsense', dependsOn: [], gates: ['files_exist'] },
      { id: '(phase 2)', name: '(phase 2)', type: 'test', dependsOn: ['../x'], gates: ['files_exist'] },
      { id: 'c', name: 'c', type: 'test', dependsOn: ['(phase 2)'], gates: ['what'] },
    ]);
  });

  it('of broken YAML only the syntax is reported', async () => {
    const { phases, findings } = await loadText('phases:\n  - id: a\n    type: test\n    output: [x\n  - id: b\n');
    expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(['yaml-syntax']));
    expect(phases[0]).toMatchObject({ id: 'a', type: 'test' });
  });

  it('never throws, whatever a plan is turned into', async () => {
    const text = `${RICH}phases:\n  - { id: a, type: development, output: [x.md], quality_gate: { type: custom, command: [npm, test] } }
  - { id: b, type: approval, approval_type: adr, input: { from_phase: a, files: [x.md] }, on_rejection: { action: retry_phase } }\n`;
    expect((await loadText(text)).findings).toEqual([]);
    const words = [...text.matchAll(/[\w.-]+/g)].map(([word]) => word);
    const swap = fc.record({
      at: fc.nat(text.length),
      remove: fc.nat(12),
      insert: fc.oneof(
        fc.constantFrom(...words, ' ', '[', ']', '{', '}', ': ', ', ', '\n', '-1', '~'),
        fc.string({ maxLength: 3 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(swap, { minLength: 1, maxLength: 4 }), async (swaps) => {
        const broken = swaps.reduce(
          (each, { at, remove, insert }) => each.slice(0, at) + insert + each.slice(at + remove),
          text,
        );
        const { plan, findings } = await loadText(broken);
        expect(plan === undefined).toBe(hasError(findings));
        if (plan !== undefined) expect(Plan.parse(plan)).toEqual(plan);
        for (const finding of findings) {
          expect(finding.hint).toBeTruthy();
          expect(finding.location?.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('comes with the texts its findings point into', async () => {
    const files = { 'phases.yaml': ONE, 'helix.yaml': 'x-a: 1\n' };
    expect(Object.fromEntries((await loadFiles(files)).sources)).toEqual(files);
  });
});

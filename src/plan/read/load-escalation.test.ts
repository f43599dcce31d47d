import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { openModels } from '../../adapters/open-models.ts';
import { CONSULTANT_ACTIONS } from '../../domain/plan/escalation-settings.ts';
import { matchesRe2 } from '../../text/re2.ts';
import { readSimpleYaml } from '../../text/yaml/simple-yaml.ts';
import { loadText, memoryProject, shown } from '../memory-project.fixture.ts';
import { ESCALATION_FILE } from './load-escalation.ts';

const PLAN = 'phases: [{ id: a, type: development }]';
const PATH = 'config/escalation.yaml';
const NOTIFY = 'notify: [{ name: team, bell: true }, { command: [mail] }]';

function load(escalation: string, files: Readonly<Record<string, string>> = {}) {
  return loadText(PLAN, { [PATH]: escalation, ...files }, { findProgram: async (name) => `/usr/bin/${name}` });
}

/** A file with nothing but one level, on one line. */
function level(name: string, entries: string): string {
  return `escalation: { levels: { ${name}: { ${entries} } } }`;
}

describe('config/escalation.yaml', () => {
  it.each<[text: string, ...findings: string[]]>([
    ['escalations: {}', '1:1 error: unknown key "escalations" (did you mean "escalation"?)'],
    [
      'escalation: { max_retries: 3 }',
      '1:15 error: unknown key "max_retries" (known are: max_retries_per_level, attempt_timeout, levels)',
    ],
    [
      'escalation: { max_retries_per_level: 0 }',
      '1:38 error: "max_retries_per_level" must be at least 1 (change the value)',
    ],
    [
      'escalation: { max_retries_per_level: 101 }',
      '1:38 error: "max_retries_per_level" must be at most 100 (change the value)',
    ],
    [
      'escalation: { max_retries_per_level: 1.5 }',
      '1:38 error: "max_retries_per_level" must be a whole number, not 1.5 (write a whole number such as 3)',
    ],
    ['escalation: { attempt_timeout: 0 }', '1:32 error: "attempt_timeout" must be more than 0 (change the value)'],
    [
      'escalation: { attempt_timeout: 10081 }',
      '1:32 error: "attempt_timeout" must be at most 10080 (change the value)',
    ],
    ['escalation: { levels: { stufe_3: {} } }', '1:25 error: unknown key "stufe_3" (did you mean "stufe_1"?)'],
    [
      'escalation: { levels: { stufe_1: {}, stufe-1: {} } }',
      '1:38 error: "stufe-1" is the same level as "stufe_1" (keep one of them)',
    ],
    [level('stufe_1', 'max_attempts: -1'), '1:50 error: "max_attempts" must be at least 0 (change the value)'],
    [
      level('stufe_1', 'actions: [{ type: model_swich, models: [opus] }]'),
      '1:54 error: stufe_1 has no action "model_swich" (did you mean "model_switch"?)',
    ],
    [
      level('stufe-1', 'actions: [{ type: notify }]'),
      '1:54 error: stufe-1 has no action "notify" (known are: model_switch, plan_revert, hints, spec_updates, skills, switch_model, revert)',
    ],
    [
      level('stufe_1', 'actions: [{ type: hints, channels: [team] }]'),
      '1:61 error: unknown key "channels" (known are: type, models)',
    ],
    [
      level('stufe_1', 'actions: [{ type: model_switch, models: ["--help"] }]'),
      '1:77 error: an entry of "models" cannot be "--help" (change the value)',
    ],
    [
      level('stufe_1', 'actions: [{ type: model_switch, models: [opsu] }]'),
      '1:77 warning: no model or agent is known as "opsu" (did you mean "opus"?)',
    ],
    [
      level('stufe_1', 'actions: [{ type: switch_model }]'),
      '1:46 warning: without "models" there is none it could switch to (name them: models: [opus, sonnet])',
    ],
    [
      level('stufe_1', 'actions: [{ type: hints, models: [opus] }]'),
      '1:61 warning: "models" has no effect in an action of type "hints" (name them under model_switch)',
    ],
    [
      level('stufe_2', 'wait_timeout_hours: 0, on_timeout: abort'),
      '1:56 error: "wait_timeout_hours" must be more than 0 (change the value)',
    ],
    [
      level('stufe_2', 'wait_timeout_hours: 8761, on_timeout: abort'),
      '1:56 error: "wait_timeout_hours" must be at most 8760 (change the value)',
    ],
    [
      level('stufe_2', 'wait_timeout_hours: 8'),
      '1:56 warning: "wait_timeout_hours" has no effect while "on_timeout" is wait (say what is done then: on_timeout: retry, or abort)',
    ],
    [
      level('stufe_2', 'on_timeout: retry'),
      '1:48 warning: "on_timeout: retry" has no effect without "wait_timeout_hours" (say after how many hours)',
    ],
    [level('stufe_2', 'on_timeout: aborts'), '1:48 error: unknown on_timeout "aborts" (did you mean "abort"?)'],
    [
      level('stufe_2', 'actions: [{ type: notfy }]'),
      '1:54 error: stufe_2 has no action "notfy" (did you mean "notify"?)',
    ],
    [
      level('stufe_2', 'actions: [{ type: notify, channels: [teem, command-2] }]'),
      '1:73 error: helix.yaml has no channel "teem" under notify (did you mean "team"?)',
    ],
    [
      'error_patterns: [{ pattern: disk full, level: stufe_3 }]',
      '1:47 error: unknown level "stufe_3" (did you mean "stufe_1"?)',
    ],
    [
      'error_patterns: [{ pattern: disk full }]',
      '1:18 error: "level" is missing (one of: stufe_1, stufe_2, retry; or write action: abort)',
    ],
    ['error_patterns: [{ level: stufe_1 }]', '1:18 error: "pattern" is missing (add "pattern")'],
    ['error_patterns: [{ pattern: "", level: stufe_1 }]', '1:29 error: "pattern" must not be empty (change the value)'],
    [
      'error_patterns: [{ pattern: "(", level: stufe_1 }]',
      '1:29 error: this is no pattern of RE2: missing closing ): `(` (…)',
    ],
    [
      'error_patterns: [{ pattern: "a(?=b)", level: stufe_1 }]',
      '1:29 error: this is no pattern of RE2: invalid or unsupported Perl syntax: `(?=` (…)',
    ],
    [
      'error_patterns: [{ pattern: "x*", level: stufe_1 }]',
      '1:29 error: this pattern matches every text, even an empty one (remove the empty alternative or the *)',
    ],
    [
      'error_patterns: [{ pattern: "(a{1,99}){1,9}b{1,900}", level: stufe_1 }]',
      '1:29 error: this pattern repeats too much (use smaller numbers in {}, or + and *)',
    ],
    [
      'error_patterns: [{ pattern: x, level: retry, action: escalate }]',
      '1:54 warning: "action: escalate" has no effect at the level "retry" (remove it, or name another level)',
    ],
    [
      'error_patterns: [{ pattern: x, level: stufe_2, action: aborts }]',
      '1:56 error: unknown action "aborts" (did you mean "abort"?)',
    ],
    ['error_patterns: 3', '1:17 error: "error_patterns" must be a list, not a number (write it as [first, second])'],
    ['- x', '1:1 error: this must be a map, not a list (write its keys below it, indented)'],
    [
      'escalation: [',
      '1:14 error: Flow sequence in block collection must be sufficiently indented and end with a ] (align the line with its neighbours)',
    ],
  ])('%s', async (text, ...findings) => {
    const { findings: found, plan } = await load(text, { 'helix.yaml': NOTIFY });
    const short = (line: string) => line.replace(/\(RE2 has no look.*\)$/, '(…)');
    expect(shown(found).map((line) => short(line).replace(`${PATH}:`, ''))).toEqual(findings);
    expect(plan === undefined).toBe(findings.some((line) => / error: /.test(line)));
  });

  it('leaves keys that start with x- to the user, and may be empty', async () => {
    for (const text of ['', 'x-owner: me\nescalation: { x-why: { a: 1 } }'])
      expect(await load(text)).toMatchObject({ findings: [], plan: { phases: [{ maxRetries: 3 }] } });
  });

  it('names its channel even where helix.yaml has none', async () => {
    const { findings } = await load(level('stufe_2', 'actions: [{ type: ask, channels: [team] }]'));
    expect(findings).toMatchObject([{ check: 'unknown-channel', hint: expect.stringContaining('notify: [{') }]);
  });

  it('is not blamed for channels that helix.yaml gets wrong', async () => {
    const { findings } = await load(level('stufe_2', 'actions: [{ type: notify, channels: [team] }]'), {
      'helix.yaml': 'notify: [{ name: team, bel: true }]',
    });
    expect(new Set(findings.map(({ location }) => location?.file))).toEqual(new Set(['helix.yaml']));
  });

  it.each([
    [
      '501 characters in a pattern',
      `[{ pattern: ${'x'.repeat(501)}, level: stufe_2 }]`,
      '"pattern" must have at most 500 characters',
    ],
    [
      '101 patterns',
      `[${'{ pattern: x, level: stufe_2 },'.repeat(101)}]`,
      '"error_patterns" must have at most 100 entries',
    ],
  ])('has limits: not %s', async (_what, patterns, message) => {
    expect((await load(`error_patterns: ${patterns}`)).findings).toMatchObject([{ severity: 'error', message }]);
  });

  it('is not asked about models while the names of models cannot be read', async () => {
    const { findings } = await load(level('stufe_1', 'actions: [{ type: model_switch, models: [opsu] }]'), {
      'config/llm-providers.yaml': 'aliasses: {}',
    });
    expect(findings.map(({ location }) => location?.file)).toEqual(['config/llm-providers.yaml']);
  });

  it('may let agents of helix.yaml take over', async () => {
    const { findings, escalation } = await load(
      level('stufe_1', 'actions: [{ type: model_switch, models: [opus, other] }]'),
      { 'helix.yaml': 'agents: { other: { driver: codex } }' },
    );
    expect(findings).toEqual([]);
    expect(escalation.consultant).toMatchObject({ actions: ['model_switch'], models: ['opus', 'other'] });
  });
});

describe('precedence', () => {
  const FILE = 'escalation: { max_retries_per_level: 5, attempt_timeout: 2 }';

  it('a gate before its phase, a phase before the plan, the plan before the file', async () => {
    const text = (header: string) => `${header}
phases:
  - { id: a, type: development }
  - { id: b, type: development, max_retries: 2, timeout: 7 }
  - { id: c, type: development, max_retries: 2, quality_gate: { type: files_exist, max_retries: 1 } }`;
    const limits = async (header: string, files: Readonly<Record<string, string>>) =>
      (await loadText(text(header), files)).plan?.phases.map(({ gates, timeoutSeconds }) => [
        gates[0]?.maxRetries,
        timeoutSeconds,
      ]);
    expect(await limits('x-a: 1', {})).toEqual([
      [3, undefined],
      [2, 7],
      [1, undefined],
    ]);
    expect(await limits('x-a: 1', { [PATH]: FILE })).toEqual([
      [5, 120],
      [2, 7],
      [1, 120],
    ]);
    expect(await limits('max_retries: 4', { [PATH]: FILE })).toEqual([
      [4, 120],
      [2, 7],
      [1, 120],
    ]);
  });

  it('an approval keeps the time that config/approvals.yaml gives it', async () => {
    const { plan } = await loadText(`${PLAN.slice(0, -1)}, { id: b, type: approval, approval_type: code }]`, {
      [PATH]: FILE,
    });
    expect(plan?.phases.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([120, undefined]);
  });

  it('what the file does not say is as HELIX ships it', async () => {
    const { escalation: shipped } = await loadText(PLAN);
    expect((await load('escalation: {}')).escalation).toEqual(shipped);
    expect((await load('error_patterns: []')).escalation).toEqual({ ...shipped, errorPatterns: [] });
    expect((await load(FILE)).escalation.consultant).toEqual(shipped.consultant);
    expect((await load(level('stufe-1', 'max_attempts: 0'))).escalation.consultant.attempts).toBe(0);
    const hours = level('stufe_2', 'wait_timeout_hours: 0.5, on_timeout: abort');
    expect((await load(hours)).escalation.human).toEqual({ waitHours: 0.5, onTimeout: 'abort' });
  });

  it('other names of levels and actions mean the same', async () => {
    const { escalation } =
      await load(`${level('stufe-1', 'actions: [{ type: switch_model, models: [opus, opus] }, { type: revert }]')}
error_patterns:
  - { pattern: a, level: stufe-1 }
  - { pattern: b, level: stufe_2, action: escalate }
  - { pattern: c, level: retry }
  - { pattern: d, action: abort }`);
    expect(escalation.consultant).toMatchObject({ actions: ['model_switch', 'plan_revert'], models: ['opus'] });
    expect(escalation.errorPatterns).toEqual([
      { pattern: 'a', level: 'stufe-1' },
      { pattern: 'b', level: 'stufe-2', action: 'escalate' },
      { pattern: 'c', level: 'retry' },
      { pattern: 'd', level: 'stufe-2', action: 'abort' },
    ]);
  });

  it('all channels are told, unless some are listed, which keep their names', async () => {
    const channels = (list: string) => level('stufe_2', `actions: [{ type: notify, channels: [${list}] }]`);
    const notify = async (text: string) => (await load(text, { 'helix.yaml': NOTIFY })).notify;
    const both = [{ name: 'team', bell: true }, { command: ['mail'] }];
    expect(await notify('escalation: {}')).toEqual(both);
    expect(await notify(channels(''))).toEqual(both);
    expect(await notify(channels('command-2'))).toEqual([{ name: 'command-2', command: ['mail'] }]);
  });
});

describe('the file HELIX ships', () => {
  const { text } = readShippedConfig(ESCALATION_FILE);

  it('has nothing wrong with it and is read without the slow library', async () => {
    const models = await openModels(memoryProject({}));
    const { findings, escalation } = await loadText(PLAN, { [PATH]: text }, { models: async () => models });
    expect(findings).toEqual([]);
    expect(readSimpleYaml(text, new Set(['pattern']))).toBeDefined();
    expect(escalation).toMatchObject({
      consultant: { actions: CONSULTANT_ACTIONS, models: ['opus', 'sonnet'] },
      human: { onTimeout: 'wait' },
    });
  });

  it.each([
    ['sh: 1: ./build.sh: Permission denied', 'stufe-2'],
    ["Error: EACCES: permission denied, open '/x'", 'stufe-2'],
    ['write error: No space left on device', 'stufe-2'],
    ['cannot create a.txt: Read-only file system', 'stufe-2'],
    ['expected 3 to be 4', undefined],
    ['the file src/permissions.ts does not exist', undefined],
  ])('%s: %s', async (message, level) => {
    const { errorPatterns } = (await loadText(PLAN)).escalation;
    expect(errorPatterns.find(({ pattern }) => matchesRe2(pattern, message))?.level).toBe(level);
  });
});

it('fifty hostile patterns are checked and sought in little time', async () => {
  const evil = [
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+c',
    '([a-z]+)*9',
    '(.*)(.*)(.*)(.*)x9',
    '(x+x+)+y',
    '(?:a?){50}b',
    '^(([a-z])+.)+[A-Z]$',
  ];
  const repeated = ['((a{1,30}){1,30}){1,30}', '(a{0,1000}){0,1000}z', 'a{1,1001}', '(a{1,1000}b{1,1000})+c'];
  const nested = [
    `${'('.repeat(240)}a${')'.repeat(240)}`,
    `${'(a|'.repeat(120)}b${')'.repeat(120)}`,
    '[a-z]'.repeat(90),
    `${'.*'.repeat(240)}!`,
  ];
  const some = [...evil, ...repeated, ...nested];
  const patterns = Array.from({ length: 50 }, (_, index) => some[index % some.length] ?? '').map(
    (each, index) => `${each}${index > 15 ? index : ''}`,
  );
  const file = patterns.map((pattern) => `  - { pattern: ${JSON.stringify(pattern)}, level: stufe_2 }`).join('\n');
  const work = workMeter();
  const { findings } = await load(`error_patterns:\n${file}`);
  expect(findings.length).toBeGreaterThan(5);
  const usable = patterns.filter((_, index) => !findings.some(({ location }) => location?.line === index + 2));
  const found = usable.filter((pattern) => matchesRe2(pattern, 'a'.repeat(5000)));
  expect(usable.length).toBeGreaterThan(20);
  expect(found.length).toBeLessThan(usable.length);
  expect(work()).toBeLessThan(1000);
});

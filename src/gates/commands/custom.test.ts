import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, put, scratch } from '../../../test/scratch.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { custom } from './custom.ts';

type Settings = {
  command: string | readonly string[];
  findings?: string;
  timeout?: number;
  checks?: readonly string[];
};

async function judge(settings: Settings | string, change: Partial<GateContext> = {}) {
  const context = await gateContext(scratch({ 'output/x.md': 'made' }), change);
  const given = typeof settings === 'string' ? { command: settings } : settings;
  return custom.judge({ type: 'custom', ...given }, context);
}

function printing(value: unknown, exitCode = 0): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `cat <<'END'\n${text}\nEND\nexit ${exitCode}`;
}

it('the exit code decides', async () => {
  expect(said(await judge('exit 0'))).toEqual(['pass']);
  expect(said(await judge({ command: ['true'] }))).toEqual(['pass']);
  for (const code of [1, 2, 3, 125, 255]) {
    expect(said(await judge(`exit ${code}`))).toEqual(['reject', `error: the command ended with exit code ${code}`]);
  }
});

it('a refusal comes with the end of what the command said, made harmless, under the names of its checks', async () => {
  const answer = await judge({ command: "printf 'bad \\033[31mthing\\n' >&2; exit 1", checks: ['lint', 'style'] });
  expect(answer).toMatchObject({
    findings: [{ check: 'lint, style', message: 'the command ended with exit code 1:\nbad thing' }],
  });
  const long = await judge("head -c 100000 /dev/zero | tr '\\0' x; exit 1");
  expect(JSON.stringify(long).length).toBeLessThan(10_500);
});

it('of a long output the end is kept, where the reason stands, in lines', async () => {
  const answer = await judge('seq 1 5000; echo "the reason: ZEBRA-TAIL" >&2; exit 1');
  const [finding] = answer.kind === 'judged' ? answer.findings : [];
  expect(finding?.message).toMatch(/^the command ended with exit code 1:\n…\n[\s\S]*\n5000\nthe reason: ZEBRA-TAIL$/);
  expect(finding?.output?.split('\n')).toHaveLength(61);
  expect(finding?.output).toMatch(/^…\n4942\n[\s\S]*\nthe reason: ZEBRA-TAIL$/);
});

it.each<[string, Settings]>([
  ['a program nobody has', { command: ['no-such-program-here'] }],
  ['a program that is not in the project', { command: ['./scripts/gone.sh'] }],
  ['exit code 127 of a shell', { command: 'no-such-program-here' }],
  ['exit code 126 of a shell', { command: '/etc/passwd' }],
])('%s is a set-up error, not an opinion', async (_what, settings) => {
  const [failure, message] = said(await judge(settings));
  expect(failure).toBe('setup');
  expect(message).toMatch(/^the gate's command cannot run: /);
  expect(message?.length).toBeLessThan(2100);
});

it('a command that takes too long, is killed or is stopped has no opinion', async () => {
  expect(said(await judge({ command: 'sleep 20', timeout: 0.2 }))[0]).toBe('timeout_wall');
  expect(said(await judge('kill -9 $$'))[0]).toBe('crash');
  expect(said(await judge('exit 0', { signal: AbortSignal.abort('stop') }))[0]).toBe('cancelled');
});

const WARNING = { severity: 'warning', message: 'hm' };
const ERROR = { severity: 'error', message: 'no', file: 'a.ts', line: 3, column: 5, check: 'types', hint: 'mend it' };

it.each<[string, unknown, number, string[]]>([
  ['no findings', [], 0, ['pass']],
  ['an object with findings', { findings: [WARNING], tool: 'mine' }, 0, ['pass', 'warning: hm']],
  ['a warning and exit code 1', [WARNING], 1, ['pass', 'warning: hm']],
  ['an error and exit code 0', [WARNING, ERROR], 0, ['reject', 'warning: hm', 'error: no']],
  ['an error and exit code 1', [ERROR], 1, ['reject', 'error: no']],
  ['an error and exit code 2', [ERROR], 2, ['reject', 'error: no']],
  ['nothing and exit code 1', [], 1, ['reject', 'error: the command ended with exit code 1:\n[]']],
  ['nothing and exit code 2', [], 2, ['reject', 'error: the command ended with exit code 2:\n[]']],
])('json: %s', async (_what, value, code, expected) => {
  expect(said(await judge({ command: printing(value, code), findings: 'json' }))).toEqual(expected);
});

it('json: a warning does not excuse exit code 2', async () => {
  const [outcome, ...messages] = said(await judge({ command: printing([WARNING], 2), findings: 'json' }));
  expect([outcome, messages.length]).toEqual(['reject', 2]);
});

it('json: a finding keeps its place, check and hint', async () => {
  const place = { ...WARNING, location: { file: 'b.ts', line: 7 }, line: 1 };
  const answer = await judge({ command: printing([ERROR, place]), findings: 'json', checks: ['mine'] });
  expect(answer).toMatchObject({
    findings: [
      { check: 'types', hint: 'mend it', location: { file: 'a.ts', line: 3, column: 5 } },
      { check: 'mine', location: { file: 'b.ts', line: 7 } },
    ],
  });
});

it.each<[string, string, unknown, RegExp]>([
  ['no json', 'json', 'all fine!', /did not print json/],
  ['nothing', 'json', '', /did not print json/],
  ['a log before the json', 'json', 'checking\n[]', /did not print json/],
  ['another form', 'json', { problems: [] }, /does not have the form of json/],
  ['a severity nobody knows', 'json', [{ severity: 'fatal', message: 'x' }], /does not have the form/],
  ['a line before the first', 'json', [{ ...WARNING, line: 0 }], /does not have the form/],
  ['no sarif', 'sarif', '<xml/>', /did not print sarif/],
  ['json that is no sarif', 'sarif', [], /does not have the form of sarif/],
])('%s where findings are expected is refused even with exit code 0', async (_what, form, value, message) => {
  const [outcome, first] = said(await judge({ command: printing(value), findings: form }));
  expect(outcome).toBe('reject');
  expect(first).toMatch(message);
});

it('sarif: results of all runs become findings', async () => {
  const at = { physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 4, startColumn: 2 } } };
  const sarif = {
    version: '2.1.0',
    runs: [
      { results: [{ ruleId: 'no-any', level: 'error', message: { text: 'any' }, locations: [at] }] },
      {
        results: [
          { message: { text: 'default is a warning' } },
          { level: 'note', message: {} },
          { level: 'none', message: { text: 'n' } },
        ],
      },
      {},
    ],
  };
  const answer = await judge({ command: printing(sarif, 1), findings: 'sarif' });
  expect(said(answer)).toEqual([
    'reject',
    'error: any',
    'warning: default is a warning',
    'info: no message',
    'info: n',
  ]);
  expect(answer).toMatchObject({
    findings: [{ check: 'no-any', location: { file: 'src/a.ts', line: 4, column: 2 } }, { check: 'custom' }, {}, {}],
  });
});

it('sarif: a result without a level has the one of its rule', async () => {
  const rules = [{ id: 'low' }, { id: 'sql-injection', defaultConfiguration: { level: 'error' } }];
  const tool = { driver: { name: 'x', rules } };
  const named = { ruleId: 'sql-injection', message: { text: 'by its name' } };
  for (const result of [
    named,
    { ruleIndex: 1, message: { text: 'by its place' } },
    { rule: { id: 'sql-injection' }, message: { text: 'by reference' } },
  ]) {
    const answer = await judge({ command: printing({ runs: [{ tool, results: [result] }] }), findings: 'sarif' });
    expect(said(answer)).toEqual(['reject', `error: ${result.message.text}`]);
  }
  const own = { ...named, level: 'note' };
  const answer = await judge({ command: printing({ runs: [{ tool, results: [own] }] }), findings: 'sarif' });
  expect(said(answer)).toEqual(['pass', 'info: by its name']);
});

it.each([
  ['no run at all', { runs: [] }, /says nothing of any run/],
  ['a run that failed', { runs: [{ results: [], invocations: [{ executionSuccessful: false }] }] }, /did not succeed/],
])('sarif about %s is refused, though it has no finding', async (_what, sarif, message) => {
  const [outcome, first] = said(await judge({ command: printing(sarif), findings: 'sarif' }));
  expect(outcome).toBe('reject');
  expect(first).toMatch(message);
});

it('findings on one line of several megabytes are read whole', async () => {
  const print = 'console.log(JSON.stringify([{ severity: "warning", message: "x".repeat(3e6) }]))';
  const answer = await judge({ command: [process.execPath, '-e', print], findings: 'json' });
  expect(answer).toMatchObject({ outcome: 'pass', findings: [{ severity: 'warning' }] });
});

it('the command sees the allowed environment, who it judges, and nothing else', async () => {
  const dir = scratch();
  const context = await gateContext(dir, { env: { PATH: '/usr/bin:/bin', LANG: 'C' }, attempt: 7 });
  await custom.judge({ type: 'custom', command: ['sh', '-c', 'env > environment'] }, context);
  const names = (contents(dir).environment ?? '').trim().split('\n').sort();
  expect(names.filter((line) => !/^(_|PWD|OLDPWD|SHLVL)=/.test(line))).toEqual([
    'HELIX_ATTEMPT=7',
    `HELIX_MARKER=${context.marker}`,
    'HELIX_PHASE=one',
    `HELIX_PROJECT_DIR=${context.project}`,
    'LANG=C',
    'PATH=/usr/bin:/bin',
    'npm_config_update_notifier=false',
  ]);
});

it('a program given by a relative path is that of the project, not one the agent wrote', async () => {
  const project = scratch({ 'scripts/check.sh': '#!/bin/sh\ntest -f output/x.md && echo project >&2; exit 3\n' });
  chmodSync(join(project, 'scripts/check.sh'), 0o755);
  const dir = scratch({ 'scripts/check.sh': '#!/bin/sh\nexit 0\n', 'output/x.md': 'made' });
  chmodSync(join(dir, 'scripts/check.sh'), 0o755);
  const context = await gateContext(dir, { project });
  for (const program of ['scripts/check.sh', './scripts/check.sh']) {
    const [outcome, message] = said(await custom.judge({ type: 'custom', command: [program] }, context));
    expect([outcome, message]).toEqual(['reject', 'error: the command ended with exit code 3:\nproject']);
  }
});

it('the command runs in the scratch copy it is given, asked for once', async () => {
  const copy = put(scratch(), { here: 'x' });
  let asked = 0;
  const directory = async () => {
    asked += 1;
    return copy;
  };
  expect(said(await judge('test -f here && echo changed > here', { directory }))).toEqual(['pass']);
  expect([asked, contents(copy)]).toEqual([1, { here: 'changed\n' }]);
});

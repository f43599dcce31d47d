import { describe, expect, it } from 'vitest';
import { Repository } from './repository.ts';

const NODE = process.execPath;
const FAILING_TEST = `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
test('adds', () => strictEqual(1 + 1, 3));
`;
const SARIF = `console.log(JSON.stringify({ runs: [{ results: [{ level: 'error', message: { text: 'see ' + process.cwd() + '/out.txt' },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'file://' + process.cwd() + '/out.txt' }, region: { startLine: 1 } } }] }] }] }));`;
const REPORT = `console.log(JSON.stringify([{ severity: 'error', message: 'in ' + process.cwd() + '/out.txt', hint: 'open ' + process.cwd(),
  file: process.cwd() + '/out.txt', line: 1 }]));`;

const GATES = {
  tests_pass: { type: 'tests_pass', command: [NODE, '--test', 'sum.test.mjs'] },
  'tests_pass of an unknown runner': { type: 'tests_pass', command: 'echo "$PWD/out.txt:1: boom in $PWD"; exit 1' },
  custom: { type: 'custom', command: 'echo "$PWD/out.txt:1: boom in $PWD"; exit 1' },
  'custom with findings as JSON': { type: 'custom', command: [NODE, 'report.mjs'], findings: 'json' },
  'custom with findings as SARIF': { type: 'custom', command: [NODE, 'sarif.mjs'], findings: 'sarif' },
  syntax_check: { type: 'syntax_check', files: ['broken.json'] },
} as const;

const FILES = { 'sum.test.mjs': FAILING_TEST, 'report.mjs': REPORT, 'sarif.mjs': SARIF, 'broken.json': '{ "a": 1,, }' };

/** What the second attempt is told after a gate rejected the first one. */
async function toldAfter(
  gate: object,
  mode: 'repo' | 'phase-dirs',
): Promise<{ brief: string; repository: Repository }> {
  const write = Object.entries(FILES).map(([path, text]) => `cat > ${path} <<'END'\n${text}\nEND`);
  const repository = new Repository({
    files: { 'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n' },
    plan: { workspace: mode },
    phases: [
      {
        ...{ id: 'work', type: 'development', output: ['out.txt', ...Object.keys(FILES)] },
        quality_gate: [{ ...gate, max_retries: 2 }],
      },
    ],
    agent: `echo done > out.txt\n${write.join('\n')}`,
  });
  const { stderr } = await repository.run();
  if (!repository.brief.includes('attempt 2')) throw new Error(`there was no second attempt: ${stderr}`);
  return { brief: repository.brief, repository };
}

describe.each(['repo', 'phase-dirs'] as const)('in %s', (mode) => {
  it.each(Object.entries(GATES))('%s tells places as the agent has them', async (_name, gate) => {
    const { brief, repository } = await toldAfter(gate, mode);
    const [, told = ''] = brief.split('## What was wrong last time');
    const findings = told.split('\n## ')[0] ?? '';
    expect(findings).toMatch(/(sum\.test\.mjs|out\.txt|broken\.json):\d/);
    expect(findings).not.toContain(repository.root);
    expect(findings).not.toContain('.judged');
    expect(findings).not.toMatch(/\/(?:home|tmp|dev|work)\/[^\s]*(?:out\.txt|\.mjs|broken\.json)/);
  });
});

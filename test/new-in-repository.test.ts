import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Repository } from './repository.ts';

const PACKAGE = '{ "name": "sums", "scripts": { "test": "node --test" } }\n';
const FILES = {
  'package.json': PACKAGE,
  'package-lock.json': '{ "name": "sums", "lockfileVersion": 3, "packages": {} }\n',
  'add.test.js': "require('node:test').test('adds', () => {});\n",
};

async function made(type: string): Promise<{ repository: Repository; plan: Record<string, unknown>; said: string }> {
  const repository = new Repository({ files: FILES });
  const { code, stderr } = await repository.helix(['new', 'helix/sums', '--type', type, '--request', 'ZEBRA-1'], {});
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return { repository, plan: parse(repository.read('helix/sums/phases.yaml')), said: stderr };
}

describe('helix new in a git repository', () => {
  it.each([
    'feature',
    'bugfix',
    'documentation',
    'research',
    'migration',
  ])('makes a folder with the plan and the request of a %s, and works at the top with the set-up and tests there', async (type) => {
    const { repository, plan, said } = await made(type);
    expect(plan.workspace).toMatchObject({ mode: 'repo', root: '.', setup: [['npm', 'ci']], cache: ['node_modules'] });
    const phases = plan.phases as { quality_gate?: unknown; output?: { directory?: string } }[];
    expect(phases.flatMap(({ output }) => output?.directory ?? [])).not.toContain('src');
    const gates = phases.flatMap(({ quality_gate = [] }) => quality_gate) as { type: string; command?: string[] }[];
    const tests = gates.filter((gate) => gate.type === 'tests_pass');
    for (const { command } of tests) expect(command).toEqual(['npm', 'test']);
    expect(said).toContain('tests    npm test');
    expect(said).toContain('git add helix/sums');
    const checked = await repository.helix(['plan', 'helix/sums']);
    expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: '' });
    const [first = { id: '' }] = plan.phases as { id: string }[];
    const { stdout } = await repository.helix(['brief', first.id, '--dir', 'helix/sums']);
    expect(stdout).toContain('ZEBRA-1');
    expect(stdout).toContain('In `helix/sums` lies the plan of this work');
  });

  it('lets an agent change what is there: it stands at the top of the repository', async () => {
    const { repository } = await made('bugfix');
    const settings = `agents: { default: { driver: command, command: ["${repository.agentPath}"] } }\nsandbox: basic\n`;
    writeFileSync(join(repository.path('helix/sums'), 'helix.yaml'), settings);
    repository.agent('ls > seen.txt; echo "$HELIX_PHASE" >> notes.md');
    repository.commit('plan');
    const { code, stderr } = await repository.helix([
      'run',
      'helix/sums',
      '--trust',
      '--no-wait',
      '--phase',
      '01-analysis',
    ]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const run = repository.git('branch', '--list', 'helix/*', '--format=%(refname:lstrip=3)');
    const { stdout } = await repository.helix(['diff', run, '01-analysis', '--dir', 'helix/sums']);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['+add.test.js', '+helix', '+package.json']));
  });
});

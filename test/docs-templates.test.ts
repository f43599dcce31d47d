import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PlanDocument } from '../src/domain/documents/documents.ts';
import { Repository } from './repository.ts';

const PAGE = readFileSync(new URL('../docs/templates.md', import.meta.url), 'utf8');
const [plan = '', experts = '', types = ''] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
);
const [commands = ''] = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

it('what docs/templates.md shows is a plan HELIX takes, and its commands show what it promises', async () => {
  const repository = new Repository({
    planless: true,
    files: {
      'phases.yaml': `${plan}  - { id: board, type: hardware-test, config: { experts: [ledger] } }\n`,
      'helix.yaml': 'agents: { default: { driver: scripted } }\nallow_simulated: true\n',
      'config/domain-experts.yaml': experts,
      'config/phase-types.yaml': types,
      'request.md': 'Count the invoices, and add a login.\n',
      'package.json': '{ "devDependencies": { "typescript": "5" } }',
      'tsconfig.json': '{}',
      'src/a.ts': 'export const a = 1;\n',
    },
  });
  for (const line of commands.trim().split('\n')) {
    const { code, stderr } = await repository.helix(line.split(' ').slice(1));
    expect(code, stderr).toBe(0);
  }
  const { phases, findings } = PlanDocument.parse(JSON.parse((await repository.helix(['plan', '--json'])).stdout));
  expect(findings).toEqual([]);
  expect(phases[0]?.auto).toContainEqual({
    ...{ setting: 'template', name: 'developer/typescript', reason: 'the project has typescript' },
  });
  expect(phases.at(-1)).toMatchObject({ type: 'hardware-test', gates: ['files_exist'] });
  expect((await repository.helix(['brief', 'board'])).stdout).toContain('Flash the board, watch it start');
  for (const name of ['phase-types', 'domain-experts'])
    expect((await repository.helix(['schema', name])).stdout).toContain('"$schema"');
});

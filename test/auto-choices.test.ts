import { expect, it } from 'vitest';
import { BriefDocument, PlanDocument } from '../src/domain/documents/documents.ts';
import { Repository } from './repository.ts';

const AUTO = { template: 'auto', skills: ['auto'], experts: ['auto'] };
const PHASES = [
  { id: 'build', type: 'development', config: AUTO, output: ['out.txt'] },
  { id: 'board', type: 'hardware-test', output: ['board.txt'] },
];
const FILES = {
  'request.md': 'Add a login.\n',
  'pyproject.toml': '[project]\nname = "x"\n',
  'config/phase-types.yaml': 'phase_types:\n  hardware-test: { description: Flash the board }\n',
  'config/domain-experts.yaml': 'experts:\n  ledger: { name: Ledger, description: Counts twice, triggers: [login] }\n',
};
const SETTINGS = { agents: { default: { driver: 'scripted' } }, allow_simulated: true };

async function told(repository: Repository, phase: string): Promise<string> {
  const { stdout, stderr } = await repository.helix(['brief', phase, '--json']);
  expect(stderr).toBe('');
  return BriefDocument.parse(JSON.parse(stdout)).briefs[0]?.brief ?? '';
}

it.each([
  'repo',
  'phase-dirs',
])('what auto becomes is shown by the plan, with the reason, and told to the agent (%s)', async (workspace) => {
  const repository = new Repository({ plan: { workspace }, phases: PHASES, files: FILES, settings: SETTINGS });
  const { stdout, stderr } = await repository.helix(['plan', '--json']);
  expect(stderr).toBe('');
  const [build, board] = PlanDocument.parse(JSON.parse(stdout)).phases;
  expect(build?.auto).toEqual([
    { setting: 'template', name: 'developer/python', reason: 'the project has python' },
    { setting: 'skills', name: 'python', reason: 'the project has python' },
    { setting: 'skills', name: 'security', reason: 'the request says "login"' },
    { setting: 'experts', name: 'ledger', reason: 'the request says "login"' },
    { setting: 'experts', name: 'security', reason: 'the request says "login"' },
    { setting: 'experts', name: 'python', reason: 'the project has python' },
  ]);
  expect(board).toMatchObject({ type: 'hardware-test' });
  const text = (await repository.helix(['plan'])).stdout;
  expect(text).toContain('template auto: developer/python (the project has python)');
  expect(text).toContain('experts auto: ledger (the request says "login")');
  const brief = await told(repository, 'build');
  expect(brief).toContain('You write Python that will be kept.');
  expect(brief).toContain('### `security`\n\n- Treat as hostile what comes from outside');
  expect(brief).toContain('  - Ledger: Counts twice\n');
  expect(brief).toContain('By its files, the project is written in python.');
  expect(await told(repository, 'board')).toContain('(`hardware-test`) itself:\n\nFlash the board');
});

it('a specification that an earlier phase wrote decides before the files of the project do, and the agent is told so', async () => {
  const repository = new Repository({
    phases: [{ id: 'spec', type: 'consultant', output: ['spec.yaml'] }, ...PHASES.slice(0, 1)],
    files: FILES,
    agent:
      'if [ ! -e spec.yaml ]; then echo "{ language: typescript, domain: data }" > spec.yaml; else echo done > out.txt; fi',
  });
  const { code, said } = await repository.run([]);
  expect(code, said).toBe(0);
  const brief = repository.brief;
  expect(brief).toContain('You write TypeScript that will be kept.');
  expect(brief).toContain('- Skills that help: data, typescript, security');
  expect(brief).not.toContain('You write Python');
});

it.each([
  ['an unknown variable', '{{ nonsense }}', 'undefined variable: nonsense'],
  ['an endless loop', '{% for i in (1..100000000) %}x{% endfor %}', 'memory alloc limit exceeded'],
  ['a file outside', "{% include '../../phases' %}", 'there is nothing to include at templates/../../phases.md'],
])('a template of the project with %s is refused with its place before anything starts, also where auto may come to it', async (_what, text, message) => {
  const files = { ...FILES, 'templates/developer/cobol.md': `Mind the columns.\n${text}\n` };
  const repository = new Repository({ phases: PHASES, files, settings: SETTINGS });
  const { code, stdout } = await repository.helix(['plan', '--json']);
  expect(code).toBe(2);
  expect(PlanDocument.parse(JSON.parse(stdout)).findings).toMatchObject([
    {
      check: 'template',
      message,
      location: { file: 'templates/developer/cobol.md', line: 2, column: expect.any(Number) },
    },
  ]);
  const run = await repository.run([]);
  expect({ code: run.code, events: run.events }).toEqual({ code: 2, events: [] });
  expect(run.said).toContain('templates/developer/cobol.md:2:');
});

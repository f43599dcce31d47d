import { describe, expect, it } from 'vitest';
import { BriefDocument } from '../src/domain/documents/documents.ts';
import { PHASE_TYPES } from '../src/domain/plan/plan.ts';
import { expectGolden } from './golden-brief.ts';
import { Repository } from './repository.ts';

const FILES = {
  'request.md': 'The CSV export loses umlauts. Mend it, and add a test for it.\n',
  'AGENTS.md': '# Conventions\n\n- Two spaces, no tabs.\n- Run `npm test` before you stop.\n',
  'spec.yaml':
    'goal: Exports keep every character.\nacceptance_criteria:\n  - Müller stays Müller in the exported file.\n',
  '.claude/skills/encodings/SKILL.md':
    '---\nname: encodings\ndescription: How files are encoded here\n---\nUTF-8, with BOM for Excel.\n',
};

const GATES: Readonly<Record<string, unknown>> = {
  development: [
    { type: 'tests_pass', command: ['npm', 'test'] },
    { type: 'approval', approval_type: 'code' },
  ],
  review: { type: 'review_approved' },
  planning: { type: 'adr_complete', file: 'output/adr.md' },
};

/** A phase of each type that an agent works on, one after the other. */
const PHASES = PHASE_TYPES.filter((type) => type !== 'approval' && type !== 'testing').map((type) => ({
  id: type,
  type,
  output: [type === 'review' ? 'output/review.json' : type === 'planning' ? 'output/adr.md' : `output/${type}.md`],
  ...(GATES[type] !== undefined && { quality_gate: GATES[type] }),
  ...(type === 'test' && { verify_agent: true, description: 'Show by tests that umlauts survive the export.' }),
}));

async function told(repository: Repository, phase: string): Promise<string> {
  const { stdout, stderr } = await repository.helix(['brief', phase, '--json']);
  // Most of these plans have no judge, and their specification has a criterion.
  expect(stderr).toMatch(/^$|1 warning|uncovered-criterion/);
  expect(stderr).not.toMatch(/\berror\b/);
  return BriefDocument.parse(JSON.parse(stdout)).briefs[0]?.brief ?? '';
}

describe('a brief as it is sent', () => {
  it('to a phase of each type, before a run has begun', async () => {
    const repository = new Repository({
      plan: { project: { name: 'sums', description: 'Sums things up' }, workspace: 'phase-dirs' },
      phases: PHASES,
      files: FILES,
      settings: { agents: { default: { driver: 'scripted' } }, allow_simulated: true, language: 'fr' },
    });
    for (const { type } of PHASES) expectGolden(type, await told(repository, type));
  });

  it("to phases with named templates, with what HELIX chose for them, and of a type of the project's own", async () => {
    const auto = { template: 'auto', skills: ['auto'], experts: ['auto'] };
    const all = { doc_types: ['api', 'user'], test_types: ['unit', 'e2e'], tools: ['web_search', 'file_analysis'] };
    const phases = [
      { id: 'auto', type: 'development', config: auto, output: ['out.txt'] },
      {
        id: 'analysis',
        type: 'research',
        config: { template: 'researcher/analysis', ...all },
        output: ['findings.md'],
      },
      { id: 'board', type: 'hardware-test', output: ['board.txt'] },
    ];
    const repository = new Repository({
      plan: { project: { name: 'sums', description: 'Sums things up' } },
      phases,
      files: {
        ...FILES,
        'pyproject.toml': '[project]\nname = "sums"\n',
        'config/phase-types.yaml':
          'phase_types:\n  hardware-test: { description: Flash the board and watch it start. }\n',
      },
      settings: { agents: { default: { driver: 'scripted' } }, allow_simulated: true },
    });
    for (const { id } of phases) expectGolden(`named-${id}`, await told(repository, id));
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BriefDocument } from '../src/domain/documents/documents.ts';
import { PHASE_TYPES } from '../src/domain/plan/plan.ts';
import { Repository } from './repository.ts';

const FOLDER = new URL('./briefs/', import.meta.url);

/** Compares a brief with the recorded one; HELIX_RECORD=1 records it anew, to be read before it is committed. */
function expectGolden(name: string, brief: string): void {
  const path = fileURLToPath(new URL(`${name}.md`, FOLDER));
  const text = brief.replaceAll(/git diff [0-9a-f]{12} HEAD/g, 'git diff BASE HEAD');
  mkdirSync(FOLDER, { recursive: true });
  if (process.env.HELIX_RECORD === '1' || !existsSync(path)) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

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
  expect(stderr).toBe('');
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

  it('to the second attempt of a phase in a repository, after a gate has failed', async () => {
    const repository = new Repository({
      plan: { project: { name: 'sums', description: 'Sums things up' } },
      phases: [
        { id: '01-reproduce', type: 'test', output: ['test/export.test.js'] },
        {
          id: '02-fix',
          type: 'development',
          description: 'Mend the export.',
          output: ['src/export.js'],
          quality_gate: { type: 'tests_pass', command: ['sh', 'test.sh'], max_retries: 1 },
        },
      ],
      files: {
        ...FILES,
        'test.sh': 'cat src/export.js; echo "expected Müller, got MÃ¼ller"; exit 1\n',
        'src/export.js': 'old\n',
        'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n',
      },
      agent:
        'mkdir -p test src; [ "$HELIX_PHASE" = 02-fix ] && echo new > src/export.js || echo t > test/export.test.js',
    });
    expect(await repository.run()).toMatchObject({ code: 3 });
    expectGolden('second-attempt', await told(repository, '02-fix'));
  });
});

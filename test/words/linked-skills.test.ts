import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { play } from '../approval.fixture.ts';

const SKILL = '---\nname: letters\ndescription: ZEBRA-SKILL, how letters begin\n---\n\nBegin with the LYNX-WORD.\n';
const plan = (workspace: string, skills: readonly string[]) =>
  JSON.stringify({
    project: { name: 'told', type: 'feature' },
    workspace,
    phases: [{ id: 'write', type: 'documentation', output: ['letter.md'], config: { skills } }],
  });

it.each([
  'phase-dirs',
  'repo',
])('a skill that is a link within the project is told, one that leads out is not (%s)', async (workspace) => {
  const briefs: string[] = [];
  await play(
    {
      'request.md': 'Write a letter.\n',
      'shared/letters/SKILL.md': SKILL,
      'phases.yaml': plan(workspace, ['letters']),
    },
    {
      repository: workspace === 'repo',
      links: { '.claude/skills/letters': '../../shared/letters', '.claude/skills/away': '/etc' },
      make: {
        write: (dir, { brief }) => {
          briefs.push(brief);
          writeFileSync(join(dir, 'letter.md'), 'Dear Ada,\n');
        },
      },
    },
  );
  expect(briefs).toHaveLength(1);
  expect(briefs[0]).toContain('LYNX-WORD');
  expect(briefs[0]).not.toContain('skills/away');
});

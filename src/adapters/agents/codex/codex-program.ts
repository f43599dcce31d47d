import type { KnownProgram } from '../find-agent-program.ts';

/** The program `codex`, and the flags that isolation and accounting depend on. */
export const CODEX: KnownProgram = {
  name: 'codex',
  from: '@openai/codex',
  update: 'npm install -g @openai/codex',
  // The settings that keep a repository's words and servers out are those of this version; older ones ignore some of them.
  oldest: [0, 166, 0],
  nextMajor: 1,
  help: ['exec', '--help'],
  flags: [
    '--json',
    '--skip-git-repo-check',
    '--sandbox',
    '--ephemeral',
    '--ignore-user-config',
    '--ignore-rules',
    '--output-schema',
    '--model',
  ],
  passed: ['CODEX_HOME'],
};

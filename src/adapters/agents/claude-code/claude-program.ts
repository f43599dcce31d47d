import type { KnownProgram } from '../find-agent-program.ts';

/** The program `claude`, and the flags that isolation and accounting depend on. */
export const CLAUDE: KnownProgram = {
  name: 'claude',
  from: '@anthropic-ai/claude-code',
  update: 'claude update',
  // Older ones could be led out of their walls by a repository.
  oldest: [2, 1, 163],
  nextMajor: 3,
  help: ['--help'],
  flags: [
    '--restricted',
    '--strict-mcp-config',
    '--include-partial-messages',
    '--disable-slash-commands',
    '--no-session-persistence',
    '--permission-prompts',
    '--json-schema',
    '--max-budget-usd',
    '--settings',
    '--tools',
  ],
  passed: ['CLAUDE_CONFIG_DIR'],
  env: { DISABLE_AUTOUPDATER: '1' },
};

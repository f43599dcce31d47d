import type { CommandGroup } from './command.ts';

/** `helix adr`: every command of it; each is loaded only when it is called. */
export const ADR: CommandGroup = {
  name: 'helix adr',
  about: 'checks ADRs, writes them and shows how they connect, in any repository and without configuration',
  commands: {
    check: {
      summary: 'check files or folders: structure, context rules, concept, and across files',
      light: true,
      load: async () => (await import('./adr/check.ts')).check,
    },
    explain: {
      summary: 'what a check looks for, why, and how to mend it',
      light: true,
      load: async () => (await import('./adr/explain.ts')).explain,
    },
    'diff-concept': {
      summary: 'what of a concept is lost, thinned or changed in the ADR written from it',
      light: true,
      load: async () => (await import('./adr/diff-concept.ts')).diffConceptCommand,
    },
  },
  notes: [
    'Try it on the ADRs of any repository:',
    '  helix adr check docs/adr',
    '',
    'Help on a command: helix adr <command> --help',
    'Exit codes: 0 no errors, 1 errors, 2 usage',
  ],
};

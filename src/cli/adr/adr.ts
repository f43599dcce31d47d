import type { CommandGroup } from '../call/command.ts';

/** `helix adr`: every command of it; each is loaded only when it is called. */
export const ADR: CommandGroup = {
  name: 'helix adr',
  about: 'checks ADRs, writes them and shows how they connect, in any repository and without configuration',
  commands: {
    check: {
      summary: 'check files or folders: structure, context rules, concept, and across files',
      light: true,
      load: async () => (await import('./check.ts')).check,
    },
    explain: {
      summary: 'what a check looks for, why, and how to mend it',
      light: true,
      load: async () => (await import('./explain.ts')).explain,
    },
    'diff-concept': {
      summary: 'what of a concept is lost, thinned or changed in the ADR written from it',
      light: true,
      load: async () => (await import('./diff-concept.ts')).diffConceptCommand,
    },
    new: {
      summary: 'write a new ADR with the next free number, in the form of those that are there',
      light: true,
      load: async () => (await import('./new.ts')).adrNew,
    },
    list: {
      summary: 'the ADRs of a folder with id, status, date and title',
      light: true,
      load: async () => (await import('./list.ts')).adrList,
    },
    show: {
      summary: 'one ADR: what it says about itself, and how it connects',
      light: true,
      load: async () => (await import('./show.ts')).adrShow,
    },
    graph: {
      summary: 'how the ADRs connect, as Mermaid, DOT or JSON',
      light: true,
      load: async () => (await import('./graph.ts')).adrGraph,
    },
    index: {
      summary: 'write the list of ADRs to their README, or check that it is up to date',
      light: true,
      load: async () => (await import('./index.ts')).adrIndex,
    },
    supersede: {
      summary: 'let one ADR replace another, in both files',
      light: true,
      load: async () => (await import('./supersede.ts')).adrSupersede,
    },
    for: {
      summary: 'which ADRs govern a file',
      light: true,
      load: async () => (await import('./for.ts')).adrFor,
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

import { readAdrSets } from '../../adapters/adr-files.ts';
import type { Command } from '../command.ts';

/** `helix adr check` */
export const check: Command = {
  usage: 'adr check [paths…]',
  about: 'Checks ADRs.',
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  options: {},
  examples: ['helix adr check docs/adr'],
  run: async ({ positionals, terminal }) => {
    const sets = readAdrSets(positionals, { cwd: process.cwd() });
    const { parseAdr } = await import('../../adr/parse-adr.ts');
    for (const { files } of sets)
      for (const { path, text, findings } of files) {
        if (text !== undefined) parseAdr(text, path);
        terminal.out(`${path} ${JSON.stringify(findings)}\n`);
      }
    return 0;
  },
};

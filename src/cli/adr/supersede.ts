import { resolve } from 'node:path';
import { nameOf } from '../../adr/corpus/own-id.ts';
import type { Adr } from '../../adr/document/adr.ts';
import { planSupersession, supersessionProblem } from '../../adr/write/plan-supersession.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderIndexDifference } from '../../report/adr/adr-index.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { ADR_DIR_OPTION, findAdr, type OpenAdrs, openAdrsAround } from './open-adrs.ts';
import { type Change, writeTogether } from './write-together.ts';

/** `helix adr supersede` */
export const adrSupersede: Command = {
  usage: 'adr supersede <old> <new> [--dry-run]',
  about: `Writes into both ADRs that the new one supersedes the old one, each in its own style: front matter, a Status section in the words
of adr-tools, the bullets of MADR or lines in bold, in English, German or French. Nothing else in the files changes, both are
written or none, and what they already say is left alone.`,
  positionals: { min: 2, max: 2 },
  options: { 'dry-run': { type: 'boolean', help: 'only show the lines that would change' }, dir: ADR_DIR_OPTION },
  examples: ['helix adr supersede 3 7', 'helix adr supersede docs/adr/0003-x.md docs/adr/0007-y.md --dry-run'],
  run: async (call) => {
    const [oldName = '', newName = ''] = call.positionals;
    const open = openAdrsAround(call, oldName);
    const [old, successor] = [findAdr(open, oldName), findAdr(open, newName)];
    const changes = supersessionChanges(open, old, successor);
    const { terminal } = call;
    if (changes.length === 0)
      terminal.err(`${nameOf(successor)} supersedes ${nameOf(old)} already; nothing to write\n`);
    if (!call.flag('dry-run')) writeTogether(changes.map((each) => ({ ...each, path: resolve(open.cwd, each.path) })));
    for (const { path, before, after } of changes) {
      terminal.out(`${oneLine(path, 300)}\n`);
      if (call.flag('dry-run'))
        terminal.out(renderIndexDifference(before.split(/\r\n|\n|\r/), after.split(/\r\n|\n|\r/)));
    }
    return EXIT.passed;
  },
};

/** What has to be written so that both ADRs tell it; throws when one cannot supersede the other, or cannot be edited. */
export function supersessionChanges(open: OpenAdrs, old: Adr, successor: Adr): Change[] {
  const problem = supersessionProblem(open.corpus, old, successor);
  if (problem !== undefined) throw new HelixError('usage', problem, { hint: 'Usage: helix adr supersede <old> <new>' });
  const texts = new Map([old, successor].map((adr) => [adr.path, editableText(open, adr)]));
  const plan = planSupersession(open.corpus, { old, successor, texts });
  const change = (adr: Adr, after: string | undefined): Change[] => {
    const before = texts.get(adr.path) ?? '';
    return after === undefined || after === before ? [] : [{ path: adr.path, before, after }];
  };
  return [...change(old, plan.old), ...change(successor, plan.successor)];
}

/** What is not UTF-8 cannot be written back as it was. */
function editableText({ files }: OpenAdrs, { path }: Adr): string {
  const file = files.get(path);
  const [trouble] = file?.findings ?? [];
  if (file?.text !== undefined && trouble === undefined) return file.text;
  throw new HelixError('io', `${path} cannot be edited: ${trouble?.message ?? 'it cannot be read'}`);
}

import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ioError } from '../../adapters/disk/io-error.ts';
import { factsOf } from '../../adr/corpus/adr-corpus.ts';
import { indexBlock, indexIn, withIndex } from '../../adr/write/index-block.ts';
import { relativeLink } from '../../adr/write/refer.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderAdrIndex, renderIndexDifference } from '../../report/adr/adr-index.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Call, Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { ADR_DIR_OPTION, openAdrs } from './open-adrs.ts';
import { writeTogether } from './write-together.ts';

const HEADING = '# Architecture decision records';

/** `helix adr index` */
export const adrIndex: Command = {
  usage: 'adr index [dir] [--check] [--file F]',
  about: `Keeps a table of the ADRs in a Markdown file of their folder, between the lines

  <!-- helix-adr-index -->
  <!-- /helix-adr-index -->

Everything outside of them stays as it is. The file is index.md or README.md, whichever has these lines; where there is neither
file, README.md is made. A file of yours without these lines is not touched: put them where the table belongs, or name
the file with --file, then the table is added at its end.`,
  positionals: { min: 0, max: 1 },
  options: {
    check: { type: 'boolean', help: 'write nothing; exit 1 and show the difference when the index is stale' },
    file: { type: 'string', value: 'F', help: 'the file with the index' },
    dir: ADR_DIR_OPTION,
  },
  examples: ['helix adr index', 'helix adr index --check', 'helix adr index doc/adr --file doc/decisions.md'],
  run: async (call) => {
    const { corpus, directory, cwd, unreadable } = openAdrs(call, call.positionals[0]);
    const folder = resolve(cwd, directory);
    const named = call.text('file');
    const file = named === undefined ? indexFile(folder, call.flag('check')) : resolve(cwd, named);
    const shown = relative(cwd, file).split(sep).join('/');
    const before = read(file);
    const table = renderAdrIndex(factsOf(corpus), (path) => relativeLink(path, shown));
    const { terminal } = call;
    for (const { path, message } of unreadable) terminal.err(`${oneLine(path, 300)}: ${message}\n`);
    const old = indexIn(before ?? '');
    if (old !== undefined && old.join('\n') === table.join('\n')) {
      terminal.err(`${oneLine(shown, 300)} is up to date\n`);
      return EXIT.passed;
    }
    if (call.flag('check')) {
      terminal.out(renderIndexDifference(old ?? [], table));
      terminal.err(
        `${oneLine(shown, 300)} ${old === undefined ? 'has no index' : 'is stale'}; write it: ${writingCommand(call)}\n`,
      );
      return EXIT.failed;
    }
    if (before === undefined) make(file, `${[HEADING, '', ...indexBlock(table)].join('\n')}\n`);
    else writeTogether([{ path: file, before, after: withIndex(before, table) }]);
    terminal.out(`${oneLine(shown, 300)}\n`);
    return EXIT.passed;
  },
};

/** The command that was called, without `--check`. */
function writingCommand(call: Call): string {
  const [dir, named, file] = [call.positionals[0], call.text('dir'), call.text('file')];
  const word = (text: string): string => (/^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return [
    'helix adr index',
    ...(dir === undefined ? [] : [word(dir)]),
    ...(named === undefined ? [] : ['--dir', word(named)]),
    ...(file === undefined ? [] : ['--file', word(file)]),
  ].join(' ');
}

function indexFile(folder: string, checking: boolean): string {
  const names = readdirSync(folder)
    .filter((name) => /^(?:index|readme)\.(?:md|markdown)$/i.test(name))
    .sort();
  const files = names.map((name) => join(folder, name));
  const marked = files.find((file) => indexIn(read(file) ?? '') !== undefined);
  const [first = join(folder, 'README.md')] = files;
  if (marked !== undefined || files.length === 0 || checking) return marked ?? first;
  throw new HelixError('usage', `${names.join(' and ')} of the folder has no place for the index`, {
    hint: 'Put these two lines where the table belongs: <!-- helix-adr-index --> and <!-- /helix-adr-index -->, or name a file with --file.',
  });
}

function read(file: string): string | undefined {
  let bytes: Buffer;
  try {
    if (!existsSync(file)) return undefined;
    bytes = readFileSync(file);
  } catch (error) {
    throw ioError(error, file);
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new HelixError('io', `${file} is not written in UTF-8`, { hint: 'Save the file as UTF-8.' });
}

function make(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw ioError(error, file);
  }
}

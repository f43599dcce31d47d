import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { findAdrDirectory, readAdrSets } from '../../adapters/adrs/adr-files.ts';
import type { AdrFile } from '../../adapters/adrs/read-adr-file.ts';
import { type AdrCorpus, adrCorpus } from '../../adr/corpus/adr-corpus.ts';
import { idText, nameOf, ownId } from '../../adr/corpus/own-id.ts';
import type { Adr } from '../../adr/document/adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Call } from '../call/command.ts';
import type { Terminal } from '../call/terminal.ts';

/** `--dir`, which every command about a folder of ADRs takes. */
export const ADR_DIR_OPTION = {
  type: 'string',
  short: 'C',
  value: 'DIR',
  help: 'the folder with the ADRs (default: docs/adr, doc/adr, … of this repository, or what .adr-dir names)',
} as const;

/** A folder of ADRs that was read. */
export type OpenAdrs = {
  readonly cwd: string;
  /** As seen from here. */
  readonly directory: string;
  readonly corpus: AdrCorpus;
  readonly files: ReadonlyMap<string, AdrFile>;
  readonly unreadable: readonly { readonly path: string; readonly message: string }[];
};

/** The folder a call names; throws when the name is empty, which a shell makes of an unset variable. */
export function namedDirectory(call: Call, named = call.text('dir')): string | undefined {
  if (named !== '') return named;
  throw new HelixError('usage', 'the name of the folder is empty', { hint: 'Name a folder; this one is "."' });
}

/** Where the ADRs are: the folder named, or the one of this repository; throws when there is none. */
function adrDirectory(call: Call, named?: string): string {
  const directory = namedDirectory(call, named) ?? findAdrDirectory(process.cwd());
  if (directory !== undefined) return directory;
  throw new HelixError('not_found', 'no folder with ADRs was found in this repository', {
    hint: 'Name it with --dir, or start one: helix adr new "Title" --dir docs/adr',
  });
}

/** Reads the ADRs a command is about. */
export function openAdrs(call: Call, named?: string): OpenAdrs {
  const cwd = process.cwd();
  const directory = adrDirectory(call, named);
  const read = readAdrSets([directory], { cwd }).flatMap(({ files }) => files);
  const adrs = read.flatMap(({ path, text }) => (text === undefined ? [] : [parseAdr(text, path)]));
  return {
    cwd,
    directory: relative(cwd, resolve(cwd, directory)).split(sep).join('/') || '.',
    corpus: adrCorpus(adrs),
    files: new Map(read.map((file) => [file.path, file])),
    unreadable: read.flatMap(({ path, findings }) => findings.map(({ message }) => ({ path, message }))),
  };
}

/** Reads the folder of an ADR that is named by its path, else the folder of this repository. */
export function openAdrsAround(call: Call, wanted: string): OpenAdrs {
  const isPath = call.text('dir') === undefined && /\.(?:md|markdown)$/i.test(wanted) && existsSync(wanted);
  return openAdrs(call, isPath ? dirname(wanted) : undefined);
}

/** The ADR somebody means by an id, a number, a file name or a path; throws when there is none, or more than one. */
export function findAdr({ corpus, cwd, unreadable }: OpenAdrs, wanted: string): Adr {
  const path = relative(cwd, resolve(cwd, wanted)).split(sep).join('/');
  const byPath = corpus.adrs.find((adr) => adr.path === path);
  if (byPath !== undefined) return byPath;
  const same = corpus.adrs.filter((adr) => idText(ownId(adr)?.value ?? '') === idText(wanted));
  const found =
    same.length === 0 ? new Set(corpus.adrs.flatMap((adr) => foundFrom(corpus, wanted, adr))) : new Set(same);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    throw new HelixError('usage', `${oneLine(wanted, 80)} is the name of several ADRs`, {
      hint: `Name one by its path: ${[only, ...others].map((adr) => adr.path).join(', ')}`,
    });
  }
  const broken = unreadable.find((file) => file.path === path);
  if (broken !== undefined) throw new HelixError('io', `${broken.path}: ${broken.message}`);
  const near = didYouMean(
    wanted,
    corpus.adrs.flatMap((adr) => [nameOf(adr), adr.path]),
  );
  throw new HelixError('not_found', `there is no ADR ${JSON.stringify(oneLine(wanted, 80))}`, {
    hint: near === undefined ? 'See them all: helix adr list' : `did you mean ${JSON.stringify(near)}?`,
  });
}

function foundFrom({ lookup, adrs }: AdrCorpus, wanted: string, from: Adr): readonly Adr[] {
  const found = lookup.byName(wanted, from.path);
  if (found !== 'several') return found === undefined ? [] : [found];
  const number = Number(/\d+/.exec(wanted)?.[0]);
  return adrs.filter((adr) => Number(ownId(adr)?.value) === number);
}

/** Lines are cut only where somebody looks at them: a pipe gets them whole. */
export function canvasOf({ columns, paintOut }: Terminal): Canvas {
  return { width: process.stdout.isTTY === true ? columns() : Number.POSITIVE_INFINITY, paint: paintOut };
}

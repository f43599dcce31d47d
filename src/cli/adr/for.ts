import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { findAdrDirectory } from '../../adapters/adrs/adr-files.ts';
import { adrCorpus, factsOf } from '../../adr/corpus/adr-corpus.ts';
import { governs } from '../../adr/corpus/governed-files.ts';
import type { AdrForDocument } from '../../domain/documents/adr-list-documents.ts';
import { renderAdrFor } from '../../report/adr/adr-list.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { repositoryRoot } from '../call/nearest-project.ts';
import { ADR_DIR_OPTION, canvasOf, openAdrs } from './open-adrs.ts';

const NO_FOLDER = 'no folder with ADRs was found in this repository; name it with --dir\n';
const NO_LISTS = 'ADRs name their files in front matter: files: { create: […], modify: […], docs: […] }\n';

type Governing = AdrForDocument['files'][number]['adrs'][number];

/** `helix adr for` */
export const adrFor: Command = {
  usage: 'adr for <path…> [--json]',
  about: `Which ADRs govern a file: those that list it, a folder around it or a pattern for it under files.create, files.modify or
files.docs in their front matter. What is in force comes first, the newest before the older; superseded ADRs are marked.
A folder means all that is in it, and shows all that they list of it. The file need not exist yet. Exits 0 also when no ADR lists it.`,
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: { dir: ADR_DIR_OPTION, json: JSON_OPTION },
  examples: ['helix adr for src/journal.ts', 'git diff --name-only | xargs helix adr for', 'helix adr for src --json'],
  run: async (call) => {
    const cwd = process.cwd();
    // Where nobody writes ADRs none governs the file, which is an answer.
    const none = call.text('dir') === undefined && findAdrDirectory(cwd) === undefined;
    const { corpus, directory } = none ? { corpus: adrCorpus([]), directory: '.' } : openAdrs(call);
    const root = repositoryRoot(resolve(cwd, directory)) ?? cwd;
    const facts = new Map(factsOf(corpus).map((each) => [each.path, each]));
    const tests = corpus.adrs.map((adr) => ({ adr: facts.get(adr.path), governs: governs(adr) }));
    const files = call.positionals.map((path) => {
      const file = pathFromRoot(path, { cwd, root });
      const kind = path.endsWith('/') || isFolder(resolve(root, file)) ? 'folder' : 'file';
      const adrs = tests.flatMap(({ adr, governs: test }): Governing[] =>
        adr === undefined ? [] : test(file, kind).map((found) => ({ adr, ...found })),
      );
      return { path: file, adrs: adrs.sort(byForce) };
    });
    const document: AdrForDocument = { schema: 'helix.adr-for/1', files };
    const { terminal } = call;
    terminal.out(call.flag('json') ? renderJson(document) : renderAdrFor(document, canvasOf(terminal)));
    if (!call.flag('json') && files.every(({ adrs }) => adrs.length === 0)) terminal.err(none ? NO_FOLDER : NO_LISTS);
    return EXIT.passed;
  },
};

/** ADRs name files from the root of the repository; people from where they are, or from the root as well. */
function pathFromRoot(path: string, { cwd, root }: { cwd: string; root: string }): string {
  const here = resolve(cwd, path);
  const file = !existsSync(here) && existsSync(resolve(root, path)) ? resolve(root, path) : here;
  return relative(root, file).split(sep).join('/') || '.';
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

const FORCE = ['implemented', 'accepted', 'proposed', 'none', 'deprecated', 'superseded', 'rejected'];

function byForce({ adr: a }: Governing, { adr: b }: Governing): number {
  const force = (status: string | undefined): number => Math.max(1, FORCE.indexOf(status ?? 'none'));
  const [left, right] = [`${a.date ?? ''}\n${a.id ?? ''}`, `${b.date ?? ''}\n${b.id ?? ''}`];
  return force(a.status) - force(b.status) || (left < right ? 1 : Number(left > right) * -1);
}

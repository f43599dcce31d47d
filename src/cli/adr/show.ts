import { type AdrCorpus, factsOf, titleOf } from '../../adr/corpus/adr-corpus.ts';
import { governedFiles } from '../../adr/corpus/governed-files.ts';
import type { Adr } from '../../adr/document/adr.ts';
import type { AdrShowDocument } from '../../domain/documents/adr-list-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderAdrShow } from '../../report/adr/adr-list.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { ADR_DIR_OPTION, canvasOf, findAdr, openAdrsAround } from './open-adrs.ts';

/** `helix adr show` */
export const adrShow: Command = {
  usage: 'adr show <id|path> [--json]',
  about: `One ADR: what it says about itself, its sections, whom it names and who names it, and which files it governs. It is found by
its id (ADR-007), its number (7), its file name or its path.`,
  positionals: { min: 1, max: 1 },
  options: { dir: ADR_DIR_OPTION, json: JSON_OPTION },
  examples: ['helix adr show 7', 'helix adr show docs/adr/0007-use-sqlite.md', 'helix adr show ADR-007 --json'],
  run: async (call) => {
    const wanted = call.positionals[0] ?? '';
    const open = openAdrsAround(call, wanted);
    const document = showDocument(open.corpus, findAdr(open, wanted));
    const { terminal } = call;
    terminal.out(call.flag('json') ? renderJson(document) : renderAdrShow(document, canvasOf(terminal)));
    return EXIT.passed;
  },
};

function showDocument(corpus: AdrCorpus, adr: Adr): AdrShowDocument {
  const facts = factsOf(corpus).find(({ path }) => path === adr.path);
  if (facts === undefined) throw new HelixError('not_found', `there is no ADR ${adr.path}`);
  return {
    schema: 'helix.adr-show/1',
    adr: facts,
    sections: adr.sections.map(({ title, level, line }) => ({ title, level, line })),
    references: corpus.relations
      .filter(({ from }) => from === adr)
      .map(({ reference, name, to }) => ({
        kind: reference.kind,
        name,
        ...(to !== undefined && { path: to.path, title: titleOf(to) }),
        line: reference.line,
      })),
    referencedBy: corpus.relations
      .filter(({ from, to }) => to === adr && from !== adr)
      .map(({ from, reference }) => ({
        kind: reference.kind,
        path: from.path,
        title: titleOf(from),
        line: reference.line,
      })),
    files: governedFiles(adr),
  };
}

import { graphOf } from '../../adr/corpus/adr-corpus.ts';
import type { AdrGraphDocument } from '../../domain/documents/adr-list-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderAdrDot, renderAdrMermaid } from '../../report/adr/adr-graph.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { ADR_DIR_OPTION, openAdrs } from './open-adrs.ts';

const FORMATS: Readonly<Record<string, (document: AdrGraphDocument) => string>> = {
  mermaid: renderAdrMermaid,
  dot: renderAdrDot,
  json: renderJson,
};

/** `helix adr graph` */
export const adrGraph: Command = {
  usage: 'adr graph [dir] [--format mermaid|dot|json]',
  about: `How the ADRs of a folder connect: which depends on, is related to or supersedes which, read from front matter and header
lines; what supersedes what is read from status sections too. An arrow leads from the ADR that depends or supersedes; what is
out of force is dashed.`,
  positionals: { min: 0, max: 1 },
  options: {
    format: { type: 'string', value: 'F', help: 'mermaid (default), dot or json' },
    dir: ADR_DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix adr graph',
    'helix adr graph doc/adr --format dot | dot -Tsvg > adrs.svg',
    'helix adr graph --json',
  ],
  run: async (call) => {
    const format = call.flag('json') ? 'json' : (call.text('format') ?? 'mermaid');
    const render = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (render === undefined) {
      throw new HelixError('usage', `there is no format ${JSON.stringify(format)}`, {
        hint: 'Formats: mermaid, dot, json',
      });
    }
    const { corpus, directory, unreadable } = openAdrs(call, call.positionals[0]);
    call.terminal.out(render({ schema: 'helix.adr-graph/1', directory, ...graphOf(corpus) }));
    for (const { path, message } of unreadable) call.terminal.err(`${path}: ${message}\n`);
    return EXIT.passed;
  },
};

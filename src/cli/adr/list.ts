import { factsOf } from '../../adr/corpus/adr-corpus.ts';
import { statusOf } from '../../adr/document/status.ts';
import type { AdrListDocument } from '../../domain/documents/adr-list-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderAdrList } from '../../report/adr/adr-list.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { ADR_DIR_OPTION, canvasOf, openAdrs } from './open-adrs.ts';

/** `helix adr list` */
export const adrList: Command = {
  usage: 'adr list [dir] [--status S] [--json]',
  about: `The ADRs of a folder with id, status, date and title, in the order of their numbers. The folder is the one named, or the
one this repository keeps its ADRs in.`,
  positionals: { min: 0, max: 1 },
  options: {
    status: {
      type: 'string',
      value: 'S',
      help: 'only those: proposed, accepted, implemented, superseded, deprecated, rejected, or none',
    },
    dir: ADR_DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: ['helix adr list', 'helix adr list --status accepted', 'helix adr list doc/adr --json | jq .adrs'],
  run: async (call) => {
    const wanted = wantedStatus(call.text('status'));
    const { corpus, directory, unreadable } = openAdrs(call, call.positionals[0]);
    const all = factsOf(corpus);
    const adrs = wanted === undefined ? all : all.filter(({ status = 'none' }) => status === wanted);
    const document: AdrListDocument = { schema: 'helix.adr-list/1', directory, adrs, unreadable: [...unreadable] };
    const { terminal } = call;
    if (call.flag('json')) terminal.out(renderJson(document));
    else {
      terminal.out(renderAdrList(document, canvasOf(terminal)));
      if (adrs.length === 0) terminal.err(`none of the ${all.length} ADRs in ${directory} is ${wanted}\n`);
    }
    return EXIT.passed;
  },
};

function wantedStatus(text: string | undefined): string | undefined {
  if (text === undefined || text.toLowerCase() === 'none') return text?.toLowerCase();
  const status = statusOf(text);
  if (status !== undefined) return status;
  throw new HelixError('usage', `there is no status ${JSON.stringify(text)}`, {
    hint: 'Known are: proposed, accepted, implemented, superseded, deprecated, rejected, none',
  });
}

import { relative, resolve, sep } from 'node:path';
import type { AdrCheck } from '../../adr/check-adr.ts';
import type { AdrBaseline, AdrCheckDocument } from '../../domain/documents/adr-documents.ts';
import { adrCheckDocument } from '../../report/adr/adr-check-document.ts';
import type { Call } from '../call/command.ts';
import { formatOf } from '../call/format-of.ts';
import { repositoryRoot } from '../call/nearest-project.ts';

type Shown = {
  readonly call: Call;
  readonly format: Format;
  readonly texts: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
};

type Format = (document: AdrCheckDocument, shown: Shown) => Promise<string>;

const FORMATS: Readonly<Record<string, Format>> = {
  text: async (document, { call, texts, notes }) => {
    const { renderAdrCheck } = await import('../../report/adr/adr-check-text.ts');
    const { framesIn } = await import('../../text/code-frame.ts');
    return renderAdrCheck(document, { paint: call.terminal.paintOut, frame: framesIn(texts), notes });
  },
  json: async (document) => (await import('../../report/words/json.ts')).renderJson(document),
  sarif: async (document) => {
    const { renderSarif } = await import('../../report/adr/sarif.ts');
    const { parseChecks } = await import('../../adr/checks.ts');
    const { fingerprintOf } = await import('../../adr/baseline.ts');
    const { readShippedConfig, readVersion } = await import('../../adapters/disk/shipped-config.ts');
    const known = new Map(parseChecks(readShippedConfig('adr-checks.yaml').text).map((each) => [each.check, each]));
    return renderSarif(fromRoot(document), {
      version: readVersion(),
      describe: (check) => known.get(check),
      fingerprint: fingerprintOf,
    });
  },
  github: async (document) => (await import('../../report/adr/github.ts')).renderGithub(fromRoot(document)),
  junit: async (document) => (await import('../../report/adr/junit.ts')).renderJunit(document),
};

/** Services that show findings beside the code know files by their path from the root of the repository. */
function fromRoot(document: AdrCheckDocument): AdrCheckDocument {
  const cwd = process.cwd();
  const root = repositoryRoot(cwd) ?? cwd;
  const path = (file: string): string => relative(root, resolve(cwd, file)).split(sep).join('/');
  return { ...document, files: document.files.map((file) => ({ ...file, path: path(file.path) })) };
}

/** The format a call asks for. */
export function checkFormat(call: Call): Format {
  return formatOf(call, FORMATS);
}

/** Prints what was found; what is not for machines goes to stderr where a machine reads. */
export async function renderChecks(checks: readonly AdrCheck[], shown: Shown): Promise<void> {
  const { call, format, notes } = shown;
  const text = await format(adrCheckDocument(checks), shown);
  if (format === FORMATS.github) call.terminal.outBytes(Buffer.from(text));
  else call.terminal.out(text);
  if (format !== FORMATS.text) for (const note of notes) call.terminal.err(`${note}\n`);
}

/** Says what a baseline knows now; a machine gets the baseline itself. */
export async function renderBaseline(
  baseline: AdrBaseline,
  { call, format }: Pick<Shown, 'call' | 'format'>,
): Promise<void> {
  const count = baseline.findings.reduce((sum, each) => sum + each.count, 0);
  const text = `${call.text('baseline')} knows ${count} finding${count === 1 ? '' : 's'} now\n`;
  if (format === FORMATS.text) call.terminal.out(text);
  else call.terminal.err(text);
  if (format === FORMATS.json) call.terminal.out((await import('../../report/words/json.ts')).renderJson(baseline));
}

import { dirname, resolve } from 'node:path';
import { checkConcept } from '../../adr/concept/check-concept.ts';
import { diffConcept } from '../../adr/concept/diff-concept.ts';
import type { Adr } from '../../adr/document/adr.ts';
import { parseAdr } from '../../adr/document/parse-adr.ts';
import { BASE_DEFAULTS } from '../../adr/rules/rule-set.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderConceptDiff } from '../../report/adr/concept-diff-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { readNamedFile } from './read-named-file.ts';
import { rulesOf } from './rules.ts';

/** `helix adr diff-concept` */
export const diffConceptCommand: Command = {
  usage: 'adr diff-concept <concept> <adr> [--format text|json]',
  about: `Compares a concept with the ADR written from it: which sections are lost, which are thinned, which amounts and dates changed,
with the place in both. Exits 1 when something that must be delivered is lost, thinned or changed (migration, rollback,
risks, acceptance, security, breaking changes) or less than min_coverage of its sections is carried on, 0 when not, and 2 when one of the files cannot be read. A section is left
out on purpose by the ADR's front matter: concept_waivers: [{section: "…", reason: "…"}]`,
  positionals: { min: 2, max: 2 },
  options: {
    format: { type: 'string', value: 'F', help: 'text (default) or json' },
    json: JSON_OPTION,
  },
  examples: ['helix adr diff-concept docs/concepts/storage.md docs/adr/0007-use-postgres.md'],
  run: async (call) => {
    const {
      positionals: [concept = '', path = ''],
      terminal,
    } = call;
    const format = formatOf(call);
    const adr = read(path);
    const diff = diffConcept(read(concept), adr);
    const { base = BASE_DEFAULTS } = await rulesOf(call, process.cwd(), dirname(resolve(path)));
    const failed = checkConcept(diff, adr, base.minCoverage).some(({ severity }) => severity === 'error');
    const document = { schema: 'helix.concept-diff/1' as const, ...diff };
    if (format === 'json') terminal.out(renderJson(document));
    else terminal.out(renderConceptDiff(document, { adr: path, paint: terminal.paintOut }));
    return failed ? EXIT.failed : EXIT.passed;
  },
};

const FORMATS = ['text', 'json'];

function formatOf(call: Call): string {
  const format = call.flag('json') ? 'json' : (call.text('format') ?? 'text');
  if (FORMATS.includes(format)) return format;
  throw new HelixError('usage', `there is no format ${JSON.stringify(format)}`, { hint: suggestion(format, FORMATS) });
}

/** Bytes that are not UTF-8 are read as well as they can be: the rest is still worth comparing. */
function read(path: string): Adr {
  const { text, findings } = readNamedFile(resolve(path), path);
  if (text !== undefined) return parseAdr(text, path);
  throw new HelixError('not_found', `${JSON.stringify(path)} cannot be compared: ${findings[0]?.message}`, {
    hint: 'Usage: helix adr diff-concept <concept> <adr>',
  });
}

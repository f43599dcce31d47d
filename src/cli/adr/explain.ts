import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { parseChecks } from '../../adr/checks.ts';
import type { AdrExplainDocument, CheckDescription } from '../../domain/documents/adr-documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { renderCheckList, renderExplanation } from '../../report/adr/adr-explain-text.ts';
import { renderJson } from '../../report/words/json.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { RULES_OPTION, rulesOf } from './rules.ts';

/** `helix adr explain` */
export const explain: Command = {
  usage: 'adr explain [check] [--rules FILE] [--json]',
  about: `Says what a check looks for, why it matters and how to mend what it finds; without a name it lists all checks. The rules of
the project's own rule file are checks too.`,
  positionals: { min: 0, max: 1 },
  options: { rules: RULES_OPTION, json: JSON_OPTION },
  examples: ['helix adr explain', 'helix adr explain major-needs-migration', 'helix adr explain --json | jq .checks'],
  run: async (call) => {
    const {
      positionals: [name],
      terminal,
    } = call;
    const known = [...parseChecks(readShippedConfig('adr-checks.yaml').text), ...(await ownRules(call))];
    const checks = name === undefined ? known : known.filter(({ check }) => check === name);
    if (checks.length === 0) {
      const hint = suggestion(
        name ?? '',
        known.map(({ check }) => check),
      );
      throw new HelixError('not_found', `there is no check ${JSON.stringify(name)}`, { hint });
    }
    const document: AdrExplainDocument = { schema: 'helix.adr-explain/1', checks };
    if (call.flag('json')) terminal.out(renderJson(document));
    else if (name === undefined) terminal.out(renderCheckList(checks, terminal.paintOut));
    else terminal.out(checks.map((check) => renderExplanation(check, terminal.paintOut)).join('\n'));
    return EXIT.passed;
  },
};

async function ownRules(call: Call): Promise<CheckDescription[]> {
  const { rules, path, shipped } = await rulesOf(call, process.cwd());
  if (shipped) return [];
  return rules.map(({ id, severity, message }) => ({
    check: id,
    layer: 2,
    severity,
    summary: message,
    why: `A rule of this project, from ${path}.`,
    mend: `Look at what the rule requires there: ${path}.`,
  }));
}

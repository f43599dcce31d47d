import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { upward } from '../../adapters/adrs/adr-files.ts';
import { readAdrFile } from '../../adapters/adrs/read-adr-file.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Call, CommandOption } from '../call/command.ts';

const RULES = join('config', 'adr-completeness-rules.yaml');

/** `--rules`, which the commands with rules take. */
export const RULES_OPTION: CommandOption = {
  type: 'string',
  value: 'FILE',
  help: `rules to check by (default: ${RULES} here or above, else those HELIX ships)`,
};

/** The rules of a call: those it names, those of the project, or those HELIX ships; a file with errors is shown and refused. */
export async function rulesOf(call: Call, cwd: string): Promise<RuleSet> {
  const named = call.text('rules');
  const own =
    named ??
    upward(cwd)
      .map((directory) => join(directory, RULES))
      .find((file) => existsSync(file));
  const shipped = readShippedConfig('adr-completeness-rules.yaml');
  if (own === undefined || resolve(cwd, own) === shipped.path) {
    return (await import('../../adr/rules/load/shipped-rules.ts')).shippedRules(shipped.text, shipped.path);
  }
  return loadOwn(resolve(cwd, own), named ?? relative(cwd, own), call);
}

async function loadOwn(file: string, path: string, { terminal }: Call): Promise<RuleSet> {
  if (!existsSync(file)) throw new HelixError('not_found', `the rules ${JSON.stringify(path)} do not exist`);
  const {
    text,
    findings: [trouble],
  } = readAdrFile(file, path);
  if (text === undefined || trouble !== undefined) {
    throw new HelixError('config', `the rules ${JSON.stringify(path)} cannot be used: ${trouble?.message}`);
  }
  await (await import('../call/lean-start.ts')).leanStart();
  const { rules, findings } = (await import('../../adr/rules/load/load-rules.ts')).loadRules(text, path);
  if (findings.length > 0) {
    const { renderFindings } = await import('../../report/words/findings-text.ts');
    const { framesIn } = await import('../../text/code-frame.ts');
    const frame = framesIn(new Map([[path, text]]));
    terminal.err(`${renderFindings(findings, { paint: terminal.paint, frame })}\n`);
  }
  if (rules === undefined) {
    throw new HelixError('config', `the rules ${JSON.stringify(path)} have errors; nothing was checked`, {
      hint: 'Its format: helix schema adr-rules',
    });
  }
  return rules;
}

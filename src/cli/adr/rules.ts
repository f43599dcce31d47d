import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { upward } from '../../adapters/adrs/adr-files.ts';
import { readAdrFile } from '../../adapters/adrs/read-adr-file.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import type { RuleSet } from '../../adr/rules/rule-set.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Call, CommandOption } from '../call/command.ts';
import { repositoryRoot } from '../call/nearest-project.ts';

const RULES = join('config', 'adr-completeness-rules.yaml');

/** `--rules`, which the commands with rules take. */
export const RULES_OPTION: CommandOption = {
  type: 'string',
  value: 'FILE',
  help: `rules to check by (default: ${RULES} of the project the ADRs lie in, else those HELIX ships)`,
};

/** The rules a call names, else those of the project around a directory, or those HELIX ships; a file with errors is shown and refused. */
export async function rulesOf(call: Call, cwd: string, directory = cwd): Promise<RuleSet> {
  return loadRules(call, cwd, call.text('rules') ?? ownRules(directory, cwd));
}

/** The rules for each of some files: those of the project it belongs to, whatever the current directory. */
export async function rulesByFile(
  call: Call,
  cwd: string,
  paths: readonly string[],
): Promise<(path: string) => RuleSet | undefined> {
  const named = call.text('rules');
  const directories = new Set(paths.map((path) => dirname(resolve(cwd, path))));
  const files = new Map([...directories].map((directory) => [directory, named ?? ownRules(directory, cwd)]));
  const loaded = new Map<string | undefined, RuleSet>();
  for (const file of files.values()) if (!loaded.has(file)) loaded.set(file, await loadRules(call, cwd, file));
  return (path) => loaded.get(files.get(dirname(resolve(cwd, path))));
}

/** Outside of a repository ADRs lie this many folders below the top of their project at most. */
const DEEPEST = 3;

/** The rule file of the project around a directory. */
function ownRules(directory: string, cwd: string): string | undefined {
  const around = repositoryRoot(directory) === undefined ? aroundOutside(directory, cwd) : upward(directory);
  return around.map((each) => join(each, RULES)).find((file) => existsSync(file));
}

function aroundOutside(directory: string, cwd: string): string[] {
  const all = [directory];
  const isBelow = `${directory}/`.startsWith(cwd === '/' ? cwd : `${cwd}/`);
  while (isBelow ? all.at(-1) !== cwd : all.length <= DEEPEST) all.push(dirname(all.at(-1) ?? directory));
  return all;
}

async function loadRules(call: Call, cwd: string, own: string | undefined): Promise<RuleSet> {
  const shipped = readShippedConfig('adr-completeness-rules.yaml');
  if (own === undefined || resolve(cwd, own) === shipped.path) {
    return (await import('../../adr/rules/load/shipped-rules.ts')).shippedRules(shipped.text, shipped.path);
  }
  return loadOwn(resolve(cwd, own), own === call.text('rules') ? own : relative(cwd, own), call);
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

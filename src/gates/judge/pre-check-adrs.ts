import { checkAgainstConcept } from '../../adr/check-against-concept.ts';
import type { Adr } from '../../adr/document/adr.ts';
import type { Finding } from '../../domain/finding.ts';
import { adrRules } from '../adr/adr-rules.ts';
import { checkAdrs, readAdrs } from '../adr/check-adrs.ts';
import { checkNamedFiles } from '../adr/check-named-files.ts';
import type { Interrupted } from '../files/ask-syntax.ts';
import type { PreCheckSource } from './pre-check-source.ts';

/** Layers 1 to 3 of the ADRs among some files. */
export async function preCheckAdrs(
  files: readonly string[],
  { read, rules: from, concept, profile, projectFiles }: PreCheckSource,
): Promise<readonly Finding[] | Interrupted> {
  const rules = await adrRules(from);
  if ('message' in rules) return { kind: 'interrupted', failure: 'setup', message: rules.message };
  const { adrs, unreadable } = await readAdrs(
    files.filter((path) => /\.(?:md|markdown)$/i.test(path)),
    { read },
  );
  if (adrs.length + unreadable.length === 0) return [nothingToCheck()];
  const { checked, others } = sorted(adrs);
  const findings = await checkAdrs(checked, {
    rules,
    ...(concept && { concept: checkAgainstConcept(concept.text, concept.path) }),
    ...(profile && { profile }),
  });
  const named = checkNamedFiles(checked, await projectFiles?.());
  return [...unreadable, ...findings, ...named, ...others.map(notChecked)];
}

/** Beside ADRs that have an id there may be other papers; where none has one, all are meant to be ADRs. */
function sorted(adrs: readonly Adr[]): { checked: readonly Adr[]; others: readonly Adr[] } {
  const { checked = [], others = [] } = Object.groupBy(adrs, ({ ids }) => (ids.length > 0 ? 'checked' : 'others'));
  return checked.length === 0 ? { checked: others, others: [] } : { checked, others };
}

function nothingToCheck(): Finding {
  const hint = 'Give the ADR as a Markdown file.';
  return { severity: 'error', check: 'approval', message: 'there is no ADR among the files', hint };
}

function notChecked({ path }: Adr): Finding {
  const message = 'not checked as an ADR: it has no id, and others have one';
  return { severity: 'info', check: 'missing-id', message, location: { file: path } };
}

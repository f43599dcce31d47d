import type { Finding } from '../../domain/finding.ts';
import type { Project } from '../../ports/project.ts';
import { normalisePath, unsafePath } from '../../text/safe-path.ts';
import type { PlanCheck } from './plan-check.ts';

/** Says what is wrong with the text of a rule file for ADRs. */
export type CheckRules = (text: string, path: string) => Promise<readonly Finding[]>;

/** A rule file that gates of the plan use, with what is wrong with it. */
export type CheckedRules = { readonly path: string; readonly text: string; readonly findings: readonly Finding[] };

const DEFAULT = 'config/adr-completeness-rules.yaml';
const LIMIT = 1024 * 1024;

/** Reads the rule files that the plan's ADR gates use: a mistake in one must not be found after the agents were paid. */
export async function checkAdrRules(
  check: PlanCheck,
  project: Project,
  checkRules: CheckRules,
): Promise<CheckedRules[]> {
  const checked = new Map<string, CheckedRules>();
  for (const { draft } of check.phases) {
    for (const { type, settings, path: at } of draft.gates) {
      if (type !== 'adr_complete' && type !== 'adr_valid') continue;
      const named = typeof settings.rules === 'string' ? settings.rules : undefined;
      const path = normalisePath(named ?? DEFAULT);
      if (checked.has(path) || unsafePath(named ?? DEFAULT) !== undefined) continue;
      const text = await project.read(path, LIMIT);
      if (text !== undefined) checked.set(path, { path, text, findings: await checkRules(text, path) });
      else if (named !== undefined) {
        const hint = 'write the rules, or leave `rules` out to use those HELIX ships';
        check.findings.error([...at, 'rules'], {
          check: 'missing-rules',
          message: `the rules ${path} do not exist`,
          hint,
        });
      }
    }
  }
  return [...checked.values()];
}

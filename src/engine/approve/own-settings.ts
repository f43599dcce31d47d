import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import { checkAgents, checkRoles } from '../../plan/check/check-agents.ts';
import { loadSettings, SETTINGS_PATH } from '../../plan/read/load-settings.ts';
import { readingBy } from '../../plan/read/reading-by.ts';
import type { Before } from '../../ports/pinned-project.ts';
import type { Project } from '../../ports/project.ts';

/** What is wrong in helix.yaml, and its text. */
export type SettingsFindings = { readonly findings: readonly Finding[]; readonly path: string; readonly text: string };

/** helix.yaml as it was before the judged work: whoever is judged has no say in who judges. */
export async function ownSettings(
  project: Project,
  before: Pick<Before, 'read'>,
  onFindings: (found: SettingsFindings) => void,
): Promise<HelixFile> {
  const { settings, findings, agentNames, text } = await loadSettings(readingBy(before.read, project));
  checkAgents(settings.agents ?? {}, findings);
  checkRoles(settings, new Set(['default', ...agentNames]), findings);
  if (findings.sorted.length > 0) onFindings({ findings: findings.sorted, path: SETTINGS_PATH, text });
  if (hasError(findings.sorted)) throw new HelixError('config', `${SETTINGS_PATH} has errors; nothing was started`);
  return settings;
}

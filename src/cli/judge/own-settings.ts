import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { HelixFile } from '../../domain/plan/helix-file.ts';
import { checkAgents, checkRoles } from '../../plan/check/check-agents.ts';
import { loadSettings, SETTINGS_PATH } from '../../plan/read/load-settings.ts';
import type { Project } from '../../ports/project.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
import { framesIn } from '../../text/code-frame.ts';
import type { Terminal } from '../call/terminal.ts';

/** A project's files as they were before the judged work. */
export type BeforeWork = { readonly read: (path: string, limit: number) => Promise<string | undefined> };

/** helix.yaml as it was before the judged work: whoever is judged has no say in who judges. */
export async function ownSettings(project: Project, before: BeforeWork, terminal: Terminal): Promise<HelixFile> {
  const { settings, findings, agentNames, text } = await loadSettings({
    dir: project.dir,
    read: before.read,
    match: (pattern) => project.match(pattern),
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
    hasDirectory: (path) => project.hasDirectory(path),
    inGit: () => project.inGit(),
    fromTop: (path) => project.fromTop(path),
  });
  checkAgents(settings.agents ?? {}, findings);
  checkRoles(settings, new Set(['default', ...agentNames]), findings);
  refuse(findings.sorted, text, terminal);
  return settings;
}

function refuse(findings: readonly Finding[], text: string, terminal: Terminal): void {
  if (findings.length > 0) {
    const frame = framesIn(new Map([[SETTINGS_PATH, text]]));
    terminal.err(`${renderFindings(findings, { paint: terminal.paint, frame })}\n`);
  }
  if (hasError(findings)) throw new HelixError('config', `${SETTINGS_PATH} has errors; nothing was started`);
}

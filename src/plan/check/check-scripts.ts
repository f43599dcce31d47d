import type { Finding } from '../../domain/finding.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { growsPlan } from '../../domain/plan-growth.ts';
import type { Project } from '../../ports/project.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { loadScript } from '../read/load-script.ts';

/** Beside the plan, for every scripted agent that names no other. */
const DEFAULT_SCRIPT = 'scripted.yaml';

/** A script that was looked at. */
export type CheckedScript = { readonly path: string; readonly text: string; readonly findings: readonly Finding[] };

/** Checks the scripts of scripted agents; only warnings, because a run may use another agent. */
export async function checkScripts(
  agents: Readonly<Record<string, AgentSettings>>,
  phases: readonly Phase[],
  project: Project,
): Promise<CheckedScript[]> {
  const scripted = Object.values(agents).filter(({ driver }) => driver === 'scripted');
  const paths = new Set(scripted.map(({ script }) => script ?? DEFAULT_SCRIPT));
  const checked: CheckedScript[] = [];
  for (const path of [...paths].filter((each) => unsafePath(each) === undefined)) {
    const loaded = await loadScript(
      project,
      path,
      phases.map(({ id }) => id),
    );
    if (loaded === undefined) continue;
    const grows = phases.some(growsPlan);
    const findings = loaded.findings.filter(({ check }) => !(grows && check === 'unknown-phase'));
    checked.push({
      path,
      text: loaded.text,
      findings: findings.map((each) => ({ ...each, severity: 'warning' as const })),
    });
  }
  return checked;
}

import type { Judges } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { chooseConsultant, isConsulted, withoutConsultant, withUsableModels } from './choose-consultant.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/** Who does the work, who judges it, and when a consultant is asked. */
type Crew = { readonly creator: string; readonly judges: Judges; readonly escalation: EscalationSettings };

/** The judges of a run with its consultant, and its ladder, which has no consultant where nobody can be one. */
export function consulted(crew: Parameters<typeof chooseConsultant>[0], escalation: EscalationSettings) {
  const judges = judgesOf(crew.settings, crew.agents, crew.agent);
  const consultant = chooseConsultant(crew);
  if (consultant === undefined) return { judges, escalation: withoutConsultant(escalation) };
  return { judges: { ...judges, consultant }, escalation: withUsableModels(escalation, crew) };
}

/** The agents that judge: the one the user names for everything, those of helix.yaml, else the default one. */
export function judgesOf({ roles = {} }: HelixFile, agents: Agents, agent?: string): Judges {
  const judge = (role: Exclude<keyof Judges, 'fixed'>) => {
    const driver = agent === undefined ? undefined : agents[agent]?.driver;
    const able = driver !== undefined && CAPABILITIES[driver].roles.includes(role);
    return able && agent !== undefined ? agent : (roles[role] ?? 'default');
  };
  const chosen = { reviewer: judge('reviewer'), verifier: judge('verifier'), consultant: judge('consultant') };
  return { ...chosen, ...(agent !== undefined && { fixed: true }) };
}

/** The agents some phases need: to do the work, to judge it where a judge is asked, and to be asked when it fails. */
export function agentsFor(phases: readonly Phase[], { creator, judges, escalation }: Crew): Set<string> {
  const needed = phases.flatMap((phase) => [
    ...(phase.type === 'approval' ? [] : [phase.agent ?? creator]),
    ...rolesAsked(phase).map((role) => judgeOf(phase, role, judges)),
  ]);
  return new Set([...needed, ...(isConsulted(phases, escalation) ? [judges.consultant] : [])]);
}

/** Who judges in a phase: an approval phase may name its own. */
function judgeOf({ type, agent }: Phase, role: 'reviewer' | 'verifier', judges: Judges): string {
  return type === 'approval' && agent !== undefined && judges.fixed !== true ? agent : judges[role];
}

/** The judges that the gates of a phase ask, or may ask. */
export function rolesAsked({ gates }: Pick<Phase, 'gates'>): ('reviewer' | 'verifier')[] {
  return gates.flatMap(({ type, settings }) => {
    if (type === 'verification') return ['verifier' as const];
    const semantic = type === 'adr_complete' && String(settings.semantic ?? 'auto') !== 'false';
    return type === 'approval' || semantic ? ['reviewer' as const] : [];
  });
}

/** Throws HelixError `config` where an agent is to judge that cannot. */
export function refuseJudges(phases: readonly Phase[], judges: Judges, agents: Agents): void {
  for (const phase of phases) {
    for (const role of rolesAsked(phase)) {
      const name = judgeOf(phase, role, judges);
      const driver = agents[name]?.driver;
      if (driver === undefined || CAPABILITIES[driver].roles.includes(role)) continue;
      throw new HelixError(
        'config',
        `phase ${phase.id} asks a ${role}, and the agent ${name} (${driver}) cannot be one`,
        {
          hint: `Name another agent in helix.yaml: roles: { ${role}: … }`,
        },
      );
    }
  }
}

import { CAPABILITIES } from '../../domain/plan/driver.ts';
import type { EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';

type Agents = Readonly<Record<string, AgentSettings>>;

/** Who works in a run, and what helix.yaml and the user say of it. */
type Crew = {
  readonly phases: readonly Phase[];
  readonly agents: Agents;
  readonly creator: string;
  readonly settings: HelixFile;
  /** The agent the user names for everything. */
  readonly agent?: string | undefined;
  readonly ownModels: boolean;
};

/**
 * The agent that is asked when attempts have failed: the one that is named, else one of those that do the work. Undefined when
 * none of them can be a consultant; then a human is asked straight away.
 */
export function chooseConsultant({ phases, agents, creator, settings, agent }: Crew): string | undefined {
  if (agent !== undefined) return isAble(agents[agent]) ? agent : undefined;
  const named = settings.roles?.consultant;
  if (named !== undefined) return named;
  const workers = workersOf(phases, creator);
  // The default agent that nobody has written down may not even be installed.
  const written = settings.agents?.default === undefined ? [] : ['default'];
  const candidates = [...(workers.includes(creator) ? [creator] : []), ...written, ...workers];
  return candidates.find((name) => isAble(agents[name]));
}

function workersOf(phases: readonly Phase[], creator: string): string[] {
  return phases.filter(({ type }) => type !== 'approval').map((phase) => phase.agent ?? creator);
}

/** The ladder with just the models that somebody who works can be told of: those HELIX ships are none of Codex's. */
export function withUsableModels(
  escalation: EscalationSettings,
  { phases, agents, creator, ownModels }: Crew,
): EscalationSettings {
  const takesModels = workersOf(phases, creator).some((name) => {
    const driver = agents[name]?.driver;
    return driver !== undefined && CAPABILITIES[driver].model && (ownModels || driver !== 'codex');
  });
  if (takesModels) return escalation;
  const models = escalation.consultant.models.filter((name) => Object.hasOwn(agents, name));
  return { ...escalation, consultant: { ...escalation.consultant, models } };
}

function isAble(agent: AgentSettings | undefined): boolean {
  return agent !== undefined && CAPABILITIES[agent.driver].roles.includes('consultant');
}

/** The ladder without the rung that nobody can take. */
export function withoutConsultant(escalation: EscalationSettings): EscalationSettings {
  return { ...escalation, consultant: { ...escalation.consultant, attempts: 0 } };
}

/** Tells whether a failure of one of these phases can lead to the consultant. */
export function isConsulted(phases: readonly Phase[], { consultant }: EscalationSettings): boolean {
  if (consultant.attempts === 0) return false;
  return phases.some(({ type, gates }) => type !== 'approval' && gates.some(({ onFailure }) => onFailure !== 'abort'));
}

/** The agents that a consultant may let take over. */
export function substitutes(
  phases: readonly Phase[],
  { agents, escalation }: { agents: Agents; escalation: EscalationSettings },
): string[] {
  const { actions, models } = escalation.consultant;
  if (!actions.includes('model_switch') || !isConsulted(phases, escalation)) return [];
  return models.filter((name) => Object.hasOwn(agents, name));
}

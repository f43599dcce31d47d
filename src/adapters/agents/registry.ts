import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/helix-file.ts';
import type { Agent } from '../../ports.ts';
import type { AgentWorld } from './agent-world.ts';

type Driver = (settings: AgentSettings, world: AgentWorld) => Promise<Agent>;

const DRIVERS: Readonly<Record<string, Driver>> = {
  acp: async (settings, world) => (await import('./acp/acp.ts')).openAcp(settings, world),
  'claude-code': async (settings, world) =>
    (await import('./claude-code/claude-code.ts')).openClaudeCode(settings, world),
  codex: async (settings, world) => (await import('./codex/codex.ts')).openCodex(settings, world),
  command: async (settings, world) => (await import('./command.ts')).openCommand(settings, world),
  replay: async (settings, world) => (await import('./replay.ts')).openReplay(settings, world),
  scripted: async (settings, world) => (await import('./open-scripted.ts')).openScripted(settings, world),
};

/** The drivers that are built. */
export const BUILT_DRIVERS: ReadonlySet<string> = new Set(Object.keys(DRIVERS));

/** Opens an agent by its settings. */
export async function openAgent(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const driver = DRIVERS[settings.driver];
  if (driver === undefined) throw new HelixError('not_built', `the agent driver ${settings.driver} is not built yet`);
  return driver(settings, world);
}

import type { Driver } from '../domain/plan/driver.ts';
import type { AgentSettings } from '../domain/plan/helix-file.ts';
import type { Agent } from '../ports/agent.ts';
import type { AgentWorld } from './agents/agent-world.ts';

type Open = (settings: AgentSettings, world: AgentWorld) => Promise<Agent>;

const DRIVERS: Readonly<Record<Driver, Open>> = {
  acp: async (settings, world) => (await import('./agents/acp/acp.ts')).openAcp(settings, world),
  'claude-code': async (settings, world) =>
    (await import('./agents/claude-code/claude-code.ts')).openClaudeCode(settings, world),
  codex: async (settings, world) => (await import('./agents/codex/codex.ts')).openCodex(settings, world),
  command: async (settings, world) => (await import('./agents/command.ts')).openCommand(settings, world),
  replay: async (settings, world) => (await import('./agents/replay.ts')).openReplay(settings, world),
  scripted: async (settings, world) => (await import('./agents/open-scripted.ts')).openScripted(settings, world),
};

/** Opens an agent by its settings; throws HelixError `config`. */
export function openAgent(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  return DRIVERS[settings.driver](settings, world);
}

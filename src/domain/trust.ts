import type { AgentSettings, HelixFile } from './helix-file.ts';
import type { Plan } from './plan.ts';

/** Lists everything in a plan and its settings that could do harm, one line each, in a stable order. */
export function harms(plan: Plan, agents: Readonly<Record<string, AgentSettings>>, settings: HelixFile): string[] {
  const lines = [
    ...plan.workspace.setup.map((argv) => `set-up command: ${words(argv)}`),
    ...plan.workspace.copy.map((path) => `copies into workspaces: ${path}`),
    ...plan.phases.flatMap((phase) =>
      phase.gates.flatMap((gate) => [
        ...(gate.settings.command === undefined
          ? []
          : [`gate command of ${phase.id}: ${words(gate.settings.command)}`]),
        ...(gate.settings.network ? [`network for a gate of ${phase.id}: ${String(gate.settings.network)}`] : []),
      ]),
    ),
    ...Object.entries(agents)
      .filter(([, agent]) => agent.driver !== 'scripted')
      .flatMap(([name, agent]) => [
        `agent ${name}: ${agent.driver}${agent.command === undefined ? '' : ` (${words(agent.command)})`}`,
        ...(agent.env ?? []).map((variable) => `environment for agent ${name}: ${variable}`),
        ...(agent.mcp ?? []).map((server) => `MCP server for agent ${name}: ${JSON.stringify(server)}`),
      ]),
    ...(settings.network?.creator ?? []).map((domain) => `network for agents: ${domain}`),
    ...(settings.network?.gate ? [`network for gates: ${String(settings.network.gate)}`] : []),
    ...(settings.sandbox === 'none' || settings.sandbox === 'basic' ? [`sandbox: ${settings.sandbox}`] : []),
    ...(settings.notify ?? []).map((entry) => `notification: ${JSON.stringify(entry)}`),
  ];
  return [...new Set(lines)].sort();
}

function words(command: unknown): string {
  return typeof command === 'string' ? `shell: ${command}` : JSON.stringify(command);
}

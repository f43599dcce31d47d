import type { McpServer } from '../../../domain/plan/helix-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The MCP servers of an agent's settings as the protocol names them. */
export function acpServers(servers: readonly McpServer[], source: Environment): object[] {
  return servers.map((server) => {
    if ('url' in server) return { type: 'http', name: server.name, url: server.url, headers: [] };
    const [command, ...args] = server.command;
    const env = (server.env ?? []).flatMap((name) =>
      Object.hasOwn(source, name) ? [{ name, value: source[name] }] : [],
    );
    return { name: server.name, command, args, env };
  });
}

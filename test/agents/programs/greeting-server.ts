// An MCP server on stdio with one tool, `greeting`, which answers with what it was told in its environment.
import { createInterface } from 'node:readline';

type Call = { readonly id?: number; readonly method: string; readonly params?: { readonly protocolVersion?: string } };

const TOOL = { name: 'greeting', description: 'The greeting of this house', inputSchema: { type: 'object' } };

function resultOf({ method, params }: Call): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'greetings', version: '1.0.0' },
      };
    case 'tools/list':
      return { tools: [TOOL] };
    case 'tools/call':
      return { content: [{ type: 'text', text: `The greeting is ${process.env.GREETING ?? 'unknown'}.` }] };
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line) as Call;
  if (call.id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: resultOf(call) })}\n`);
}

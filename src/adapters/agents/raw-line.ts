import type { AgentTask } from '../../ports/agent.ts';
import { sanitise } from '../../text/sanitise.ts';

const SHOWN = 2000;

type Spoken = { readonly line: string; readonly stream: 'stdout' | 'stderr'; readonly truncated: boolean };

/** Hands on a line that is no event of the agent's own: kept as it is, a giant one only in part. */
export function handOnRaw({ onLine }: Pick<AgentTask, 'onLine'>, { line, stream, truncated }: Spoken): void {
  const text = sanitise(truncated ? line.slice(0, SHOWN) : line);
  onLine(JSON.stringify({ type: 'text', stream, text, ...(truncated && { truncated }) }), text);
}

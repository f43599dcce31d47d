import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';

/** An agent whose real program the tests drive. */
export type AgentName = 'claude-code' | 'codex' | 'claude-agent-acp';

type Found = { readonly program: string } | { readonly missing: string };

const INSTALLER = fileURLToPath(new URL('../../scripts/install-agents.mjs', import.meta.url));
const found = new Map<AgentName, Found>();

/** The program of an agent, or why there is none. */
export function findAgent(name: AgentName): Found {
  const known = found.get(name) ?? ask(name);
  found.set(name, known);
  return known;
}

/** The program of an agent; where it is not installed the test is skipped, or fails if HELIX_REQUIRE_AGENTS names it. */
export function requireAgent(test: TestContext, name: AgentName): string {
  const agent = findAgent(name);
  if ('program' in agent) return agent.program;
  if ((process.env.HELIX_REQUIRE_AGENTS ?? '').split(',').includes(name)) throw new Error(agent.missing);
  return test.skip(agent.missing);
}

function ask(name: AgentName): Found {
  const { status, stdout, stderr } = spawnSync(process.execPath, [INSTALLER, '--where', name], { encoding: 'utf8' });
  if (status === 0) return { program: stdout.trim() };
  // Reporters show how many tests were skipped, but not why.
  process.stderr.write(`skipped: ${stderr}`);
  return { missing: stderr.trim() };
}

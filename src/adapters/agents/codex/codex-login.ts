import { tmpdir } from 'node:os';
import type { Processes } from '../../../ports/processes.ts';
import { codexEnvironment } from './codex-environment.ts';

const LOOK_MS = 10_000;

/** How Codex would be let in, as far as it knows without asking anybody. */
export async function codexLogin(
  argv: readonly string[],
  processes: Processes,
): Promise<'key' | 'subscription' | undefined> {
  const env = codexEnvironment(process.env, { driver: 'codex' }, { role: 'reviewer' });
  if (env.CODEX_API_KEY) return 'key';
  const end = await processes.run({
    argv: [...argv, 'login', 'status'],
    ...{ cwd: tmpdir(), env, marker: `codex-login-${process.pid}`, wallMs: LOOK_MS },
  });
  if (end.exitCode !== 0) return undefined;
  return /chatgpt/i.test(end.tail) ? 'subscription' : 'key';
}

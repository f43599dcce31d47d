import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where HELIX keeps what can be found out anew. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(home, '.cache'), 'helix');
}

/** Where a project's worktrees and installed dependencies are kept. */
export function projectCache(
  projectDir: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  return join(cacheDirectory(env, home), createHash('sha256').update(projectDir).digest('hex').slice(0, 16));
}

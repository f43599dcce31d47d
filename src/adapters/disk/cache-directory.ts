import { join } from 'node:path';

/** Where HELIX keeps what can be found out anew. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(home, '.cache'), 'helix');
}

import { HelixError } from '../../../domain/helix-error.ts';
import type { Git } from './git.ts';

const PLACES = ['refs/', 'refs/heads/', 'refs/tags/', 'refs/remotes/'];
/** What git looks for nowhere else: a full id, a whole name, and names of its own. */
const PLAIN = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|refs\/.*|[A-Z_]*HEAD|@)$/;

/**
 * The commit a user means by a name; undefined where there is none. A tag of the same name as a branch would win over it in git, and
 * somebody else may have made it: a name of several things throws HelixError `usage`.
 */
export async function commitOf(
  git: Git,
  name: string,
  place: { readonly gitDir: string } | { readonly cwd: string },
): Promise<string | undefined> {
  const resolve = async (revision: string) => {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const { code, out } = await git.run(args, { ...place, answers: [1, 128] });
    const commit = out.toString('utf8').trim();
    return code === 0 && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
  };
  const [, plain = name] = /^([^~^@:]+)[~^@:]/.exec(name) ?? [];
  if (PLAIN.test(plain)) return resolve(name);
  const held = new Map<string, string>();
  for (const place of PLACES) {
    const commit = await resolve(place + plain);
    if (commit !== undefined) held.set(place + plain, commit);
  }
  const names = [...held.keys()];
  if (new Set(held.values()).size > 1) {
    throw new HelixError('usage', `${JSON.stringify(plain)} is the name of several things: ${names.join(', ')}`, {
      hint: `Say which one you mean, for example: ${names[0]}`,
    });
  }
  return resolve(names[0] === undefined ? name : names[0] + name.slice(plain.length));
}

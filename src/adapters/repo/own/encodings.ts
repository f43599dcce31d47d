import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { nulSeparated } from '../git/git.ts';
import type { OwnRepository } from './own-repository.ts';

const ENCODING = 'working-tree-encoding';
const NONE = new Set(['unspecified', 'unset', 'set', '']);

/** Which files of a tree a checkout has in another encoding than git keeps them in, by the attributes of that tree. */
export async function encodingsIn(
  { git, dir, user }: OwnRepository,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const scratch = mkdtempSync(join(tmpdir(), 'helix-index-'));
  try {
    const place = { gitDir: dir, index: join(scratch, 'index') };
    await git.run(['read-tree', tree], place);
    const input = paths.map((path) => `${posix.join(user.prefix, path)}\0`).join('');
    const { out } = await git.run(['check-attr', '--cached', '-z', '--stdin', ENCODING], { ...place, input });
    const words = nulSeparated(out).map(String);
    const encodings = paths.map((path, at): [string, string] => [path, words[3 * at + 2] ?? '']);
    return new Map(encodings.filter(([, encoding]) => !NONE.has(encoding) && !/^utf-?8$/i.test(encoding)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

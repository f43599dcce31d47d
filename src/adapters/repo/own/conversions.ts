import { rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Conversion } from '../../../ports/tree.ts';
import { makePrivateDirectory } from '../../disk/private-directory.ts';
import { nulSeparated } from '../git/git.ts';
import type { OwnRepository } from './own-repository.ts';

const ATTRIBUTES = ['working-tree-encoding', 'ident', 'eol', 'text', 'filter'] as const;
const NONE = new Set(['unspecified', 'unset', 'set', '']);
/** Judged by those who know of pointers. */
const LARGE_FILES = 'lfs';

/** How git writes files of a tree in a checkout other than it keeps them, by the attributes of that tree. */
export async function conversionsIn(
  { git, dir, user }: OwnRepository,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, readonly Conversion[]>> {
  const scratch = makePrivateDirectory('index', dir);
  try {
    const place = { gitDir: dir, index: join(scratch, 'index') };
    await git.run(['read-tree', tree], place);
    const input = paths.map((path) => `${posix.join(user.prefix, path)}\0`).join('');
    const { out } = await git.run(['check-attr', '--cached', '-z', '--stdin', ...ATTRIBUTES], { ...place, input });
    const words = nulSeparated(out).map(String);
    const values = (at: number) => ATTRIBUTES.map((_, index) => words[3 * (ATTRIBUTES.length * at + index) + 2] ?? '');
    const all = paths.map((path, at) => [path, conversionsBy(values(at))] as const);
    return new Map(all.filter(([, conversions]) => conversions.length > 0));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function conversionsBy([encoding = '', ident = '', eol = '', text = '', filter = '']: readonly string[]): Conversion[] {
  const isEncoded = !NONE.has(encoding) && !/^utf-?8$/i.test(encoding);
  const isFiltered = !NONE.has(filter) && filter !== LARGE_FILES;
  return [
    ...(isEncoded ? [{ by: 'encoding', to: encoding } as const] : []),
    ...(ident === 'set' ? [{ by: 'ident' } as const] : []),
    ...(eol === 'crlf' && text !== 'unset' ? [{ by: 'eol' } as const] : []),
    ...(isFiltered ? [{ by: 'filter', to: filter } as const] : []),
  ];
}

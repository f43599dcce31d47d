import type { Finding } from '../../../domain/finding.ts';
import { nulSeparated } from '../git/git.ts';
import { seenFrom } from '../git/seen-from.ts';
import { commitTree } from './commit.ts';
import type { OwnRepository } from './own-repository.ts';

type Sides = {
  /** What the phase made. */
  readonly tree: string;
  /** The commit it started from. */
  readonly base: string | undefined;
  /** The commit the run has come to since. */
  readonly tip: string;
};

/** Merges what a phase made into what the run has come to; where both changed the same lines, the tree has markers there. */
export async function joinTrees(
  repository: OwnRepository,
  { tree, base, tip }: Sides,
): Promise<{ tree: string; conflicts: Finding[] }> {
  const { id } = await commitTree(repository, { tree, parent: base, message: 'join\n', sign: false });
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories'];
  const { code, out } = await repository.git.run([...args, tip, id], { gitDir: repository.dir, answers: [1] });
  const [merged = Buffer.alloc(0), ...names] = nulSeparated(out);
  const { prefix } = repository.user;
  const files = code === 0 ? [] : names.filter(({ length }) => length > 0);
  return {
    tree: merged.toString(),
    conflicts: files.map((file) => conflict(seenFrom(prefix, file.toString('utf8')))),
  };
}

function conflict(file: string): Finding {
  return {
    severity: 'error',
    check: 'merge-conflict',
    message: `${file} was changed by another phase at the same time, and the two do not fit together`,
    hint: 'Both versions lie between conflict markers in the file: make one of them, and remove the markers.',
    location: { file },
  };
}

import { GitTree } from './git-tree.ts';
import type { OwnRepository } from './own-repository.ts';

const KEPT = 4;

/** Opens trees by their id and keeps the latest of them: one attempt asks for the same few again and again. */
export class OpenTrees {
  readonly #repository: OwnRepository;
  readonly #kept = new Map<string, Promise<GitTree>>();

  constructor(repository: OwnRepository) {
    this.#repository = repository;
  }

  open(id: string): Promise<GitTree> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known;
    const tree = GitTree.open(id, this.#repository);
    this.#kept.set(id, tree);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return tree;
  }
}

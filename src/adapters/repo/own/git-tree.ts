import { posix } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Tree, TreeFile } from '../../../ports/tree.ts';
import { nulSeparated } from '../git/git.ts';
import type { OwnRepository } from './own-repository.ts';

const MAX_LINKS = 16;

type Item = { readonly path: string; readonly mode: string; readonly object: string; readonly size: number };

/** A tree of the whole repository, seen from the project's directory. */
export class GitTree implements Tree {
  readonly id: string;
  readonly files: readonly TreeFile[];
  readonly problems = [];
  readonly #items: ReadonlyMap<string, Item>;
  readonly #repository: OwnRepository;

  private constructor(id: string, items: readonly Item[], repository: OwnRepository) {
    this.id = id;
    this.#repository = repository;
    this.#items = new Map(items.map((item) => [item.path, item]));
    this.files = items.filter(({ mode }) => mode.startsWith('100')).map(fileOf);
  }

  /** Opens a tree by its id; throws HelixError `journal` when it is gone. */
  static async open(id: string, repository: OwnRepository): Promise<GitTree> {
    const { prefix } = repository.user;
    const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', id, ...(prefix === '' ? [] : ['--', `${prefix}/`])];
    const { code, out } = await repository.git.run(args, { gitDir: repository.dir, answers: [128] });
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) {
      throw new HelixError('journal', `the stored tree ${id.slice(0, 12)} is gone or damaged`, {
        hint: 'The run cannot go on without it; start a new one: helix run',
      });
    }
    const below = prefix === '' ? 0 : prefix.length + 1;
    return new GitTree(
      id,
      nulSeparated(out).map((line) => itemOf(line.toString('utf8'), below)),
      repository,
    );
  }

  /** The files in the folders above the project; none for a project at the top. */
  async above(): Promise<TreeFile[]> {
    const { git, dir, user } = this.#repository;
    const found: TreeFile[] = [];
    for (let at = posix.dirname(user.prefix); user.prefix !== ''; at = posix.dirname(at)) {
      const path = at === '.' ? [] : ['--', `${at}/`];
      const { out } = await git.run(['ls-tree', '-l', '-z', '--full-tree', this.id, ...path], { gitDir: dir });
      const items = nulSeparated(out).map((line) => itemOf(line.toString('utf8'), 0));
      found.push(
        ...items
          .filter(({ mode }) => mode.startsWith('100'))
          .map((item) => fileOf({ ...item, path: posix.relative(user.prefix, item.path) })),
      );
      if (at === '.') break;
    }
    return found;
  }

  get linkPaths(): string[] {
    return [...this.#items.values()].filter(({ mode }) => mode === '120000').map(({ path }) => path);
  }

  /** Submodules of the project: where they lie and which commit belongs there. */
  get submodules(): { path: string; commit: string }[] {
    const links = [...this.#items.values()].filter(({ mode }) => mode === '160000');
    return links.map(({ path, object }) => ({ path, commit: object }));
  }

  async read(path: string, limit: number): Promise<Buffer | undefined> {
    const item = await this.#resolve(path);
    return item && this.#repository.contents.read(item.object, limit);
  }

  /** Follows links that stay in the project, also those among a path's folders. */
  async #resolve(path: string): Promise<Item | undefined> {
    let at = posix.normalize(path);
    for (let links = 0; links < MAX_LINKS; links += 1) {
      const found = this.#items.get(at);
      if (found?.mode.startsWith('100')) return found;
      const link = found?.mode === '120000' ? found : this.#linkAbove(at);
      if (link === undefined) return undefined;
      const target = (await this.#repository.contents.read(link.object, 4096)).toString('utf8');
      if (target.startsWith('/')) return undefined;
      at = posix.join(posix.dirname(link.path), target, at.slice(link.path.length));
      if (at === '..' || at.startsWith('../')) return undefined;
    }
    return undefined;
  }

  #linkAbove(path: string): Item | undefined {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) {
      const item = this.#items.get(at);
      if (item?.mode === '120000') return item;
    }
    return undefined;
  }
}

function itemOf(line: string, below: number): Item {
  const tab = line.indexOf('\t');
  const [mode = '', , object = '', size = '0'] = line.slice(0, tab).split(/ +/);
  return { path: line.slice(tab + 1 + below), mode, object, size: Number(size) || 0 };
}

function fileOf({ path, mode, object, size }: Item): TreeFile {
  return { path, digest: `git:${object}`, size, executable: mode === '100755' };
}

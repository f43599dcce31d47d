import { posix } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Conversion, Tree, TreeFile } from '../../../ports/tree.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { seenFrom } from '../git/seen-from.ts';
import { conversionsIn } from './conversions.ts';
import type { OwnRepository } from './own-repository.ts';

const MAX_LINKS = 16;
const MAX_TARGET = 4096;
/** Stands in a name for what is not UTF-8. */
const UNREADABLE = '\ufffd';

type Item = {
  readonly path: string;
  readonly mode: string;
  readonly object: string;
  readonly size: number;
  /** Whether it lies outside the project. */
  readonly outside: boolean;
};

/** A tree of the whole repository, seen from the project's directory. */
export class GitTree implements Tree {
  readonly id: string;
  readonly files: readonly TreeFile[];
  readonly outside: readonly TreeFile[];
  readonly problems: readonly Finding[];
  readonly #all: readonly Item[];
  #byPath: ReadonlyMap<string, Item> | undefined;
  readonly #repository: OwnRepository;

  private constructor(id: string, items: readonly Item[], repository: OwnRepository) {
    this.id = id;
    this.#repository = repository;
    this.#all = items;
    this.problems = namesakes(items.map(({ path }) => path).filter((path) => path.includes(UNREADABLE)));
    const files = items.filter(({ mode }) => mode.startsWith('100'));
    this.files = files.filter(({ outside }) => !outside).map(fileOf);
    this.outside = files.filter(({ outside }) => outside).map(fileOf);
  }

  /** Opens a tree by its id; throws HelixError `journal` when it is gone. */
  static async open(id: string, repository: OwnRepository): Promise<GitTree> {
    const { prefix } = repository.user;
    const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', id];
    const { code, out } = await repository.git.run(args, { gitDir: repository.dir, answers: [128] });
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) {
      throw new HelixError('journal', `the stored tree ${id.slice(0, 12)} is gone or damaged`, {
        hint: 'The run cannot go on without it; start a new one: helix run',
      });
    }
    const lines = out.toString('utf8').split('\0').slice(0, -1);
    return new GitTree(
      id,
      lines.map((line) => itemOf(line, prefix)),
      repository,
    );
  }

  /** Made when something is looked up: of most trees only the list is asked for. */
  get #items(): ReadonlyMap<string, Item> {
    this.#byPath ??= new Map(this.#all.map((item) => [item.path, item]));
    return this.#byPath;
  }

  /** The files in the folders above the project; none for a project at the top. */
  above(): TreeFile[] {
    return this.outside.filter(({ path }) => /^(\.\.\/)+[^/]+$/.test(path));
  }

  get links(): { path: string }[] {
    return this.#all.filter(({ mode }) => mode === '120000');
  }

  async target(path: string): Promise<string | undefined> {
    const item = this.#items.get(path);
    return item?.mode === '120000' ? this.#target(item) : undefined;
  }

  async #target({ object }: Item): Promise<string> {
    return (await this.#repository.contents.read(object, MAX_TARGET)).toString('utf8');
  }

  /** Submodules of the project: where they lie and which commit belongs there. */
  get submodules(): { path: string; commit: string }[] {
    const links = this.#all.filter(({ mode, outside }) => mode === '160000' && !outside);
    return links.map(({ path, object }) => ({ path, commit: object }));
  }

  async conversions(paths: readonly string[]): Promise<ReadonlyMap<string, readonly Conversion[]>> {
    const isSaid = this.#all.some(
      ({ path }) => path.endsWith('.gitattributes') && posix.basename(path) === '.gitattributes',
    );
    return isSaid && paths.length > 0 ? conversionsIn(this.#repository, this.id, paths) : new Map();
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
      const target = await this.#target(link);
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

/** Names that are not UTF-8 are told apart by git, and by nobody who reads them. */
function namesakes(paths: readonly string[]): Finding[] {
  const seen = new Set<string>();
  const twice = new Set(paths.filter((path) => seen.size === seen.add(path).size));
  return [...twice].map((path) => {
    const message = `${oneLine(path, 200)} is the name of several files, as far as it can be read`;
    return {
      severity: 'error',
      check: 'workspace',
      message,
      hint: 'Give them names in UTF-8.',
      location: { file: path },
    };
  });
}

function itemOf(line: string, prefix: string): Item {
  const tab = line.indexOf('\t');
  const [modeEnd, kindEnd] = [line.indexOf(' '), line.indexOf(' ', line.indexOf(' ') + 1)];
  const objectEnd = line.indexOf(' ', kindEnd + 1);
  const [mode, object, size] = [line.slice(0, modeEnd), line.slice(kindEnd + 1, objectEnd), line.slice(objectEnd, tab)];
  const path = line.slice(tab + 1);
  const outside = prefix !== '' && !path.startsWith(`${prefix}/`);
  return { path: seenFrom(prefix, path), mode, object, size: Number(size) || 0, outside };
}

function fileOf({ path, mode, object, size }: Item): TreeFile {
  return { path, digest: `git:${object}`, size, executable: mode === '100755' };
}

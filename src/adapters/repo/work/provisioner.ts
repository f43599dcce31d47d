import { lstatSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputFile } from '../../../domain/facts/run-event.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { present } from '../../../domain/present.ts';
import type { Project } from '../../../ports/project.ts';
import { ensureParents } from '../../trees/lay-out.ts';
import type { GitTree } from '../own/git-tree.ts';
import type { OwnRepository } from '../own/own-repository.ts';
import { workedOn } from '../user/worked-on.ts';
import { blobId } from './changes.ts';
import { NOTHING, type SetUp, type Shown } from './set-up.ts';
import type { Worktree } from './worktree.ts';

const COPY_LIMIT = 64 * 1024 * 1024;

type Means = {
  readonly repository: OwnRepository;
  readonly settings: Plan['workspace'];
  readonly project: Project;
  readonly setUp: SetUp;
  readonly tree: (id: string) => Promise<GitTree>;
};

type Provision = {
  readonly inputs: readonly InputFile[];
  /** What the phase is to deliver. */
  readonly declared: readonly string[];
  /** Where what programs write over what they are shown is to lie; without it they get copies. */
  readonly aside: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** An agent may have to mend what it broke: then it works with what could be installed last. */
  readonly mayBeBroken?: boolean;
};

/** Files that were put into a worktree, by path relative to the project, with their blob. */
type Given = Map<string, string>;

/** Brings into worktrees what is not in their tree: copies, inputs from elsewhere, and what set-up installs. */
export class Provisioner {
  readonly #means: Means;
  /** The newest tree that could be set up. */
  #settled: GitTree | undefined;

  constructor(means: Means) {
    this.#means = means;
  }

  /** Makes a worktree ready to work in; throws HelixError `setup` where that fails. */
  async provision(
    worktree: Worktree,
    tree: GitTree,
    { inputs, ...how }: Provision,
  ): Promise<Shown & { readonly given: Given }> {
    const given = await this.copyIn(worktree, tree, inputs);
    if (this.#means.settings.setup.length === 0) return { ...NOTHING, given };
    const { made, ...shown } = await this.#install(worktree, tree, how);
    return { ...shown, given: new Map([...given, ...made]) };
  }

  /** The files of it that need no set-up. */
  async copyIn({ dir }: Worktree, tree: GitTree, inputs: readonly InputFile[]): Promise<Given> {
    const { settings } = this.#means;
    const given: Given = new Map();
    for (const pattern of settings.copy) {
      const project = await workedOn(this.#means.project, settings.root);
      for (const path of await project.match(pattern)) {
        const source = join(project.dir, path);
        const { size, mode } = statSync(source);
        requireCopyable(path, size);
        given.set(path, this.#write(dir, path, { content: readFileSync(source), mode }));
      }
    }
    for (const { path, from } of inputs.filter((input) => input.from.tree !== tree.id)) {
      const pinned = await this.#means.tree(from.tree);
      const file = pinned.files.find((each) => each.path === from.path);
      requireCopyable(path, file?.size ?? 0);
      const content = await pinned.read(from.path, COPY_LIMIT);
      const mode = file?.executable ? 0o755 : 0o644;
      if (content !== undefined) given.set(path, this.#write(dir, path, { content, mode }));
    }
    return given;
  }

  #write(dir: string, path: string, { content, mode }: { readonly content: Buffer; readonly mode: number }): string {
    ensureParents(dir, path);
    rmSync(join(dir, path), { force: true });
    writeFileSync(join(dir, path), content, { mode: mode & 0o777 });
    return blobId(content, this.#means.repository);
  }

  /** Runs set-up or copies what it made; whatever it put beside its own folders is nobody's work. */
  async #install(
    worktree: Worktree,
    tree: GitTree,
    { signal, declared, aside, mayBeBroken = false }: Omit<Provision, 'inputs'>,
  ): Promise<Shown & { readonly made: [string, string][] }> {
    const { settings, setUp, repository } = this.#means;
    const added = () => worktree.added(settings.cache);
    const from = async (source: GitTree) => {
      const place = { dir: worktree.dir, tree: source, above: source.above(), added, declared };
      // Of another tree it is not known what of this one lies where something is shown.
      const beside = source === tree ? aside : undefined;
      const provided = await setUp.prepare({ ...place, ...present({ aside: beside, signal }) });
      this.#settled = source;
      return provided;
    };
    let shown: Shown;
    try {
      shown = await from(tree);
    } catch (error) {
      const settled = this.#settled;
      const isBroken = error instanceof HelixError && error.code === 'setup';
      if (!isBroken || !mayBeBroken || settled === undefined) throw error;
      shown = await from(settled);
    }
    await worktree.restore(tree);
    const made = (await added()).flatMap((path): [string, string][] => {
      const stat = lstatSync(join(worktree.dir, path), { throwIfNoEntry: false });
      if (!stat?.isFile() || stat.size > COPY_LIMIT) return [];
      return [[path, blobId(readFileSync(join(worktree.dir, path)), repository)]];
    });
    return { ...shown, made };
  }
}

function requireCopyable(path: string, size: number): void {
  if (size <= COPY_LIMIT) return;
  throw new HelixError(
    'setup',
    `${path} is too large to be copied into worktrees: ${size} bytes, the limit is ${COPY_LIMIT}`,
    {
      hint: 'Commit it, or let a command under workspace.setup make it.',
    },
  );
}

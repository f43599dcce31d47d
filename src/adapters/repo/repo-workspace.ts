import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { publishedOf } from '../../domain/facts/accepted-state.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { ManualChanges } from '../../ports/manual-changes.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Project } from '../../ports/project.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type {
  Acceptance,
  AttemptContent,
  Bounds,
  Checkout,
  Joined,
  KeptOut,
  RunCommits,
  Tip,
  VariantContent,
  Workspace,
  WorkspaceScope,
} from '../../ports/workspace.ts';
import { ioError } from '../disk/io-error.ts';
import { removeTree } from '../disk/make-accessible.ts';
import { watchFiles } from '../disk/touched-files.ts';
import { changeFiles } from '../trees/own-copy.ts';
import { Git } from './git/git.ts';
import { hasRealFolders } from './git/real-folders.ts';
import { acceptTree } from './own/accept-tree.ts';
import { commitMessage } from './own/commit-message.ts';
import { editTree } from './own/edit-tree.ts';
import { changedPaths, treeOfFiles, treeOfRevision } from './own/find-trees.ts';
import type { GitTree } from './own/git-tree.ts';
import { joinTrees } from './own/join.ts';
import { OpenTrees } from './own/open-trees.ts';
import { OwnRepository } from './own/own-repository.ts';
import { pinGitTree } from './own/pin-git-tree.ts';
import { publishBranch, takeBackBranch } from './own/publish-branch.ts';
import { treeWithout } from './own/tree-without.ts';
import { RefGuard } from './user/ref-guard.ts';
import { type Refs, UserRepository } from './user/user-repository.ts';
import { clearDeadWork } from './work/clear-dead-work.ts';
import { tryLayers } from './work/layered-folders.ts';
import { ManualWorktrees } from './work/manual-worktrees.ts';
import { Provisioner } from './work/provisioner.ts';
import { NOTHING, SetUp, type Shown } from './work/set-up.ts';
import { belowUncommitted, findStart } from './work/start.ts';
import { holdWork } from './work/work-lock.ts';
import { discard, removeDirectory, Worktree } from './work/worktree.ts';

type Surroundings = {
  readonly project: Project;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  /** HELIX's place for what can be made anew, outside the project so that no tool finds the project above it. */
  readonly cacheDir: string;
};

/** What a directory is made ready for. */
type Provisioned = {
  readonly phase: Phase;
  readonly inputs: readonly InputFile[];
  readonly signal: AbortSignal | undefined;
  readonly mayBeBroken?: boolean;
};

/** An attempt under way: its directory, and what must be looked after while an agent is in it. */
type UnderWay = {
  readonly worktree: Worktree;
  readonly guard: RefGuard;
  readonly given: ReadonlyMap<string, string>;
  readonly notices: readonly Finding[];
};

/** The user's own repository: attempts work in directories with its files, and what is accepted becomes commits on a branch of the run. */
export class RepoWorkspace implements Workspace {
  readonly manual: ManualChanges;
  readonly #repository: OwnRepository;
  readonly #scope: WorkspaceScope;
  readonly #work: string;
  /** Where what set-up installed is kept. */
  readonly #store: string;
  readonly #provisioner: Provisioner;
  readonly #setUp: SetUp;
  /** The commit each phase's last attempt builds on. */
  readonly #builtOn = new Map<string, string | undefined>();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #trees: OpenTrees;
  /** What programs are shown in each directory that does not lie there. */
  readonly #showing = new Map<string, Shown>();
  readonly #tryLayers: () => Promise<boolean>;
  #canShow: Promise<boolean> | undefined;
  #refs: Refs | undefined;
  #shown: Promise<void> | undefined;
  #places = 0;
  /** Directories nobody works in any more and that are being removed. */
  readonly #removals = new Set<Promise<unknown>>();

  private constructor(repository: OwnRepository, scope: WorkspaceScope, around: Surroundings) {
    this.#repository = repository;
    this.#scope = scope;
    mkdirSync(around.cacheDir, { recursive: true, mode: 0o700 });
    this.#work = join(realpathSync(around.cacheDir), 'work', scope.run);
    const { processes, env } = around;
    this.#store = join(around.cacheDir, 'set-up');
    this.#trees = new OpenTrees(repository);
    const { settings, marker } = scope;
    const tree = (id: string) => this.tree(id);
    this.#tryLayers = () => tryLayers(this.#work, { processes, env, marker });
    const setUp = new SetUp({
      settings,
      processes,
      env,
      marker,
      store: this.#store,
      work: this.#work,
      onStep: scope.onSetUp,
    });
    this.#setUp = setUp;
    this.#provisioner = new Provisioner({ repository, settings, project: around.project, setUp, tree });
    this.manual = new ManualWorktrees({
      ...{ repository, cache: settings.cache, tree },
      standing: (commit) => this.#standing(commit),
      copyIn: (worktree, from, inputs) => this.#provisioner.copyIn(worktree, from, inputs),
    });
  }

  /** Opens the workspace of a run; throws HelixError `config` where the project is in no repository that can be used. */
  static async open(scope: WorkspaceScope, around: Surroundings): Promise<RepoWorkspace> {
    const git = new Git(process.env, scope.marker);
    const user = await UserRepository.open(git, around.project.dir, scope.settings.root);
    const repository = await OwnRepository.open(user, join(around.project.dir, '.helix'));
    return new RepoWorkspace(repository, scope, around);
  }

  begin(includeDirty: boolean) {
    return findStart(this.#repository, { run: this.#scope.run, branch: this.#branch, includeDirty });
  }

  async prepare(phase: Phase, { start, inputs, omit, tip, onlyRead = false, signal }: AttemptContent) {
    const tree = start ?? tip?.tree;
    if (tree === undefined) throw new TypeError('an attempt in a repository builds on something');
    const late = await this.#takeUpGuard(this.#guardFile(phase.id));
    this.#refs = await this.#repository.user.refs();
    await this.#showBranch(this.#refs.get(this.#branch), tip && publishedOf(tip).commit);
    const worktree = this.#worktree(phase.id);
    this.#setUp.workAhead();
    return this.#usable(worktree.root, async () => {
      const from = await this.tree(tree);
      const missing = await worktree.layOut(from, await (onlyRead ? this.#beginning() : this.#standing(tip?.commit)));
      for (const path of omit.filter((each) => hasRealFolders(worktree.dir, each)))
        rmSync(join(worktree.dir, path), { force: true });
      const given = onlyRead
        ? await this.#provisioner.copyIn(worktree, from, inputs)
        : await this.#provision(worktree, from, { phase, inputs, signal, mayBeBroken: true });
      const { user } = this.#repository;
      const guard = RefGuard.watch(user, await user.refs(), this.#guardFile(phase.id));
      this.#underWay.set(phase.id, {
        worktree,
        guard,
        given,
        notices: [...late, ...missing, ...this.#setUp.takeNotices()],
      });
      this.#builtOn.set(phase.id, tip?.commit);
      return { dir: worktree.dir, start: tree, ...present({ base: tip?.commit }) };
    });
  }

  async capture(phase: Phase) {
    const { worktree, given, notices, guard } = this.#attempt(phase);
    return this.#usable(worktree.root, async () => {
      const { cache } = this.#scope.settings;
      const restored = await guard.restore(this.#branch);
      const captured = await worktree.capture({ cache, given, declared: phase.output.files });
      this.#remove(worktree);
      this.#underWay.delete(phase.id);
      return { tree: await this.tree(captured.tree), notices: [...notices, ...restored, ...captured.notices] };
    });
  }

  async abandon(phase: Phase) {
    const { worktree, guard } = this.#attempt(phase);
    const restored = await guard.restore(this.#branch);
    this.#remove(worktree);
    this.#underWay.delete(phase.id);
    return restored;
  }

  async pin(paths: readonly string[]): Promise<GitTree> {
    return this.tree(await treeOfFiles(this.#repository, { run: this.#scope.run, paths }));
  }

  tree(id: string): Promise<GitTree> {
    return this.#trees.open(id);
  }

  async snapshot(_phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal): Promise<Snapshot> {
    const judged = await this.tree(tree);
    return this.#usable(this.#work, () =>
      pinGitTree(mkdtempSync(join(this.#work, 'pinned-')), {
        tree: judged,
        inputs,
        open: (id) => this.tree(id),
        repository: this.#repository,
        signal,
      }),
    );
  }

  checkout(phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal) {
    return this.#copyOf(phase, 'judged', { tree, inputs, changes: new Map(), ...present({ signal }) });
  }

  variant(phase: Phase, content: VariantContent) {
    return this.#copyOf(phase, 'variant', content);
  }

  async #copyOf(phase: Phase, kind: string, { tree, inputs, changes, signal }: VariantContent): Promise<Checkout> {
    const worktree = this.#worktree(`${phase.id}.${kind}`);
    const judged = await this.tree(tree);
    await this.#usable(worktree.root, async () => {
      await worktree.layOut(judged, await this.#standing(this.#builtOn.get(phase.id) ?? this.#scope.base?.commit));
      await this.#provision(worktree, judged, { phase, inputs, signal });
      changeFiles(worktree.dir, changes);
    });
    const paths = [...judged.files, ...judged.outside, ...judged.links].map(({ path }) => path);
    const dispose = async () => {
      await this.#showing.get(worktree.dir)?.confirm();
      this.#remove(worktree);
    };
    return { dir: worktree.dir, touched: watchFiles(worktree.dir, paths), dispose };
  }

  async #provision(worktree: Worktree, tree: GitTree, { phase, signal, ...how }: Provisioned) {
    const { walled = false, settings } = this.#scope;
    if (walled && settings.setup.length > 0) this.#canShow ??= this.#tryLayers();
    const aside = (await this.#canShow) ? asideOf(worktree) : undefined;
    const declared = phase.output.files;
    const { given, ...shown } = await this.#provisioner.provision(worktree, tree, { ...how, declared, aside, signal });
    this.#showing.set(worktree.dir, shown);
    return given;
  }

  /** Git in a worktree reads the history where it lies; its settings, refs and hooks are none of a gate's business. */
  bounds(dir: string): Bounds {
    const { user, objectStores } = this.#repository;
    const root = user.prefix === '' ? dir : dir.slice(0, -user.prefix.length - 1);
    const readable = objectStores.filter((store) => existsSync(store) && realpathSync(store) === store);
    const { layers } = this.#showing.get(dir) ?? NOTHING;
    return { writable: [root], readable, protect: [user.top, user.gitDir, user.commonDir, this.#store], layers };
  }

  async watch(phase: Phase) {
    const { user } = this.#repository;
    const file = this.#guardFile(`${phase.id}.judged`);
    const late = await this.#takeUpGuard(file);
    const guard = RefGuard.watch(user, await user.refs(), file);
    return async () => [...late, ...(await guard.restore(this.#branch)), ...this.#setUp.takeNotices()];
  }

  changed(from: string, to: string): Promise<readonly string[]> {
    return changedPaths(this.#repository, from, to);
  }

  edit(tree: string, changes: ReadonlyMap<string, string | Buffer | undefined>): Promise<string> {
    return editTree(this.#repository, tree, changes);
  }

  without(tree: string, keptOut: KeptOut): Promise<string> {
    return treeWithout(this.#repository, tree, keptOut);
  }

  revision(name: string): Promise<string | undefined> {
    const { base } = this.#scope;
    return treeOfRevision(this.#repository, { name, head: (base && publishedOf(base).commit) ?? 'HEAD' });
  }

  async join({ tree, base, tip }: Joined) {
    return joinTrees(this.#repository, { tree, base, tip });
  }

  async accept(phase: Phase, { tree, head, tip, keptOut, override, commits }: Acceptance) {
    if (tree === tip?.tree) return present({ commit: tip.commit, published: tip.published });
    const { run, simulated } = this.#scope;
    const message = commitMessage(phase, { run, head, simulated, ...present({ override }) });
    const to = { run, branch: this.#branch, commits };
    return acceptTree(this.#repository, { tree, message, to, ...present({ tip, keptOut }) });
  }

  /** What was not accepted is on no branch, and the user's own directory is not HELIX's to write to. */
  async leave() {}

  async goBack(tip: Tip, commits: RunCommits): Promise<void> {
    this.#shown = undefined;
    const { commit } = publishedOf(tip);
    await takeBackBranch(this.#repository, { run: this.#scope.run, branch: this.#branch, commit, commits });
  }

  async take(): Promise<() => Promise<void>> {
    const cacheDir = dirname(dirname(this.#work));
    const release = holdWork(cacheDir, this.#scope.run);
    removeTree(this.#work);
    this.#removing(clearDeadWork(cacheDir, join(this.#repository.dir, 'indexes')));
    return async () => {
      this.#repository.close();
      await this.#setUp.close();
      await Promise.all(this.#removals);
      discard(this.#work);
      release();
    };
  }

  get #branch(): string {
    const { run, base, branch } = this.#scope;
    return base?.branch ?? branch ?? `refs/heads/helix/${run}`;
  }

  async #standing(commit: string | undefined) {
    this.#refs ??= await this.#repository.user.refs();
    return { branch: this.#branch, refs: this.#refs, ...present({ commit }) };
  }

  /** The history as it was when the run began: what was accepted since says who let it pass, and what judges wrote of it. */
  async #beginning() {
    const { refs, ...standing } = await this.#standing(this.#scope.base?.commit);
    return { ...standing, refs: new Map([...refs].filter(([name]) => name !== this.#branch)) };
  }

  /**
   * The run's branch is there from its first attempt on, so that nothing it builds on is cleared away by git. One whose name was
   * taken in advance is at the user's last commit, also where the run begins with what they had not committed.
   */
  async #showBranch(now: string | undefined, commit: string | undefined): Promise<void> {
    const { run } = this.#scope;
    if (commit === undefined || now === commit) return;
    if (now !== undefined && now !== (await belowUncommitted(this.#repository, run, commit))) return;
    this.#shown ??= publishBranch(this.#repository, {
      ...{ run, branch: this.#branch, commit, from: now },
      commits: async () => new Set(),
    });
    await this.#shown;
  }

  /** A place nobody has worked in yet: what still writes to an earlier one does not reach it. */
  #worktree(name: string): Worktree {
    const { user, dir } = this.#repository;
    this.#places += 1;
    const index = join(dir, 'indexes', `${this.#scope.run}.${name}`);
    const root = join(this.#work, `${name}-${this.#places}`, basename(user.top) || 'repo');
    return new Worktree(this.#repository, { root, index });
  }

  /** Nobody waits for it: the next attempt has another place. What could not be removed is tried again at the end. */
  #remove(worktree: Worktree): void {
    this.#showing.delete(worktree.dir);
    this.#removing([worktree.remove(), removeDirectory(asideOf(worktree))]);
  }

  #removing(gone: readonly Promise<unknown>[]): void {
    const removal: Promise<unknown> = Promise.allSettled(gone).then(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  #guardFile(name: string): string {
    return join(this.#repository.dir, 'guards', `${this.#scope.run}.${name}.json`);
  }

  /** A HELIX that was killed while an agent worked could not put back what that agent did. */
  async #takeUpGuard(file: string): Promise<Finding[]> {
    return existsSync(file) ? RefGuard.takeUp(this.#repository.user, file).restore(this.#branch) : [];
  }

  #attempt(phase: Phase): UnderWay {
    const found = this.#underWay.get(phase.id);
    if (found === undefined) throw new TypeError(`no attempt of ${phase.id} is under way`);
    return found;
  }

  async #usable<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      mkdirSync(this.#work, { recursive: true, mode: 0o700 });
      return await work();
    } catch (error) {
      throw ioError(error, path);
    }
  }
}

/** Where what programs write over what they are shown in a worktree lies: beside it, where they do not see it. */
function asideOf({ root }: Worktree): string {
  return `${dirname(root)}.aside`;
}

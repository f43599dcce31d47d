import type { AcceptedState } from '../domain/facts/accepted-state.ts';
import type { KeptFile, Published, RunBase } from '../domain/facts/result-branch.ts';
import type { InputFile } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import type { Phase, Plan } from '../domain/plan/plan.ts';
import type { ManualChanges } from './manual-changes.ts';
import type { Layer } from './processes.ts';
import type { Snapshot, Tree } from './tree.ts';

/** What an attempt finds in its directory. */
export type AttemptContent = {
  readonly start: string | undefined;
  readonly inputs: readonly InputFile[];
  /** Paths that must come from this very attempt. */
  readonly omit: readonly string[];
  /** What of the run it builds on, in a repository. */
  readonly tip?: Tip;
  /** It is only judged there: nothing is run, so that it needs nothing that set-up installs, and its history ends where the run began. */
  readonly onlyRead?: boolean;
  /** Aborted when nobody waits for it any more: set-up may take long. */
  readonly signal?: AbortSignal;
};

/** The newest accepted state of a run in a repository. */
export type Tip = AcceptedState;

/** Two states of a repository that are to become one: what a phase made from `base`, and what the run has come to. */
export type Joined = { readonly tree: string; readonly base: string | undefined; readonly tip: string };

/** Files that stay on a run's branch as they are in the tree `origin`. */
export type KeptOut = { readonly origin: string; readonly files: readonly KeptFile[] };

/** What a phase's acceptance consists of; `head` is the journal's chain at that moment. */
export type Acceptance = {
  readonly tree: string;
  readonly inputs: readonly InputFile[];
  readonly head: string;
  readonly tip?: Tip;
  /** What of it is kept off the run's branch, where the branch does not hold everything. */
  readonly keptOut?: KeptOut;
  /** Who let it pass although a gate rejects it, and why. */
  readonly override?: { readonly actor: string; readonly reason: string };
  readonly commits: RunCommits;
};

/** All commits a run's branch has ever held, also those it went back over; read when they are needed. */
export type RunCommits = () => Promise<ReadonlySet<string>>;

/** What walls leave of the file system to a program in a workspace. */
export type Bounds = {
  /** What a gate's command may write to, and what else of the user's it needs to read. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** What of the user's and of HELIX's an agent must not change. */
  readonly protect: readonly string[];
  /** What it sees there that does not lie there. */
  readonly layers?: readonly Layer[];
};

/** A scratch copy of a tree. */
export type Checkout = {
  readonly dir: string;
  /** The files of the tree that were written, replaced or removed in it since. */
  touched(): readonly string[];
  /** Removes it. */
  dispose(): Promise<void>;
};

/** What a copy of a tree holds that differs from it. */
export type VariantContent = {
  readonly tree: string;
  readonly inputs: readonly InputFile[];
  readonly changes: ReadonlyMap<string, Buffer | undefined>;
  readonly signal?: AbortSignal;
};

/** Set-up on its way: begun or ended; `kept` says that what was installed before is only copied. */
export type SetUpStep = {
  readonly command: string;
  readonly kept: boolean;
  readonly ended?: { readonly ms: number; readonly failed: boolean };
};

/** What a workspace is opened for. */
export type WorkspaceScope = {
  readonly run: string;
  readonly marker: string;
  readonly settings: Plan['workspace'];
  readonly simulated: boolean;
  /** Where the run started, once it has. */
  readonly base?: RunBase;
  /** Hears of set-up, which can take long. */
  readonly onSetUp?: ((step: SetUpStep) => void) | undefined;
  /** Every program that works in it runs behind walls, where it can be shown what set-up installed without a copy of it. */
  readonly walled?: boolean;
  /** The ref a new run's accepted work goes to, where it is not one named after the run. */
  readonly branch?: string;
};

/**
 * Where attempts work. What a gate judged is a Tree, and exactly that Tree moves on.
 * Throws HelixError `io`, `setup` (a set-up command failed), `stopped` (by the signal) or `disk_full`.
 */
export interface Workspace {
  /** What humans change themselves. */
  readonly manual: ManualChanges;
  /** Where a new run starts, and what its user should know about that; no base where phases have directories of their own. */
  begin(includeDirty: boolean): Promise<{ base?: RunBase; notices: readonly string[] }>;
  /** Makes the phase's directory hold `start` (without one: what the project has there) less `omit`, and its inputs, nothing else. */
  prepare(phase: Phase, content: AttemptContent): Promise<{ dir: string; start: string; base?: string }>;
  /** Freezes what lies in the phase's directory, and says what it could not keep and what it had to put right. */
  capture(phase: Phase, start: string): Promise<{ tree: Tree; notices: readonly Finding[] }>;
  /** Ends an attempt whose work does not count; says what it had to put right. */
  abandon(phase: Phase, start: string): Promise<readonly Finding[]>;
  /** Freezes some of the project's own files, so that later attempts and gates see the same ones. */
  pin(paths: readonly string[]): Promise<Tree>;
  /** Opens a frozen tree; throws `journal` when it is gone. */
  tree(id: string): Promise<Tree>;
  /** A scratch copy of a tree with its phase's inputs for a command to run in. */
  checkout(phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal): Promise<Checkout>;
  /** Another such copy, beside the first, in which files have other contents or, where there is none, are gone. */
  variant(phase: Phase, content: VariantContent): Promise<Checkout>;
  /** Pins a tree with its phase's inputs for a judge. */
  snapshot(phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal): Promise<Snapshot>;
  /** The bounds of a program that works in one of its directories. */
  bounds(dir: string): Bounds;
  /** Looks after what is the user's while gates run what an agent wrote; the result puts right what can be, and says so. */
  watch(phase: Phase): Promise<() => Promise<readonly Finding[]>>;
  /** The paths that differ between two trees, relative to the project, `../` for what lies outside it. */
  changed(from: string, to: string): Promise<readonly string[]>;
  /** A tree with some files put in or, where there is no content, taken out; its id. */
  edit(tree: string, changes: ReadonlyMap<string, string | Buffer | undefined>): Promise<string>;
  /** A tree in which some files are as in the one it came from: what the run's branch holds; its id. */
  without(tree: string, keptOut: KeptOut): Promise<string>;
  /** The tree where the history of a revision and that of the run part; undefined when there is no such revision. */
  revision(name: string): Promise<string | undefined>;
  /** Merges what a phase made into what was accepted meanwhile. */
  join(sides: Joined): Promise<{ tree: string; conflicts: readonly Finding[] }>;
  /** Makes the tree the phase's result; a note says what could not be done as the user has it. */
  accept(phase: Phase, result: Acceptance): Promise<{ commit?: string; published?: Published; note?: string }>;
  /** Lays files of HELIX's own where people look for what a phase delivers, although it was not accepted; nothing builds on them. */
  leave(phase: Phase, files: ReadonlyMap<string, string>): Promise<void>;
  /** Lets the run's branch go back to what counts; it stays where somebody else has moved it or works on it, and that throws `io`. */
  goBack(tip: Tip, commits: RunCommits): Promise<void>;
  /** Takes the workspace for one run and clears away what a crashed one left half done; throws `run_owned` while another run works in it. */
  take(): Promise<() => Promise<void>>;
}

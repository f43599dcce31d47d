import type { Files } from './files.ts';
import type { PinnedProject } from './pinned-project.ts';
import type { World } from './world.ts';

/** What is pinned for a judge: the named files of the project, or what changed since a revision. */
type Pinning = {
  readonly files: readonly string[];
  readonly diff?: string;
  /** A folder that may be read as it lies there where no commit has anything of it. */
  readonly newDefinition?: string;
  readonly signal: AbortSignal;
};

/** The files of one approval outside of any run, and where they lie in the project. */
export type ApprovalFolder = { readonly path: string; readonly files: Files };

/** The world of a project in which something is judged outside of any run. */
export interface JudgingWorld extends World {
  /**
   * Pins the project; from then on models are those from before the work, too. Throws HelixError `usage` for files and
   * revisions there are none of, `config` where there is too much, `stopped` by the signal.
   */
  pin(pinning: Pinning): Promise<PinnedProject>;
  /** Makes the folder of an approval. */
  approvalFolder(id: string): ApprovalFolder;
}

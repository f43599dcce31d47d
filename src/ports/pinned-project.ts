import type { Snapshot } from './tree.ts';

/** The files of a project as they were before the work. */
export type Before = {
  read(path: string, limit: number): Promise<string | undefined>;
  /** All files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** All links below a folder. */
  links(folder: string): Promise<readonly string[]>;
  /** Where the link at a path leads, as it is written. */
  target(path: string): Promise<string | undefined>;
};

/** A project pinned for a judge, outside a run. */
export type PinnedProject = {
  readonly snapshot: Snapshot;
  /** What is to be judged. */
  readonly inputs: readonly string[];
  /** What was changed, as a patch, where a revision was named. */
  readonly difference?: string;
  readonly before: Before;
  /** The commit it is compared with, and what judges go by is read from. */
  readonly base?: string;
  /** The input in which the difference itself is judged, because the change leaves no file behind. */
  readonly standIn?: string;
  /** What `before` tells as it lies there, because no commit has it: everything, or the folder of a new definition. */
  readonly uncommitted?: 'everything' | 'definition';
};

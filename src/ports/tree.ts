import type { Finding } from '../domain/finding.ts';

/** One file of a tree. */
export type TreeFile = {
  readonly path: string;
  /** Names the content: its sha256, or `git:` and the blob. Equal contents of one workspace have equal digests. */
  readonly digest: string;
  readonly size: number;
  readonly executable: boolean;
};

/** What git makes of a file when it writes it into a checkout: another encoding, its id at `$Id$`, CRLF, or what a filter says. */
export type Conversion = { readonly by: 'encoding' | 'filter'; readonly to: string } | { readonly by: 'ident' | 'eol' };

/** An immutable set of files, named by its content. */
export interface Tree {
  readonly id: string;
  readonly files: readonly TreeFile[];
  /** What could not be kept: special files, links that leave the directory, files over the limit. */
  readonly problems: readonly Finding[];
  /** What the commit has outside the project, by paths that begin with `../`. */
  readonly outside?: readonly TreeFile[];
  /** The links in it. */
  readonly links?: readonly { readonly path: string }[];
  /** The submodules in it, each with the commit that belongs there. */
  readonly submodules?: readonly { readonly path: string; readonly commit: string }[];
  /** Where a link leads. */
  target?(path: string): Promise<string | undefined>;
  /** Of these files those that users may get otherwise than the tree has them. */
  conversions?(paths: readonly string[]): Promise<ReadonlyMap<string, readonly Conversion[]>>;
  /** The content of a file, at most `limit` bytes of it; undefined when the tree has no such file. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
}

/** Where the project lies in a copy for a judge, if what is judged lies beside it. */
export const PROJECT_FOLDER = 'project';

/** The file that stands in a copy for a change which leaves none behind. */
export const DIFFERENCE_FILE = '.helix-difference.patch';

/**
 * Content pinned for a judge: a copy of it outside the repository, which nobody else knows of, with the paths it has in the project.
 */
export interface Snapshot {
  /** Where the copy lies; its files can only be read. */
  readonly dir: string;
  /** The folder of the copy in which the project lies, where what is judged lies beside it and not in it. */
  readonly project?: string;
  /** How many files of the project are not in the copy, because there are too many or they are too large. */
  readonly leftOut?: number;
  /** All there is to see in it, by sha256. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** A file as it was pinned, at most `limit` bytes of it; undefined when there is none. */
  read(path: string, limit: number): Promise<Buffer | undefined>;
  /** The paths in the copy that are no longer what was pinned: changed, gone or new. */
  changed(): Promise<readonly string[]>;
  /** Removes the copy; never throws. */
  dispose(): Promise<void>;
}

/** A directory of a project's repository that is worked on in place of the project's own. */
export type WorkedDirectory = {
  readonly project: Project;
  /** Where the project itself lies, seen from there; empty where it is the same directory. */
  readonly home: string;
};

/** The project as its owner left it, read in place and never through a link that leaves it. */
export interface Project {
  /** The real, absolute path of the project's directory. */
  readonly dir: string;
  /** The text of a regular file, undefined when there is none; throws HelixError `io` when it is larger than `limit` bytes, special or not UTF-8. */
  read(path: string, limit: number): Promise<string | undefined>;
  /**
   * The paths of the regular files a path or glob names, nothing of `.helix` and `.git`; a glob also leaves out links and
   * `node_modules`. Throws HelixError `io` for a path that leads out, and where there is too much to look through.
   */
  match(pattern: string): Promise<readonly string[]>;
  /** The links at or below a folder, none of them followed; the one that leads to it where the folder itself is reached by one. */
  links(folder: string): Promise<readonly string[]>;
  /** Where the link at a path leads, as it is written; undefined for what is no link. */
  target(path: string): Promise<string | undefined>;
  /** Tells whether the path is a directory of the project. */
  hasDirectory(path: string): Promise<boolean>;
  /** Tells whether the project lies inside a git repository; throws HelixError `config` where that is a bare one. */
  inGit(): Promise<boolean>;
  /** The directory at a safe path from the top of the git repository the project lies in, or why it cannot be worked on. */
  fromTop(path: string): Promise<WorkedDirectory | { readonly problem: string }>;
}

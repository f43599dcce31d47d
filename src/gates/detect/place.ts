/** The files of a tree or a project: relative paths, and the text of those that can be read. */
export type Look = {
  readonly paths: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
};

/** One folder of a project with everything below it; `dir` is empty for the project itself. */
export type Place = {
  readonly dir: string;
  /** Set-up will have been run. */
  readonly prepared: boolean;
  /** Relative to the folder. */
  readonly files: readonly string[];
  has(path: string): boolean;
  /** Undefined for what is not among the files. */
  read(path: string): Promise<string | undefined>;
  /** The path seen from the project, for set-up commands and caches. */
  from(path: string): string;
};

export function openPlace(look: Look, dir: string, prepared: boolean): Place {
  const prefix = dir === '' ? '' : `${dir}/`;
  const files = look.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const known = new Set(files);
  return {
    dir,
    prepared,
    files,
    has: (path) => known.has(path),
    read: async (path) => (known.has(path) ? await look.read(`${prefix}${path}`) : undefined),
    from: (path) => `${prefix}${path}`,
  };
}

/** The folders that directly hold a file of one of these names, relative, the place itself left out. */
export function foldersWith(files: readonly string[], names: ReadonlySet<string>): string[] {
  const folders = files
    .filter((path) => path.includes('/') && names.has(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => path.slice(0, path.lastIndexOf('/')));
  return [...new Set(folders)].sort();
}

const PLAIN = /^[\w@][\w.@ +-]*(?:\/[\w@][\w.@ +-]*)*$/;

/** Folders become arguments of commands and entries of a plan, so one that could be taken for an option or a pattern is not used. */
export function isPlain(dir: string): boolean {
  return PLAIN.test(dir);
}

/** What people read beside the journal: derived files, written whole or not at all. */
export interface Files {
  /** Writes a file of the run's directory atomically; throws HelixError `io` or `disk_full`. */
  write(path: string, content: string): Promise<void>;
  /** Opens a file of the run's directory for appending lines, emptied first. */
  lines(path: string): Promise<LineWriter>;
  /** The lines of such a file, none when there is no such file; throws HelixError `io`. */
  readLines(path: string): Promise<readonly string[]>;
  /** The last whole lines of such a file, of `bytes` bytes at most; a transcript may be larger than memory should hold. Throws HelixError `io` where the whole does not have the sha256 that is given. */
  lastLines(path: string, bytes: number, sha256?: string): Promise<readonly string[]>;
  /** The text of such a file; undefined when there is none; throws HelixError `io` where it is larger than `limit` bytes, not UTF-8, special, or reached by a link. */
  read(path: string, limit: number): Promise<string | undefined>;
  /** When such a file was last written, in milliseconds since 1970; undefined when there is no such file; throws HelixError `io`. */
  changedAt(path: string): Promise<number | undefined>;
  /** The same by the clock of the system, which nobody who writes a file can set. */
  writtenAt(path: string): Promise<number | undefined>;
  /** Removes such a file, if it is there; throws HelixError `io`. */
  remove(path: string): Promise<void>;
  /** Packs a zip, atomically and piece by piece; links are left out, which the zip says; throws HelixError `io` or `disk_full`. */
  zip(path: string, parts: AsyncIterable<ZipPart>): Promise<void>;
}

/** What goes into a zip: the plain files of a folder of the run's directory, or bytes of its own under a name. */
export type ZipPart =
  | { readonly folder: string; readonly as: string }
  | { readonly name: string; readonly content: AsyncIterable<Buffer> };

/** A file that grows line by line, up to a limit. */
export interface LineWriter {
  line(text: string): void;
  /** Closes the file and resolves to the sha256 of what was written. */
  close(): Promise<string>;
}

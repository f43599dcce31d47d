import { type FileHandle, open } from 'node:fs/promises';
import { createLineSplitter } from '../../adapters/programs/line-splitter.ts';
import { transcriptWords } from '../../text/agent-words/transcript-words.ts';

const PIECE = 256 * 1024;
const LONGEST_LINE = 4 * 1024 * 1024;

/** Reads a transcript while it grows and gives what it says to people. */
export class TranscriptReader {
  readonly #file: string;
  readonly #splitter: ReturnType<typeof createLineSplitter>;
  #at: number;
  #inode: number | undefined;

  /** Begins at `at`, which must be the start of a line. */
  constructor(file: string, say: (words: string) => void, at = 0) {
    this.#file = file;
    this.#at = at;
    this.#splitter = createLineSplitter(LONGEST_LINE, (line, truncated) => {
      const words = truncated ? undefined : transcriptWords(line);
      if (words !== undefined) say(words);
    });
  }

  /** Reads on to where the file ends now. */
  async read(): Promise<void> {
    const handle = await open(this.#file);
    try {
      await this.#settle(handle);
      const piece = Buffer.alloc(PIECE);
      for (;;) {
        const { bytesRead } = await handle.read(piece, 0, PIECE, this.#at);
        if (bytesRead === 0) return;
        this.#splitter.write(piece.subarray(0, bytesRead));
        this.#at += bytesRead;
      }
    } finally {
      await handle.close();
    }
  }

  /** An attempt that is tried again has a new transcript of the same name. */
  async #settle(handle: FileHandle): Promise<void> {
    const { ino } = await handle.stat();
    if (this.#inode !== undefined && this.#inode !== ino) this.#at = 0;
    this.#inode = ino;
  }
}

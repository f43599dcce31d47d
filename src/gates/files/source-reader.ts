import { posix } from 'node:path';
import type { Language } from '../../domain/language.ts';
import type { Tree } from '../../ports/tree.ts';
import { isOtherShell, languageOfPath, languageOfShebang } from '../../text/syntax/language-of.ts';
import { readableText } from '../gate/readable-text.ts';
import type { Source } from './ask-syntax.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const BATCH = { bytes: 16 * 1024 * 1024, files: 2000 };
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|\.venv)\//;

/** Why a file is not checked. */
export type Skipped = 'unknown' | 'binary' | 'large' | 'template' | 'foreign';

/** Every file is read as `language`, where one is given; files of installed packages only where they are asked for. */
type Reading = { readonly language?: Language | undefined; readonly foreign: boolean };

/** Where sources are read from. */
export type Readable = Pick<Tree, 'read'>;

/** Reads the files of a tree as sources, in portions that fit into memory, and remembers what has no syntax to check. */
export class SourceReader {
  readonly skipped: { readonly why: Skipped; readonly path: string }[] = [];
  readonly #tree: Readable;
  readonly #reading: Reading;

  constructor(tree: Readable, reading: Reading) {
    this.#tree = tree;
    this.#reading = reading;
  }

  async *batches(files: readonly { readonly path: string }[]): AsyncGenerator<readonly Source[]> {
    let batch: Source[] = [];
    let bytes = 0;
    for (const { path } of files) {
      const source = await this.#read(path);
      if (typeof source === 'string') {
        this.skipped.push({ why: source, path });
        continue;
      }
      batch.push(source);
      bytes += source.text.length;
      if (bytes < BATCH.bytes && batch.length < BATCH.files) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  async #read(path: string): Promise<Source | Skipped> {
    const known = this.#reading.language ?? languageOfPath(path);
    if (!this.#reading.foreign && FOREIGN.test(path)) return 'foreign';
    if (known === undefined && posix.extname(path) !== '') return 'unknown';
    const bytes = (await this.#tree.read(path, MAX_BYTES + 1)) ?? Buffer.alloc(0);
    if (bytes.length > MAX_BYTES) return 'large';
    const content = readableText(bytes);
    if (content === undefined) return 'binary';
    const { text, utf8 } = content;
    const language = known ?? languageOfShebang(path, text);
    if (language === undefined || (language === 'bash' && isOtherShell(text))) return 'unknown';
    return isTemplate(path, language, text) ? 'template' : { path, language, text, utf8 };
  }
}

/** The templates of a Helm chart have the ending of what they will become. */
function isTemplate(path: string, language: Language, text: string): boolean {
  return language === 'yaml' && /(?:^|\/)templates\//.test(path) && text.includes('{{');
}

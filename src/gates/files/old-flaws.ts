import type { Language } from '../../domain/language.ts';
import { askSyntax, type Flaw, type Interrupted, type SyntaxProgram } from './ask-syntax.ts';
import { type Readable, SourceReader } from './source-reader.ts';

/** What there was before the phase began. */
export type Before = Readable & { readonly files: readonly { readonly path: string }[] };

/** Languages where Node's own parsers were asked too, or where the grammar was not seen to refuse what is right. */
const CERTAIN: ReadonlySet<Language> = new Set(['javascript', 'typescript', 'tsx', 'python', 'json', 'jsonc', 'yaml']);

/**
 * Knows what was taken for a flaw before the phase began. A grammar that does not understand a file of the repository must
 * not stop everybody who changes another line of it.
 */
export class OldFlaws {
  readonly #before: Before;
  readonly #program: SyntaxProgram;
  readonly #language: Language | undefined;
  readonly #paths: ReadonlySet<string>;

  constructor(before: Before, program: SyntaxProgram, language?: Language) {
    this.#before = before;
    this.#program = program;
    this.#language = language;
    this.#paths = new Set(before.files.map(({ path }) => path));
  }

  /** Tells whether the flaw might be an old one, without looking. */
  possible({ source, problem }: Flaw): boolean {
    return problem.doubt === undefined && !CERTAIN.has(source.language) && this.#paths.has(source.path);
  }

  /** Those of the flaws that are old. */
  async among(flaws: readonly Flaw[]): Promise<ReadonlySet<Flaw> | Interrupted> {
    const possible = flaws.filter((flaw) => this.possible(flaw));
    const paths = new Set(possible.map(({ source }) => source.path));
    const files = this.#before.files.filter(({ path }) => paths.has(path));
    const known = new Set<string>();
    for await (const sources of new SourceReader(this.#before, {
      language: this.#language,
      foreign: true,
    }).batches(files)) {
      const answer = await askSyntax(sources, this.#program);
      if (answer.kind === 'interrupted') return answer;
      for (const flaw of answer.flaws) known.add(key(flaw));
    }
    return new Set(possible.filter((flaw) => known.has(key(flaw))));
  }
}

/** The same for the same flaw, though the lines around it have moved. */
function key({ source, problem }: Flaw): string {
  const line = source.text.split('\n', problem.line)[problem.line - 1] ?? '';
  return JSON.stringify([source.path, problem.message, line.trim()]);
}

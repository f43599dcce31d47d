import type { Parser } from 'web-tree-sitter';
import type { Language } from '../../domain/language.ts';

/** The languages that are read by a tree-sitter grammar. */
export type SourceLanguage = Exclude<Language, 'json' | 'jsonc' | 'yaml'>;

/** The grammar of C++ reads C too; there is none for C alone in the package. */
const GRAMMARS: Readonly<Record<SourceLanguage, string>> = {
  bash: 'bash',
  c: 'cpp',
  cpp: 'cpp',
  csharp: 'c-sharp',
  css: 'css',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  tsx: 'tsx',
  typescript: 'typescript',
};

let library: Promise<typeof import('web-tree-sitter')> | undefined;
const parsers = new Map<string, Promise<Parser>>();

/** A parser for a language; library and grammar are loaded when they are first needed, and once. */
export function parserFor(language: SourceLanguage): Promise<Parser> {
  const grammar = GRAMMARS[language];
  const parser = parsers.get(grammar) ?? loadParser(grammar);
  parsers.set(grammar, parser);
  return parser;
}

async function loadParser(grammar: string): Promise<Parser> {
  library ??= loadLibrary();
  const { Language, Parser } = await library;
  const file = import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`);
  return new Parser().setLanguage(await Language.load(new URL(file)));
}

async function loadLibrary(): Promise<typeof import('web-tree-sitter')> {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
}

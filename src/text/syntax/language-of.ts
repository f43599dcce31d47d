import { posix } from 'node:path';
import type { Language } from '../../domain/language.ts';

const EXTENSIONS: Readonly<Record<Language, string>> = {
  bash: 'sh bash bats',
  c: 'c',
  cpp: 'cc cpp cxx c++ h hh hpp hxx h++ ipp inl tpp',
  csharp: 'cs csx',
  css: 'css',
  go: 'go',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  json: 'json geojson ipynb webmanifest',
  jsonc: 'jsonc code-workspace',
  php: 'php phtml',
  python: 'py pyi pyw',
  ruby: 'rb gemspec rake ru',
  rust: 'rs',
  tsx: 'tsx',
  typescript: 'ts cts mts',
  yaml: 'yaml yml',
};

/** Files whose tools read comments and trailing commas, whatever their ending says. */
const COMMENTED =
  /^(?:[jt]sconfig(?:[.-].*)?|devcontainer|api-extractor|deno|\.eslintrc|\.swcrc|\.jshintrc)(?:\.json)?$/;
const NAMES = new Map<string, Language>(
  Object.entries({
    '.babelrc': 'jsonc',
    '.bash_profile': 'bash',
    '.bashrc': 'bash',
    '.clang-format': 'yaml',
    '.prettierrc': 'yaml',
    '.profile': 'bash',
    Brewfile: 'ruby',
    Gemfile: 'ruby',
    Rakefile: 'ruby',
    Vagrantfile: 'ruby',
  }),
);
const INTERPRETERS: readonly (readonly [RegExp, Language])[] = [
  [/^(?:python|pypy)[\d.]*$/, 'python'],
  [/^(?:ba|da|a)?sh$/, 'bash'],
  [/^(?:node|nodejs)$/, 'javascript'],
  [/^(?:bun|deno|tsx|ts-node)$/, 'typescript'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^php[\d.]*$/, 'php'],
];

const byExtension = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as Language] as const),
  ),
);

/** The language of a file by its name; undefined when only its first line can tell, or nothing. */
export function languageOfPath(path: string): Language | undefined {
  const name = posix.basename(path);
  if (COMMENTED.test(name) || /(?:^|\/)\.vscode\/[^/]+\.json$/.test(path)) return 'jsonc';
  return NAMES.get(name) ?? byExtension.get(posix.extname(name).slice(1).toLowerCase());
}

/** Tells whether a script is for a shell whose language is not that of bash, whatever its name ends with. */
export function isOtherShell(text: string): boolean {
  return /^#!.*\b(?:zsh|fish|t?csh)\b/.test(text);
}

/** The language a script without an ending names in its first line. */
export function languageOfShebang(path: string, text: string): Language | undefined {
  if (posix.extname(path) !== '' || !text.startsWith('#!')) return undefined;
  const [, ...words] = /^#!\s*(\S+)(?:[ \t]+([^\r\n]{0,200}))?/.exec(text) ?? [];
  const [program = '', rest = ''] = words;
  const named = posix.basename(program) === 'env' ? rest.split(/\s+/).find((word) => !/^-|=/.test(word)) : program;
  const interpreter = posix.basename(named ?? '');
  return INTERPRETERS.find(([pattern]) => pattern.test(interpreter))?.[1];
}

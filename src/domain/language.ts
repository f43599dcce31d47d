import { z } from 'zod';

/** The languages whose syntax HELIX can check. */
export type Language =
  | 'bash'
  | 'c'
  | 'cpp'
  | 'csharp'
  | 'css'
  | 'go'
  | 'java'
  | 'javascript'
  | 'json'
  | 'jsonc'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'tsx'
  | 'typescript'
  | 'yaml';

/** Every name a plan may give a language, with the language it means. */
export const LANGUAGE_NAMES = {
  bash: 'bash',
  c: 'c',
  cpp: 'cpp',
  csharp: 'csharp',
  css: 'css',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  json: 'json',
  jsonc: 'jsonc',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  tsx: 'tsx',
  typescript: 'typescript',
  yaml: 'yaml',
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascript',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
} as const satisfies Readonly<Record<string, Language>>;

/** The name of a language in a plan. */
export const LanguageName = z.enum(Object.keys(LANGUAGE_NAMES) as [keyof typeof LANGUAGE_NAMES]);

import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import { linkFollower } from '../../gates/found/follow-links.ts';
import { isTestFile } from '../../gates/gate/test-files.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher } from '../../text/glob.ts';
import { foldersAbove } from './protected-paths.ts';

const MAX_WORDS = 500;
const MAX_FOLDERS = 100;
const SHELLS = /^(sh|bash|dash|zsh|ksh)$/;
/** Programs that run nothing: what they are given is the work they look at. */
const LOOKING = /^(?:\[|\[\[|test|cmp|diff|grep|egrep|fgrep|cat|ls|wc|head|tail|echo)$/;
/** What they are handed by a pipe or from a file, they run. */
const RUNNING = String.raw`(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:sh|bash|dash|zsh|ksh|node|deno|bun|python[\d.]*|ruby|perl|php)\b`;
const PIPED = new RegExp(String.raw`\|\s*${RUNNING}`);
const STARTED = new RegExp(String.raw`^[\s!]*${RUNNING}`);
/** Where a value of the shell ends and the rest of a path begins. */
const AFTER_VALUE = /([)}`]|\$\w+)["']?\//g;
const INTERPRETERS = /^(node|deno|bun|python[\d.]*|ruby|perl|php)$/;

/**
 * The files of the work that decide what a gate's command says: every word of it that names one, wherever it stands, what a
 * link there leads to, and a program or script it is to find. Files with tests are work of their own.
 */
export async function gatePrograms(gates: readonly Gate[], base: Tree): Promise<string[]> {
  if (gates.every(({ settings }) => settings.command === undefined)) return [];
  const files = new Set([...base.files, ...(base.links ?? [])].map(({ path }) => path));
  const follow = await linkFollower(base);
  const folders = new Set([...files].flatMap(foldersAbove));
  const isThere = (path: string) => files.has(path) || files.has(follow(path));
  const named = gates.flatMap((gate) => {
    const words = wordsOf(gate);
    const inside = foldersIn(words, { folders, follow });
    const spelt = [...words, ...modulesOf(gate)];
    const paths = inside.flatMap((folder) => spelt.map((word) => posix.join(folder, word))).filter(isThere);
    for (const word of words.filter((each) => /[*?[]/.test(each))) paths.push(...[...files].filter(globMatcher(word)));
    return gate.type === 'tests_pass' ? paths.filter((path) => !isTestFile(path)) : paths;
  });
  const programs = [...gates.flatMap(firstProgram), ...named];
  return [...new Set([...programs, ...programs.map(follow)])].filter((path) => !path.startsWith('../'));
}

/** Tells by a path alone whether a gate's command may name it: no tree is asked what is there and where links lead. */
export function mayName(gate: Gate, path: string): boolean {
  if (gate.settings.command === undefined || (gate.type === 'tests_pass' && isTestFile(path))) return false;
  const words = [...firstProgram(gate), ...wordsOf(gate), ...modulesOf(gate)].map((word) =>
    word.replace(/^(\.\.\/)+/, ''),
  );
  return words
    .flatMap((word) => [word, ...foldersAbove(word)])
    .some((word) => `/${path}`.endsWith(`/${word}`) || (/[*?[]/.test(word) && globMatcher(word)(path)));
}

/**
 * The words of a command, also those within a word that a shell is handed, and the values of options; but not what is given
 * to a program that only looks at it.
 */
function wordsOf({ settings: { command } }: Gate): string[] {
  const argv = Array.isArray(command) ? command.map(String) : [];
  const scripts = (typeof command === 'string' ? [command] : argv.filter((word) => /[\s$`]/.test(word))).map((text) =>
    text.replace(AFTER_VALUE, '$1 '),
  );
  const parts = [
    argv.filter((word) => !/\s/.test(word)).join(' '),
    ...scripts.flatMap((text) => text.split(/[;|&()`\n]+/)),
  ];
  const isPiped = scripts.some((text) => PIPED.test(text));
  const named = parts
    .map((part) => (STARTED.test(part) ? part : part.replace(/<\s*\S+/g, ' ')))
    .map((part) => part.split(/[\s!<>"'`$={},:]+/).filter(Boolean))
    .filter(([program = '']) => isPiped || !LOOKING.test(program))
    .flat();
  const words = [...named, ...(LOOKING.test(argv[0] ?? '') ? [] : argv)].filter((word) => !posix.isAbsolute(word));
  const plain = words.slice(0, MAX_WORDS).map((word) => posix.normalize(word).replace(/\/$/, ''));
  return [...new Set(plain)];
}

/** The files in which modules and scripts lie that a command names without their endings. */
function modulesOf({ settings: { command } }: Gate): string[] {
  const text = Array.isArray(command) ? command.join(' ') : String(command ?? '');
  const modules = [...text.matchAll(/(?:\s-[bBdEiIOPqsSuvx]*m["'\s]*|\b(?:import|from)\s+)([\w.]+)/g)];
  const python = modules.flatMap(([, name = '']) => {
    const path = name.replaceAll('.', '/');
    const packages = [...foldersAbove(path), path].map((folder) => `${folder}/__init__.py`);
    return [`${path}.py`, `${path}/__main__.py`, ...packages];
  });
  const folders = [...text.matchAll(/\bpython[\d.]*\s+(?:-[WX]\s+\S+\s+|-(?![WX]\s)\S+\s+)*["']?([\w./-]+)/g)];
  const programs = folders.map(([, path = '']) => posix.join(path, '__main__.py'));
  const node = [...text.matchAll(/\b(?:node|bun)\s+(?:-\S+\s+)*([\w./-]+)/g)].flatMap(([, name = '']) =>
    ['.js', '.mjs', '.cjs', '/index.js'].map((end) => posix.normalize(name) + end),
  );
  return [...python, ...programs, ...node].slice(0, MAX_WORDS);
}

/** The program or script a command runs, whether or not it is there yet; what it is given to look at is there to be changed. */
function firstProgram({ type, settings: { command } }: Gate): string[] {
  const words = Array.isArray(command) ? command.map(String) : typeof command === 'string' ? command.split(/\s+/) : [];
  const [program = '', ...rest] = words.slice(words.findIndex((word) => word !== 'env' && !/^\w+=/.test(word)));
  if (program.includes('/')) return [posix.normalize(program)];
  const runsScript = SHELLS.test(program) || (type === 'custom' && INTERPRETERS.test(program));
  const [script = ''] = runsScript ? rest.filter((word) => !word.startsWith('-')) : [];
  return /^[\w.][\w./-]*$/.test(script) ? [posix.normalize(script)] : [];
}

type Folders = { readonly folders: ReadonlySet<string>; readonly follow: (path: string) => string };

/** Where a command may go before it names a file: folders it names, those its patterns match, and what it names within them. */
function foldersIn(words: readonly string[], { folders, follow }: Folders): string[] {
  const named = words.filter((word) => !/[*?[]/.test(word));
  const matched = words.filter((word) => !named.includes(word)).map(globMatcher);
  const inside = new Set(['', ...[...folders].filter((folder) => matched.some((matches) => matches(folder)))]);
  for (const folder of inside) {
    for (const word of named) {
      const path = posix.join(folder, word);
      if (inside.size < MAX_FOLDERS && folders.has(follow(path))) inside.add(path);
    }
  }
  return [...inside];
}

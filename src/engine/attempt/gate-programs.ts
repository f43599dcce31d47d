import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import { linkFollower } from '../../gates/found/follow-links.ts';
import { isTestFile } from '../../gates/gate/test-files.ts';
import type { Tree } from '../../ports/tree.ts';

const MAX_WORDS = 500;
const SHELLS = /^(sh|bash|dash|zsh|ksh)$/;
/** Programs that run nothing: what they are given is the work they look at. */
const LOOKING = /^(?:\[|\[\[|!|test|cmp|diff|grep|egrep|fgrep|cat|ls|wc|head|tail|echo)$/;
const INTERPRETERS = /^(node|deno|bun|python[\d.]*|ruby|perl|php)$/;

/**
 * The files of the work that decide what a gate's command says: every word of it that names one, wherever it stands, what a
 * link there leads to, and a program or script it is to find. Files with tests are work of their own.
 */
export async function gatePrograms(gates: readonly Gate[], base: Tree): Promise<string[]> {
  if (gates.every(({ settings }) => settings.command === undefined)) return [];
  const files = new Set([...base.files, ...(base.links ?? [])].map(({ path }) => path));
  const follow = await linkFollower(base);
  const isThere = (path: string) => files.has(path) || files.has(follow(path));
  const named = gates.flatMap((gate) => {
    const words = wordsOf(gate);
    const inside = ['', ...words.filter((word) => isFolder(follow(word), files))];
    const paths = inside.flatMap((folder) => words.map((word) => posix.join(folder, word))).filter(isThere);
    return gate.type === 'tests_pass' ? paths.filter((path) => !isTestFile(path)) : paths;
  });
  const programs = [...gates.flatMap(firstProgram), ...named];
  return [...new Set([...programs, ...programs.map(follow)])].filter((path) => !path.startsWith('../'));
}

/**
 * The words of a command, also those within a word that a shell is handed, and the values of options; but not what is given
 * to a program that only looks at it.
 */
function wordsOf({ settings: { command } }: Gate): string[] {
  const argv = Array.isArray(command) ? command.map(String) : [];
  const scripts = typeof command === 'string' ? [command] : argv.filter((word) => /\s/.test(word));
  const parts = [
    argv.filter((word) => !/\s/.test(word)).join(' '),
    ...scripts.flatMap((text) => text.split(/[;|&()\n]+/)),
  ];
  const words = parts
    .map((part) =>
      /^\s*(?:sh|bash|dash|zsh|ksh|node|python[\d.]*|ruby|perl|php)\b/.test(part)
        ? part
        : part.replace(/<\s*\S+/g, ' '),
    )
    .map((part) => part.split(/[\s<>"'`$={},:]+/).filter(Boolean))
    .filter(([program = '']) => !LOOKING.test(program))
    .flat()
    .filter((word) => !posix.isAbsolute(word));
  return [...new Set(words.slice(0, MAX_WORDS).map((word) => posix.normalize(word).replace(/\/$/, '')))];
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

function isFolder(path: string, files: ReadonlySet<string>): boolean {
  const below = `${path}/`;
  for (const file of files) if (file.startsWith(below)) return true;
  return false;
}

import { posix } from 'node:path';
import type { Look } from '../detect/place.ts';

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const ANY_MAKEFILE = /(?:^|\/)(?:GNUm|m|M)akefile[^/]*$|\.(?:mk|mak|make)$/;
const MAX_RULES = 200;
const MAX_INCLUDED = 50;

/** A rule of a Makefile: what it makes, from what, and its lines. */
type Rule = { readonly targets: readonly string[]; readonly needs: string; readonly lines: readonly string[] };
type Makefile = {
  readonly rules: readonly Rule[];
  /** All that stands outside of rules: variables, directives, definitions. */
  readonly settings: readonly string[];
};

/** The targets a command lets make build. */
export function makeTargets(command: string): string[] {
  const found = [...command.matchAll(/\bmake(?: -{1,2}[\w=./-]{1,100}){0,10} ([\w.-]{1,100})/g)];
  return found.slice(0, 10).map(([, one = '']) => one);
}

/** All targets of all calls of make in a text; undefined where one of them does not say plainly what it makes. */
function plainTargets(text: string): string[] | undefined {
  const calls = [...text.matchAll(/\bg?make\b([^\n;&|]*)/g)].map(([, words = '']) =>
    words.split(/\s+/).filter(Boolean),
  );
  const targets = calls.map((words) => words.filter((word) => !/^-[a-zA-Z]*$|^--[a-z-]+$|^[A-Z_]+=\S*$/.test(word)));
  const isPlain = targets.every((names) => names.length > 0 && names.every((name) => /^[\w.-]+$/.test(name)));
  return isPlain ? targets.flat() : undefined;
}

/** All rules of a target in a Makefile: their lines and recipes; undefined where there is none. */
export function makeRecipe(text: string, target: string): string | undefined {
  const rules = parseMakefile(text).rules.filter(({ targets }) => targets.includes(target));
  return rules.length === 0 ? undefined : rules.flatMap(({ lines }) => lines).join('\n');
}

/**
 * What a command lets make run: the rules of its targets and those of what they need, each by its text, and what is set in the
 * file and in those it includes. Where that cannot be followed, everything that make could read.
 */
export async function behindMake(command: string, look: Look): Promise<string[]> {
  const targets = plainTargets(command);
  const path = MAKEFILES.find((name) => look.paths.includes(name));
  const text = path === undefined ? undefined : await look.read(path);
  if (path === undefined || text === undefined || targets === undefined || isElsewhere(command))
    return everything(look);
  const { rules, settings } = parseMakefile(text);
  const { texts, plain } = await includedBy(settings, look);
  const included = [...texts].map(([name, read]) => `${name}: ${read}`);
  // Make brings the files it reads up to date first, if there is a rule for them.
  const followed = follow([...targets, path, ...texts.keys()], rules);
  const written = followed?.map(({ lines }) => lines.join('\n'));
  if (written === undefined || !plain || isElsewhere(written.join('\n')))
    return [...(await everything(look)), ...included];
  return [...written, ...(settings.length === 0 ? [] : [`${path}: ${settings.join('\n')}`]), ...included];
}

/** The files that the makefile of a tree includes, those included by them as well. */
export async function includedMakefiles(look: Look): Promise<string[]> {
  const path = MAKEFILES.find((name) => look.paths.includes(name));
  const text = path === undefined ? undefined : await look.read(path);
  if (text === undefined) return [];
  return [...(await includedBy(parseMakefile(text).settings, look)).texts.keys()];
}

type Included = { readonly texts: ReadonlyMap<string, string>; readonly plain: boolean };

/** What lines include, with the texts; not `plain` where a name is made of variables or patterns, or there are too many. */
async function includedBy(settings: readonly string[], look: Look): Promise<Included> {
  const texts = new Map<string, string>();
  const named = namesIn(settings);
  let plain = true;
  for (const name of named) {
    plain &&= /^[\w./-]+$/.test(name) && named.size <= MAX_INCLUDED;
    if (!plain) break;
    const text = (await look.read(posix.normalize(name))) ?? '';
    texts.set(posix.normalize(name), text);
    for (const next of namesIn(parseMakefile(text).settings)) named.add(next);
  }
  return { texts, plain };
}

function namesIn(settings: readonly string[]): Set<string> {
  const lines = settings.flatMap((line) => /^\s*(?:-|s)?include\s+(.*)$/.exec(line)?.[1]?.split(/\s+/) ?? []);
  return new Set(lines.filter(Boolean));
}

/** Another directory, another file, or a make that is called by a variable. */
function isElsewhere(text: string): boolean {
  return /\$[({]MAKE[)}]|\$[({]eval\b|\bg?make\b[^\n;&|]{0,200}\s(?:-[a-zA-Z]*[CfI]|--(?:directory|file|makefile|include-dir))/.test(
    text,
  );
}

async function everything({ paths, read }: Look): Promise<string[]> {
  const files = paths.filter((path) => ANY_MAKEFILE.test(path)).toSorted();
  return Promise.all(files.map(async (path) => `${path}: ${(await read(path)) ?? ''}`));
}

/** The rules of targets and of all they need; undefined where a variable says what that is. Rules for anything always count. */
function follow(targets: readonly string[], rules: readonly Rule[]): Rule[] | undefined {
  const reached = new Set(targets);
  for (const target of reached) {
    if (reached.size > MAX_RULES) return undefined;
    for (const { targets: made, needs } of rules) {
      if (!made.includes(target)) continue;
      if (needs.includes('$')) return undefined;
      for (const need of needs.split(/[\s|;:]+/).filter(Boolean)) reached.add(need);
    }
  }
  const isAny = (name: string) => reached.has(name) || /[%$]/.test(name) || (name.startsWith('.') && name !== '.PHONY');
  return rules.filter(({ targets: made }) => made.some(isAny));
}

function parseMakefile(text: string): Makefile {
  const rules: { targets: string[]; needs: string; lines: string[] }[] = [];
  const settings: string[] = [];
  let inRule = false;
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split('\n')) {
    const bare = line.trim();
    if (bare === '' || (bare.startsWith('#') && !line.startsWith('\t'))) continue;
    if (line.startsWith('\t') && inRule) {
      rules.at(-1)?.lines.push(bare);
      continue;
    }
    const [, names, needs = ''] = /^([^\s:=#][^:=#]*?)\s*::?(?![:=])(.*)$/.exec(line) ?? [];
    inRule = names !== undefined;
    if (names === undefined) settings.push(bare);
    else rules.push({ targets: names.split(/\s+/), needs: needs.replace(/#.*/, ''), lines: [bare] });
  }
  return { rules, settings };
}

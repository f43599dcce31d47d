import { z } from 'zod';
import type { Look } from '../detect/place.ts';

const MAX_SCRIPTS = 50;
const MAX_TEXT = 10_000;
const RUNS_SCRIPT = /\b(?:npm|pnpm|yarn|bun)(?: (?:run|run-script|-{1,2}[\w=:./@-]{1,100})){0,10} ([\w:.-]{1,100})/g;
/** What runs scripts of other packages, or scripts by patterns. */
const ELSEWHERE =
  /\b(?:npm|pnpm|yarn|bun)\b[^|;&]{0,300}(?:--prefix|--dir|--cwd|--filter|--recursive|--workspaces?|\s-(?:C|w|ws|r|F)\b|\bworkspaces?\b|\bforeach\b)|\b(?:lerna|nx|turbo|wireit|wsrun|ultra|npm-run-all2?|run-[sp]|concurrently|nps|rush)\b|\bcd\s[\s\S]{0,300}\b(?:npm|pnpm|yarn|bun)\b/;
const TASKS = /^(?:.*\/)?(?:nx|turbo|lerna|project|rush)\.json$|(?:^|\/)package-scripts\.[cm]?js$/;
const INSTALLED = /(?:^|\/)node_modules\//;

const Package = z.looseObject({ scripts: z.record(z.string(), z.unknown()).optional() });

/** The scripts of a package.json. */
export function scriptsOf(text: string): Readonly<Record<string, string>> {
  try {
    const scripts = Package.safeParse(JSON.parse(text.replace(/^\uFEFF/, ''))).data?.scripts ?? {};
    const texts = Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}

/** The scripts a command runs, those run by them included. */
export function scriptNames(command: string, scripts: Readonly<Record<string, string>>): Set<string> {
  const names = new Set<string>();
  const open = [command];
  for (let text = open.pop(); text !== undefined && names.size < MAX_SCRIPTS; text = open.pop()) {
    for (const [, written = ''] of unquoted(text).matchAll(RUNS_SCRIPT)) {
      const name = written === 't' || written === 'tst' ? 'test' : written;
      for (const one of [`pre${name}`, name, `post${name}`]) {
        if (!names.has(one)) open.push(Object.hasOwn(scripts, one) ? (scripts[one] ?? '') : '');
        names.add(one);
      }
    }
  }
  return names;
}

/** Tells whether a text runs scripts that cannot be found by their names in the package.json beside it. */
export function runsElsewhere(text: string): boolean {
  return text.length > MAX_TEXT || ELSEWHERE.test(unquoted(text));
}

/** All scripts and tasks of a project, one line for each file that has any. */
export async function allScripts({ paths, read }: Look): Promise<string[]> {
  const lines: string[] = [];
  for (const path of paths.filter((each) => !INSTALLED.test(each)).toSorted()) {
    const isPackage = path === 'package.json' || path.endsWith('/package.json');
    if (!isPackage && !TASKS.test(path)) continue;
    const text = (await read(path)) ?? '';
    const told = isPackage ? JSON.stringify(scriptsOf(text)) : text;
    if (told !== '{}') lines.push(`${path}: ${told}`);
  }
  return lines;
}

function unquoted(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/["'`\\]/g, '');
}

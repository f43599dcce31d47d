import { posix } from 'node:path';
import { sha256 } from '../../text/digest.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Look } from '../detect/place.ts';
import { behindMake } from './make-rules.ts';
import { allScripts, runsElsewhere, scriptNames, scriptsOf } from './package-scripts.ts';

const MAX_SHOWN = 600;

/**
 * What a found command runs that is written in the project, as it stands there: scripts of package.json, rules of a Makefile,
 * a wrapper. Where the way to them cannot be followed surely, all there are.
 */
export async function scriptsBehind(
  command: readonly string[],
  look: Look,
  isNamed: (path: string) => boolean = namedIn(command),
): Promise<string[]> {
  const text = command.join(' ');
  const scripts = look.paths.includes('package.json') ? scriptsOf((await look.read('package.json')) ?? '') : {};
  const named = [...scriptNames(text, scripts)].filter((name) => Object.hasOwn(scripts, name));
  const written = named.map((name) => `${name}: ${scripts[name]}`);
  const run = [text, ...named.map((name) => scripts[name] ?? '')];
  const made = run.some(usesMake) ? await behindMake(run.filter(usesMake).join('\n'), look) : [];
  const backAgain = made.some((rule) => /\b(?:npm|pnpm|yarn|bun)\b/.test(rule));
  const others = backAgain || run.some(runsElsewhere) ? await allScripts(look) : [];
  return [...new Set([...written, ...made, ...others, ...(await besides(command, look, isNamed))])].map(shown);
}

function usesMake(text: string): boolean {
  return /\bg?make\b/.test(text);
}

function namedIn(command: readonly string[]): (path: string) => boolean {
  const words = new Set(command.map((word) => posix.normalize(word)));
  return (path) => words.has(path);
}

/** Tells whether a command may run scripts that a project keeps. */
export function runsScripts(command: readonly string[]): boolean {
  const text = command.join(' ');
  return /\b(?:npm|pnpm|yarn|bun|g?make|mvnw?|gradlew?|rake|composer)\b/.test(text) || runsElsewhere(text);
}

/** Files that the command itself names, what belongs to a wrapper, and tasks of Ruby and PHP. */
async function besides(
  command: readonly string[],
  { paths, read }: Look,
  isNamed: (path: string) => boolean,
): Promise<string[]> {
  const text = command.join(' ');
  const wanted = paths.filter((path) => {
    if (isNamed(path)) return true;
    if (/\b(?:mvnw?|gradlew?)\b/.test(text) && isWrapper(path)) return true;
    return (/\brake\b/.test(text) && path === 'Rakefile') || (/\bcomposer\b/.test(text) && path === 'composer.json');
  });
  return Promise.all(
    wanted.toSorted().map(async (path) => {
      const content = (await read(path)) ?? '';
      return `${path}: ${path === 'composer.json' ? JSON.stringify(scriptsOf(content)) : content}`;
    }),
  );
}

/** Tells whether a file is a part of what starts Maven or Gradle. */
export function isWrapper(path: string): boolean {
  return /(?:^|\/)(?:mvnw(?:\.cmd)?|gradlew(?:\.bat)?)$|(?:^|\/)(?:\.mvn|gradle\/wrapper)\//.test(path);
}

/** Long texts by their beginning and a digest, so that any change makes another line. */
function shown(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${oneLine(text, 200)} (sha256 ${sha256(text)})`;
}

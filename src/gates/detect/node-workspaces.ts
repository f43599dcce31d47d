import { globMatcher, globProblem } from '../../text/glob.ts';
import { type Fields, fieldsOf, parseJsonMap, parseYamlMap, textsOf } from './manifest.ts';
import { foldersWith, isPlain, type Place } from './place.ts';

const MANIFEST = new Set(['package.json']);
const MOST = 500;

/** The packages of a workspace: their folders and what their package.json say. */
export type Members = { readonly dirs: readonly string[]; readonly manifests: readonly Fields[] };

export async function membersOf(place: Place, manifest: Fields): Promise<Members> {
  const patterns = await patternsOf(place, manifest);
  const chosen = matchers(patterns.filter((pattern) => !pattern.startsWith('!')));
  const refused = matchers(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  const dirs = foldersWith(place.files, MANIFEST)
    .filter((dir) => isPlain(dir) && !dir.split('/').includes('node_modules'))
    .filter((dir) => chosen.some((matches) => matches(dir)) && !refused.some((matches) => matches(dir)))
    .slice(0, MOST);
  const manifests: Fields[] = [];
  for (const dir of dirs) {
    const fields = parseJsonMap(await place.read(`${dir}/package.json`));
    if (fields !== undefined) manifests.push(fields);
  }
  return { dirs, manifests };
}

async function patternsOf(place: Place, manifest: Fields): Promise<string[]> {
  const { workspaces } = manifest;
  const pnpm = parseYamlMap(await place.read('pnpm-workspace.yaml'), 'pnpm-workspace.yaml');
  return [...textsOf(workspaces), ...textsOf(fieldsOf(workspaces)?.packages), ...textsOf(pnpm?.packages)].slice(
    0,
    MOST,
  );
}

function matchers(patterns: readonly string[]): ((path: string) => boolean)[] {
  return patterns
    .map((pattern) => pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
    .filter((pattern) => globProblem(pattern) === undefined)
    .map(globMatcher);
}

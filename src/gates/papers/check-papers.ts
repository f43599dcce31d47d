import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Tree } from '../../ports/tree.ts';
import { readableText } from '../gate/readable-text.ts';

const LIMIT = 512 * 1024;
const MOST_FILES = 200;

/** The work of a phase whose type says what its papers have to come to. */
export type Papers = {
  readonly phase: Phase;
  readonly tree: Tree;
  readonly base: Tree;
  /** The paths of what the phase was given. */
  readonly inputs: readonly string[];
  /** The tree holds the whole project, so that what is not in it is not there. */
  readonly whole: boolean;
};

/** What phases of a type have to come to, whatever gates their plan has: research cites its sources, and documents link to what is there. */
export async function checkPapers(papers: Papers): Promise<Finding[]> {
  const { type } = papers.phase;
  if (type === 'research') return checkResearch(papers);
  return type === 'documentation' ? checkDocuments(papers) : [];
}

/** Research that is to deliver findings.md and sources.json. */
async function checkResearch(papers: Papers): Promise<Finding[]> {
  const { phase, tree } = papers;
  const named = (name: string) => phase.output.files.find((file) => posix.basename(file) === name);
  const [findings, sources] = [named('findings.md'), named('sources.json')];
  if (findings === undefined || sources === undefined) return [];
  const { checkSources } = await import('./check-sources.ts');
  const read = async (path: string) => ({ path, text: await textOf(tree, path) });
  return checkSources({ findings: await read(findings), sources: await read(sources), exists: existsIn(papers) });
}

async function checkDocuments(papers: Papers): Promise<Finding[]> {
  const { tree, base } = papers;
  const before = new Map(base.files.map(({ path, digest }) => [path, digest]));
  const changed = tree.files
    .filter(({ path, digest }) => /\.(?:md|markdown)$/i.test(path) && before.get(path) !== digest)
    .map(({ path }) => path)
    .slice(0, MOST_FILES);
  if (changed.length === 0) return [];
  const found = await flawsIn(tree, changed, existsIn(papers));
  if (!found.some(({ severity }) => severity === 'error')) return found;
  const old = changed.filter((path) => before.has(path));
  const known = new Set((await flawsIn(base, old, existsIn({ ...papers, tree: base }))).map(wordsOf));
  // What was wrong before the phase began is told, and is not its doing.
  return found.map((finding) => (known.has(wordsOf(finding)) ? { ...finding, severity: 'warning' } : finding));
}

function wordsOf({ check, message, location }: Finding): string {
  return JSON.stringify([check, message, location?.file]);
}

async function flawsIn(tree: Tree, files: readonly string[], exists: Exists): Promise<Finding[]> {
  const [{ checkLinks }, { checkExamples }] = [
    await import('../judge/check-links.ts'),
    await import('./check-examples.ts'),
  ];
  const links = await checkLinks(files, { read: (path, limit) => tree.read(path, limit), exists });
  const examples: Finding[] = [];
  for (const file of files) {
    const text = await textOf(tree, file);
    if (text !== undefined) examples.push(...checkExamples(file, text, exists));
  }
  return [...links, ...examples];
}

async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path, LIMIT + 1);
  return bytes === undefined || bytes.length > LIMIT ? undefined : readableText(bytes)?.text;
}

type Exists = (path: string) => boolean | undefined;

/** In a directory of its own a phase knows what it wrote itself and what it was given, and of all else nothing. */
function existsIn({ phase, tree, inputs, whole }: Papers): Exists {
  const paths = new Set([...tree.files.map(({ path }) => path), ...inputs]);
  const folders = new Set([...paths].flatMap(foldersOf));
  const own = `${phase.output.directory}/`;
  return (path) => {
    const place = posix.normalize(path).replace(/\/$/, '');
    if (place === '.' || paths.has(place) || folders.has(place)) return true;
    return whole || (own !== './' && `${place}/`.startsWith(own)) ? false : undefined;
  };
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

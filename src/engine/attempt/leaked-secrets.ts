import type { Finding } from '../../domain/finding.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { Tree } from '../../ports/tree.ts';

const FILE_LIMIT = 4 * 1024 * 1024;
const TOTAL_LIMIT = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

type Compared = { readonly tree: Tree; readonly base: Tree };

/** Known secrets in the files and file names that a phase has made or changed: a tree that has any is not accepted. */
export async function leakedSecrets({ tree, base }: Compared, secrets: Redactor): Promise<Finding[]> {
  if (!secrets.knowsAny()) return [];
  const before = new Map(base.files.map((file) => [file.path, file.digest]));
  const changed = tree.files.filter(({ path, digest }) => before.get(path) !== digest);
  const findings: Finding[] = [];
  let left = TOTAL_LIMIT;
  for (const { path, size } of changed) {
    const named = before.has(path) ? [] : secrets.find(Buffer.from(path));
    findings.push(...named.map(({ name }) => leak(`the name of ${path}`, name, { file: path })));
    const limit = Math.min(size, FILE_LIMIT, left);
    left -= limit;
    const content = limit === 0 ? undefined : await tree.read(path, limit);
    const found = content === undefined ? [] : secrets.find(content);
    if (content === undefined || found.length === 0) continue;
    const old = await namesIn(base, path, secrets);
    for (const { name, at } of found.filter((each) => !old.has(each.name))) {
      const line = lineAt(content, at);
      findings.push(leak(`${path}:${line}`, name, { file: path, line }));
    }
  }
  return findings;
}

/** What the user's own file had in it before is theirs to know. */
async function namesIn(base: Tree, path: string, secrets: Redactor): Promise<Set<string>> {
  const content = await base.read(path, FILE_LIMIT);
  return new Set(content === undefined ? [] : secrets.find(content).map(({ name }) => name));
}

function lineAt(content: Buffer, at: number): number {
  return content.subarray(0, at).reduce((line, byte) => line + (byte === LINE_FEED ? 1 : 0), 1);
}

function leak(place: string, name: string, location: NonNullable<Finding['location']>): Finding {
  return {
    severity: 'error',
    check: 'secret-in-output',
    message: `${place} has the value of ${name}`,
    hint: 'Remove it and read it from the environment instead. Its owner should replace the key: it has been in a file.',
    location,
  };
}

import type { Finding } from '../../domain/finding.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { Tree } from '../../ports/tree.ts';
import { compareTrees } from './compare-trees.ts';

const LINE_FEED = 0x0a;

type Compared = { readonly tree: Tree; readonly base: Tree };

/** Known secrets in the files and file names that a phase has made or changed: a tree that has any is not accepted. */
export async function leakedSecrets({ tree, base }: Compared, secrets: Redactor): Promise<Finding[]> {
  if (!secrets.knowsAny()) return [];
  const { before, changed } = compareTrees(tree, base);
  const findings = await leakedLinks({ tree, base }, secrets);
  for (const { path, size } of changed) {
    const named = before.has(path) ? [] : secrets.find(Buffer.from(path));
    findings.push(...named.map(({ name }) => leak(`the name of ${path}`, name, { file: path })));
    const content = await tree.read(path, size);
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

/** What a link leads to is no file, but part of the work like one. */
async function leakedLinks({ tree, base }: Compared, secrets: Redactor): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path } of tree.links ?? []) {
    const target = (await tree.target?.(path)) ?? '';
    if (target === (await base.target?.(path))) continue;
    const found = [...secrets.find(Buffer.from(path)), ...secrets.find(Buffer.from(target))];
    findings.push(...found.map(({ name }) => leak(`the link ${path}`, name, { file: path })));
  }
  return findings;
}

/** What the user's own file had in it before is theirs to know. */
async function namesIn(base: Tree, path: string, secrets: Redactor): Promise<Set<string>> {
  const content = await base.read(path, Number.MAX_SAFE_INTEGER);
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

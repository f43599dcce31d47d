import { expect, it } from 'vitest';
import type { Tree } from '../../ports/tree.ts';
import { sha256 } from '../../text/digest.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { leakedSecrets } from './leaked-secrets.ts';

const [FIRST, SECOND] = ['tk9fK2mQ7xW4pR8sV1cY', 'lg5tY1uI8oP4aS2dF7gH'];
const SECRETS = createRedactor([
  { name: 'FIRST', value: FIRST },
  { name: 'SECOND', value: SECOND },
]);

function tree(files: Readonly<Record<string, string>>, read: string[] = []): Tree {
  return {
    id: sha256(JSON.stringify(files)),
    files: Object.entries(files).map(([path, text]) => ({
      ...{ path, digest: sha256(text), size: Buffer.byteLength(text), executable: false },
    })),
    problems: [],
    read: async (path, limit) => {
      read.push(path);
      return files[path] === undefined ? undefined : Buffer.from(files[path]).subarray(0, limit);
    },
  };
}

async function messages(before: Record<string, string>, after: Record<string, string>): Promise<string[]> {
  const found = await leakedSecrets({ base: tree(before), tree: tree(after) }, SECRETS);
  return found.map(({ message }) => message);
}

it('every secret of a new or changed file is named with its first line', async () => {
  const text = `ü\n${FIRST}\n${FIRST} ${SECOND}`;
  expect(await messages({ 'a.txt': 'x' }, { 'a.txt': text, 'b/c.txt': FIRST })).toEqual([
    'a.txt:2 has the value of FIRST',
    'a.txt:3 has the value of SECOND',
    'b/c.txt:1 has the value of FIRST',
  ]);
});

it('a secret that the file had before is left to its owner, another is not', async () => {
  expect(await messages({ 'a.txt': FIRST }, { 'a.txt': `${FIRST}\nmore` })).toEqual([]);
  expect(await messages({ 'a.txt': FIRST }, { 'a.txt': `${FIRST}\n${SECOND}` })).toEqual([
    'a.txt:2 has the value of SECOND',
  ]);
});

it('the name of a new file is looked at, too', async () => {
  expect(await messages({}, { [`x-${FIRST}`]: 'x' })).toEqual([`the name of x-${FIRST} has the value of FIRST`]);
});

it('a secret is found wherever it lies in a file, outside the project, and where a link leads', async () => {
  const before = tree({});
  const large = `${'x'.repeat(5 * 1024 * 1024)}\n${FIRST}`;
  const after = tree({ 'large.txt': large });
  const around: Tree = {
    ...tree({ '../beside.txt': SECOND }),
    files: [],
    outside: tree({ '../beside.txt': SECOND }).files,
    links: [{ path: 'link' }],
    target: async () => `/tmp/${FIRST}`,
  };
  const found = [
    ...(await leakedSecrets({ base: before, tree: after }, SECRETS)),
    ...(await leakedSecrets({ base: before, tree: around }, SECRETS)),
    ...(await leakedSecrets(
      { base: { ...before, target: async () => `/tmp/${FIRST}` }, tree: { ...around, outside: [] } },
      SECRETS,
    )),
  ];
  expect(found.map(({ message }) => message)).toEqual([
    'large.txt:2 has the value of FIRST',
    'the link link has the value of FIRST',
    '../beside.txt:1 has the value of SECOND',
  ]);
});

it('what did not change is not read, and nothing where no secret is known', async () => {
  const read: string[] = [];
  const [base, after] = [tree({ a: FIRST, b: 'x' }), tree({ a: FIRST, b: 'y' }, read)];
  expect(await leakedSecrets({ base, tree: after }, SECRETS)).toEqual([]);
  expect(read).toEqual(['b']);
  expect(await leakedSecrets({ base, tree: tree({ c: FIRST }, read) }, createRedactor([]))).toEqual([]);
  expect(read).toEqual(['b']);
});

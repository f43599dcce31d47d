import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

const PAGE = fileURLToPath(new URL('../docs/do.md', import.meta.url));
const BLOCK = /^```text\n[\s\S]*?^```$/m;
const TASK = 'the CSV export loses umlauts; add a test for it';

const FILES = {
  'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/export.js': "export const toCsv = (rows) => Buffer.from(rows.join('\\n'), 'latin1');\n",
  'test/rows.test.js': testOf('one line for each row', "toCsv(['a', 'b']).toString(), 'a\\nb'"),
};

function testOf(name: string, call: string): string {
  return `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { toCsv } from '../src/export.js';\ntest('${name}', () => assert.equal(${call}));\n`;
}

const MENDED = "export const toCsv = (rows) => Buffer.from(rows.join('\\n'), 'utf8');\n";
const SCRIPT = {
  phases: {
    change: [
      { writes: { 'test/umlauts.test.js': testOf('keeps umlauts', "toCsv(['Müller']).toString('utf8'), 'Müller'") } },
      { writes: { 'src/export.js': MENDED } },
    ],
  },
};

/** What somebody saw, without what differs from one time to the next. */
function essence(said: string): string {
  return said
    .replaceAll(/\d{8}-[0-9a-f]{8}/g, '20261118-1a2b3c4d')
    .replaceAll(/\b[0-9a-f]{16}\b/g, '5d0f61c2a9b84e37')
    .replaceAll(/\b[0-9a-f]{12}\b/g, '3f2a9c1d0b7e')
    .replaceAll(/@ [0-9a-f]{7}\b/g, '@ 3f2a9c1')
    .replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, '1s')
    .replaceAll(/^sandbox: .*$/gm, 'sandbox: strict (bubblewrap)');
}

it('docs/do.md shows what somebody sees', async () => {
  const repository = new Repository({ planless: true, files: FILES });
  put(repository.root, { 'script.yaml': JSON.stringify(SCRIPT) });
  const how = ['--trust', '--agent', 'scripted', '--script', repository.beside('script.yaml')];
  const { stderr, stdout } = await repository.helix(['do', TASK, ...how]);
  const shown = essence(`$ helix do "${TASK}" --agent scripted --trust\n${stderr}\n${stdout}`).trimEnd();
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.HELIX_RECORD === '1')
    writeFileSync(
      PAGE,
      page.replace(BLOCK, () => `\`\`\`text\n${shown}\n\`\`\``),
    );
  else expect(BLOCK.exec(page)?.[0]).toBe(`\`\`\`text\n${shown}\n\`\`\``);
});

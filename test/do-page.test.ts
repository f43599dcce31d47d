import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Repository } from './repository.ts';
import { contents } from './scratch.ts';

const PAGE = fileURLToPath(new URL('../docs/do.md', import.meta.url));
const BLOCK = /^```text\n[\s\S]*?^```$/m;
const TASK = 'the CSV export loses umlauts; add a test for it';

const EXAMPLE = fileURLToPath(new URL('../examples/do', import.meta.url));

/** What somebody saw, without what differs from one time to the next. */
function essence(said: string): string {
  return said
    .replaceAll(/\d{8}-[0-9a-f]{8}/g, '20261118-1a2b3c4d')
    .replaceAll(/\b[0-9a-f]{16}\b/g, '5d0f61c2a9b84e37')
    .replaceAll(/\b[0-9a-f]{12}\b/g, '3f2a9c1d0b7e')
    .replaceAll(/@ [0-9a-f]{7}\b/g, '@ 3f2a9c1')
    .replaceAll(/\b\d+(?:\.\d+)?m?s\b/g, '1s')
    .replaceAll(/about [\d,]+ tokens/g, 'about 1,500 tokens')
    .replaceAll(/^sandbox: .*$/gm, 'sandbox: strict (bubblewrap)');
}

it('docs/do.md shows what somebody sees', async () => {
  const repository = new Repository({ planless: true, files: contents(join(EXAMPLE, 'repository')) });
  const how = ['--trust', '--agent', 'scripted', '--script', join(EXAMPLE, 'scripted.yaml')];
  const { stderr, stdout } = await repository.helix(['do', TASK, ...how]);
  const evidence = await repository.helix(['evidence']);
  const said = `$ helix do "${TASK}" --agent scripted --trust\n${stderr}\n${stdout}`;
  const shown = essence(`${said}\n$ helix evidence\n${evidence.stdout}`).trimEnd();
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.HELIX_RECORD === '1')
    writeFileSync(
      PAGE,
      page.replace(BLOCK, () => `\`\`\`text\n${shown}\n\`\`\``),
    );
  else expect(BLOCK.exec(page)?.[0]).toBe(`\`\`\`text\n${shown}\n\`\`\``);
});

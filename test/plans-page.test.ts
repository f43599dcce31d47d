import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { InboxDocument, PlanDocument } from '../src/domain/documents/documents.ts';
import { helix } from './helix-process.ts';
import { Repository } from './repository.ts';
import { scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [SENTENCE = '', PAGE = ''] = readFileSync(join(ROOT, 'docs/plans.md'), 'utf8').split('\n## A plan that grows\n');
const WIDTH = { COLUMNS: '80' };

function blocks(language: string, page = PAGE): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, body = '']) => body);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ');
}

it('its commands go from one sentence to a branch, and show what it says', async () => {
  const script = readFileSync(join(ROOT, 'examples/from-one-sentence/task.yaml'), 'utf8');
  const repository = new Repository({ planless: true, files: { 'lists.txt': 'groceries\n', 'task.yaml': script } });
  let [request, run] = ['', ''];
  let shown = '';
  for (const line of blocks('sh', SENTENCE).flatMap((block) => block.trim().split('\n'))) {
    const told = line.replace('<request>', request).replace('<run>', run);
    const words = [...told.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
    const { code, stdout, stderr } = await repository.helix(words, { env: WIDTH });
    expect(code, `${line}\n${stdout}${stderr}`).toBe(request === '' ? 3 : 0);
    shown += `${stderr}${stdout}`;
    const state = (await repository.journaled()).state;
    [request, run] = [[...(state?.requests.keys() ?? [])][0] ?? '', state?.run ?? ''];
  }
  for (const block of blocks('text', SENTENCE)) expect(squeezed(shown)).toContain(squeezed(block));
  expect(await repository.files('helix/lists-can-shared-by-link')).toEqual(
    expect.arrayContaining(['links.txt', 'lists.txt', 'login.txt']),
  );
  expect(shown).toContain('git merge helix/lists-can-shared-by-link');
});

it('its commands grow the plan of the example, and show what it says', async () => {
  const dir = scratch();
  cpSync(join(ROOT, 'examples/growing-plan'), dir, { recursive: true });
  let [request, run] = ['', ''];
  let shown = '';
  for (const line of blocks('sh').flatMap((block) => block.trim().split('\n'))) {
    const words = line.replace('<request>', request).replace('<run>', run).split(' ').slice(1);
    const { code, stdout, stderr } = await helix(words, { cwd: dir, env: WIDTH });
    expect([0, 3], `${line}\n${stdout}${stderr}`).toContain(code);
    shown += stdout;
    const inbox = await helix(['inbox', '--json'], { cwd: dir });
    const [open] = (JSON.parse(inbox.stdout) as InboxDocument).requests;
    if (open !== undefined) [request, run] = [open.id, open.run];
  }
  for (const block of blocks('text')) expect(squeezed(shown)).toContain(squeezed(block));
  const { stdout } = await helix(['plan', '--run', run, '--json'], { cwd: dir });
  const page = readFileSync(join(dir, '.helix/runs', run, 'final/report.html'), 'utf8');
  expect(page).toContain('2 phases added, 1 phase changed by 01-consultant');
  const plan = JSON.parse(stdout) as PlanDocument;
  expect(plan.phases.map(({ id }) => id)).toContain('05-review-words');
  expect(plan.growths).toEqual([
    {
      phase: '01-consultant',
      added: ['04-translate', '05-review-words'],
      changed: ['02-build'],
      dropped: [],
    },
  ]);
});

it('its plans are plans', async () => {
  const [declared = '', , generating = ''] = blocks('yaml');
  for (const text of [declared, generating]) {
    const dir = scratch({ 'phases.yaml': text, 'helix.yaml': stringify({ allow_simulated: true }) });
    const { code, stdout, stderr } = await helix(['plan', dir], { cwd: dir });
    expect(code, `${stdout}${stderr}`).toBe(0);
  }
});

it('a run whose plan has grown is not replanned from its file', async () => {
  const dir = scratch();
  cpSync(join(ROOT, 'examples/growing-plan'), dir, { recursive: true });
  const plan = readFileSync(join(dir, 'phases.yaml'), 'utf8');
  writeFileSync(join(dir, 'phases.yaml'), `budget: { attempts: 1 }\n${plan}`);
  await helix(['run', '--trust', '--no-wait'], { cwd: dir });
  const inbox = JSON.parse((await helix(['inbox', '--json'], { cwd: dir })).stdout) as InboxDocument;
  await helix(['decide', inbox.requests[0]?.id ?? '', 'B'], { cwd: dir });
  await helix(['resume'], { cwd: dir });
  const { code, stderr } = await helix(['resume', '--replan'], { cwd: dir });
  expect(stderr).toContain('has grown by what 01-consultant wrote');
  expect(code).toBe(2);
});

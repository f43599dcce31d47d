import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { makeFifo, scratch } from '../../../test/scratch.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { filesExist } from './files-exist.ts';

type Case = {
  readonly files?: readonly string[];
  readonly output?: Partial<Phase['output']>;
  readonly made?: Readonly<Record<string, string>>;
  readonly before?: Readonly<Record<string, string>>;
  readonly change?: (dir: string) => void;
};

async function judge({ files, output, made = {}, before = {}, change }: Case) {
  const dir = scratch({ ...before, ...made });
  change?.(dir);
  const phase = samplePhase('one', { output: { directory: 'output', files: [], ...output } });
  const { tree: base } = await gateContext(scratch(before));
  const context = await gateContext(dir, { phase, base });
  return filesExist.judge({ type: 'files_exist', ...(files !== undefined && { files }) }, context);
}

const A_FILE = { made: { 'output/a.md': 'x' } };

it.each<[string, Case]>([
  ['a named file', { files: ['output/a.md'], ...A_FILE }],
  ['a file named without the output directory', { files: ['a.md'], ...A_FILE }],
  ['a file written to the base', { files: ['a.md'], made: { 'a.md': 'x' } }],
  ['another spelling of its path', { files: ['./output//a.md'], ...A_FILE }],
  ['an empty file that was asked for by name', { files: ['a.md'], made: { 'a.md': '' } }],
  ['a pattern with at least one file', { files: ['output/*.md', '**/*.md', 'output/**'], ...A_FILE }],
  ['a pattern below the output directory', { files: ['src/*.py'], made: { 'output/src/x.py': '' } }],
  ['a folder written with a slash', { files: ['docs/'], made: { 'docs/deep/a.md': '' } }],
  [
    'a link to a file of the tree',
    { files: ['link'], ...A_FILE, change: (dir) => symlinkSync('output/a.md', join(dir, 'link')) },
  ],
  ['what the phase declares', { output: { files: ['output/a.md'] }, ...A_FILE }],
  ['its own files before what the phase declares', { files: ['output/a.md'], output: { files: ['gone'] }, ...A_FILE }],
  ['a file that was there before, when it is asked for by name', { files: ['a.md'], before: { 'a.md': 'x' } }],
  ['something new where nothing is declared', A_FILE],
  ['something changed where nothing is declared', { before: { 'output/a': 'old' }, made: { 'output/a': 'new' } }],
  ['something new anywhere, where the base is the output directory', { output: { directory: '.' }, made: { x: 'x' } }],
  [
    'something new in an output directory of its own',
    { output: { directory: 'src/main' }, made: { 'src/main/x': 'x' } },
  ],
])('%s passes', async (_what, example) => {
  expect(said(await judge(example))).toEqual(['pass']);
});

it.each<[string, Case, string]>([
  ['a file that is not there', { files: ['a.md'] }, 'a.md is missing'],
  ['every one that is not there', { files: ['x', 'output/a.md', 'y'], ...A_FILE }, 'x is missing'],
  ['a pattern nothing fits', { files: ['output/*.txt'], ...A_FILE }, 'output/*.txt is missing'],
  ['another case of the name', { files: ['output/A.md'], ...A_FILE }, 'output/A.md is missing'],
  ['a folder in place of a file', { files: ['docs'], made: { 'docs/x': '' } }, 'docs is a directory, not a file'],
  ['a declared file', { output: { files: ['output/b.md'] }, ...A_FILE }, 'output/b.md is missing'],
  ['a FIFO', { files: ['pipe'], change: (dir) => makeFifo(join(dir, 'pipe')) }, 'pipe is a FIFO'],
  [
    'a huge file',
    { files: ['a.md'], made: { 'a.md': '' }, change: (dir) => truncateSync(join(dir, 'a.md'), 1024 ** 3) },
    'too large',
  ],
  [
    'a link out',
    { files: ['out'], change: (dir) => symlinkSync('/etc/passwd', join(dir, 'out')) },
    'is a link that leaves',
  ],
  ['a dangling link', { files: ['out'], change: (dir) => symlinkSync('gone', join(dir, 'out')) }, 'out is missing'],
  ['nothing at all', {}, 'no new or changed file under output'],
  ['only what was there before', { before: { 'output/a': 'x' } }, 'no new or changed file under output'],
  ['only empty files', { made: { 'output/a': '' } }, 'no new or changed file under output'],
  [
    'something new elsewhere',
    { made: { 'elsewhere/a': 'x', 'output2/a': 'x' } },
    'no new or changed file under output',
  ],
])('%s is refused by name', async (_what, example, message) => {
  const [outcome, first] = said(await judge(example));
  expect(outcome).toBe('reject');
  expect(first).toMatch(/^error: /);
  expect(first).toContain(message);
});

it('each missing file is a finding with its place and where to write it', async () => {
  const answer = await judge({ files: ['x', 'y/*.md'] });
  expect(answer).toMatchObject({
    findings: [
      { location: { file: 'x' }, hint: 'Write it to x or output/x, relative to the working directory.' },
      { location: { file: 'y/*.md' }, check: 'files_exist' },
    ],
  });
});

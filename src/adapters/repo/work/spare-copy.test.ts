import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../../../test/robust-project.ts';
import { scratch } from '../../../../test/scratch.ts';
import type { ProcessSpec } from '../../../ports/processes.ts';
import { createProcesses } from '../../programs/processes.ts';
import { SetUp } from './set-up.ts';

const TREE = { id: 'tree', files: [], problems: [], read: async () => undefined };
const MAKE = 'mkdir made && cd made && seq 600 | xargs touch && echo good > tool.js && ln -s tool.js link';

/** A set-up of many files that works ahead; `meanwhile` is what somebody does when one of its programs has ended. */
function ahead(meanwhile: (program: string) => void = () => undefined) {
  const root = scratch();
  const work = join(root, 'work');
  mkdirSync(work);
  const processes = createProcesses();
  const ended: string[] = [];
  const run = async (spec: ProcessSpec) => {
    const end = await processes.run(spec);
    const program = spec.argv[0] ?? '';
    meanwhile(program);
    ended.push(program);
    return end;
  };
  const setUp = new SetUp({
    settings: { mode: 'repo', setup: [['sh', '-c', MAKE]], copy: [], cache: ['made'] },
    ...{ processes: { ...processes, run }, env: { PATH: process.env.PATH ?? '' } },
    ...{ marker: `ahead-${root}`, store: join(root, 'store'), work },
  });
  setUp.workAhead();
  const prepare = async (name: string) => {
    mkdirSync(join(root, name));
    await setUp.prepare({ dir: join(root, name), tree: TREE, above: [], added: async () => [], declared: [] });
  };
  return {
    ...{ root, setUp, prepare },
    inSpare: (name: string) => readdirSync(work).map((spare) => join(work, spare, '0', name))[0] ?? '',
    /** Resolves when a spare copy is there and was compared. */
    compared: (times: number) => eventually(() => ended.filter((program) => program === 'diff').length === times),
    spares: () => readdirSync(work).length,
  };
}

const number = (path: string) => lstatSync(path).ino;
const text = (path: string) => readFileSync(path, 'utf8');

it('the next directory gets a copy that was made before it was needed', async () => {
  const { root, prepare, compared, inSpare, spares } = ahead();
  await prepare('first');
  for (const [times, name] of [[1, 'second'] as const, [2, 'third'] as const]) {
    await compared(times);
    const made = number(inSpare('tool.js'));
    await prepare(name);
    expect(number(join(root, name, 'made/tool.js'))).toBe(made);
    expect(text(join(root, name, 'made/link'))).toBe('good\n');
    expect(spares()).toBe(1);
  }
});

it('a copy that somebody changed since is not used', async () => {
  const { root, prepare, compared, inSpare } = ahead();
  await prepare('first');
  await compared(1);
  writeFileSync(inSpare('tool.js'), 'evil\n');
  await prepare('second');
  expect(text(join(root, 'second/made/tool.js'))).toBe('good\n');
});

it('a copy that somebody changed while it was made is not used', async () => {
  const changes: string[] = [];
  const found: ReturnType<typeof ahead> = ahead((program) => {
    if (program !== 'cp') return;
    changes.push(found.inSpare('tool.js'));
    writeFileSync(found.inSpare('tool.js'), 'evil\n');
  });
  await found.prepare('first');
  await found.compared(1);
  await found.prepare('second');
  expect(text(join(found.root, 'second/made/tool.js'))).toBe('good\n');
  expect(changes.length).toBeGreaterThan(0);
});

it('nothing is left of it at the end', async () => {
  const { setUp, prepare, compared, spares, inSpare } = ahead();
  await prepare('first');
  expect(spares()).toBe(1);
  await setUp.close();
  expect(spares()).toBe(0);
  await prepare('second');
  await compared(1);
  expect(existsSync(inSpare('tool.js'))).toBe(true);
  await setUp.close();
  expect(spares()).toBe(0);
});

import { spawnSync } from 'node:child_process';
import { chmodSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contents, put, scratch } from '../../../test/scratch.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { type PatchSide, renderPatch } from './patch.ts';

function side(content: string | Buffer | undefined, executable = false): PatchSide | undefined {
  return content === undefined ? undefined : { content: Buffer.from(content), executable };
}

/** What `git apply` makes of a directory with the file before. */
function applied(patch: Buffer, files: Record<string, Buffer>): string {
  const dir = put(scratch(), files);
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: dir, input: patch });
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  return dir;
}

const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  ' x',
  '-y',
  '+z',
  '\\ No',
  'é',
  '\ud83d\ude00',
  'tail\r',
  '@@ -1 +1 @@',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

it('git makes the new file from the old one and the patch, whatever the two are', () => {
  const files = fc.sample(fc.tuple(fc.option(text, { nil: undefined }), fc.option(text, { nil: undefined })), {
    numRuns: 400,
    seed: 7,
  });
  const before: Record<string, Buffer> = {};
  const after: Record<string, string> = {};
  const patches = files.map(([old, now], index) => {
    const path = `f${String(index).padStart(3, '0')}`;
    if (old !== undefined) before[path] = Buffer.from(old);
    if (now !== undefined) after[path] = now;
    if (old === now) return Buffer.alloc(0);
    return renderPatch({ path, before: side(old), after: side(now) }).patch;
  });
  expect(contents(applied(Buffer.concat(patches), before))).toEqual(after);
});

it('bytes that are no text of any encoding survive', () => {
  const old = Buffer.from([0xff, 0xfe, 0x0a, 0x41, 0x0d, 0x0a, 0xe4]);
  const now = Buffer.from([0xff, 0xfe, 0x0a, 0x42, 0x0d, 0x0a, 0xc3, 0x28]);
  const { patch } = renderPatch({ path: 'x', before: side(old), after: side(now) });
  const dir = applied(patch, { x: old });
  expect(spawnSync('cat', ['x'], { cwd: dir }).stdout.equals(now)).toBe(true);
});

it.each([
  'with space',
  'tab\there',
  'new\nline',
  '"quoted"',
  'back\\slash',
  '-dash',
  'bell\u0007\u009b2J',
  'ünï/cödé',
  'a b/c d',
  ' lead',
])('the name %j is one that git understands', (path) => {
  const { patch } = renderPatch({ path, before: side('one\n'), after: side('two\n') });
  expect(contents(applied(patch, { [path]: Buffer.from('one\n') }))).toEqual({ [path]: 'two\n' });
  const made = renderPatch({ path, before: undefined, after: side('new\n') }).patch;
  expect(contents(applied(made, {}))).toEqual({ [path]: 'new\n' });
});

it('a file can become executable, and nothing else change', () => {
  const { patch, added, removed } = renderPatch({ path: 'run', before: side('x'), after: side('x', true) });
  expect({ added, removed }).toEqual({ added: 0, removed: 0 });
  const dir = put(scratch(), { run: 'x' });
  chmodSync(join(dir, 'run'), 0o644);
  spawnSync('git', ['apply', '-'], { cwd: dir, input: patch });
  expect(statSync(join(dir, 'run')).mode & 0o111).not.toBe(0);
});

it('counts lines, not headers', () => {
  const { added, removed } = renderPatch({ path: 'x', before: side('a\nb\nc'), after: side('a\nB\nc\nd\n') });
  expect({ added, removed }).toEqual({ added: 3, removed: 2 });
});

it('two large files without anything in common are told apart in bounded time', () => {
  const lines = (sign: string) => Array.from({ length: 40_000 }, (_, index) => `${sign} ${index}\n`).join('');
  const work = workMeter();
  const { added, removed } = renderPatch({ path: 'x', before: side(lines('a')), after: side(lines('b')) });
  expect({ added, removed }).toEqual({ added: 40_000, removed: 40_000 });
  expect(work()).toBeLessThan(1000);
});

it('git replaces a file by a link and a link by a file, as the patch says', () => {
  const link: PatchSide = { content: Buffer.from('stub.js'), executable: false, as: 'link' };
  const { patch, added, removed } = renderPatch({ path: 'x', before: side('a\nb\n'), after: link });
  expect({ added, removed }).toEqual({ added: 1, removed: 2 });
  const dir = applied(patch, { x: Buffer.from('a\nb\n') });
  expect(readlinkSync(join(dir, 'x'))).toBe('stub.js');
  const back = renderPatch({ path: 'x', before: link, after: side('c\n') }).patch;
  expect(spawnSync('git', ['apply', '-'], { cwd: dir, input: back }).status).toBe(0);
  expect(contents(dir)).toEqual({ x: 'c\n' });
});

it('git replaces a file by a submodule, as the patch says', () => {
  const content = Buffer.from(`Subproject commit ${'1'.repeat(40)}\n`);
  const submodule: PatchSide = { content, executable: false, as: 'submodule' };
  const { patch, added, removed } = renderPatch({ path: 'x', before: side('a\nb\n'), after: submodule });
  expect({ added, removed }).toEqual({ added: 1, removed: 2 });
  expect(patch.toString()).toContain('new file mode 160000');
  expect(statSync(join(applied(patch, { x: Buffer.from('a\nb\n') }), 'x')).isDirectory()).toBe(true);
});

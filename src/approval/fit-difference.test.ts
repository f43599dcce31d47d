import { expect, it } from 'vitest';
import { differenceFindings, fitDifference } from './fit-difference.ts';

const FILLER = Array.from({ length: 40_000 }, (_, index) => `+value number ${index}\n`).join('');

function patchOf(path: string, body: string, mode = ''): string {
  return `diff --git a/${path} b/${path}\n${mode}--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n${body}`;
}

const ADDED = patchOf('src/aaa.txt', FILLER, 'new file mode 100644\n');
const DELETED = patchOf('src/zauth.js', '-assertAdminOnly();\n', 'deleted file mode 100644\n');
const CHANGED = patchOf('src/yverify.js', ' one\n-verify(signature);\n three\n');

it('what was removed is seen behind any amount that was added, and every file is named with what became of it', () => {
  const { list, patch, shortened, unseen } = fitDifference(ADDED + CHANGED + DELETED);
  expect(list).toEqual(['deleted: src/zauth.js', 'changed: src/yverify.js', 'added: src/aaa.txt']);
  expect(patch).toContain('-assertAdminOnly();');
  expect(patch).toContain('-verify(signature);');
  expect(patch).toContain('[39997 more lines added: read the file]');
  expect(shortened).toEqual(['src/aaa.txt']);
  expect(unseen).toEqual([]);
});

it('also within one file, and behind one long line', () => {
  const hidden = `${FILLER}-verify(signature);\n+${'x'.repeat(400_000)}\n ${'y'.repeat(400_000)}\n-last();\n`;
  const { patch, unseen } = fitDifference(patchOf('a.js', hidden));
  expect(patch).toContain('-verify(signature);');
  expect(patch).toContain('-last();');
  expect(patch.length).toBeLessThan(10_000);
  expect(unseen).toEqual([]);
});

it('removals that are too many leave room for those of other files, and are told', () => {
  const long = patchOf('big.js', FILLER.replaceAll('+', '-'), 'deleted file mode 100644\n');
  const { patch, unseen } = fitDifference(long + DELETED);
  expect(patch).toContain('-assertAdminOnly();');
  expect(patch.length).toBeLessThanOrEqual(256 * 1024);
  expect(unseen).toEqual(['big.js']);
  expect(differenceFindings(long + DELETED)).toMatchObject([
    { severity: 'warning', check: 'difference-cut', message: expect.stringContaining('"big.js"') },
  ]);
});

it('so are files that are only named, unless they are new', () => {
  const binary = (path: string, mode = '') =>
    `diff --git a/${path} b/${path}\n${mode}index 1..2\nBinary files a/${path} and b/${path} differ\n`;
  const named = '# removed: old (1).bin (binary)\n# added: new.bin (large)\n';
  const patch = `${binary('a b.png')}${binary('new.png', 'new file mode 100644\n')}${named}`;
  expect(fitDifference(patch).unseen).toEqual(['a b.png', 'old (1).bin']);
  expect(fitDifference(patch).list).toContain('added: new.bin (only named: its content is not shown)');
});

it('a small difference stays as it is, a NUL in it can be seen, and content begins no file', () => {
  const patch = patchOf('a.js', '-a /* \0 */\n+diff --git a/x b/x\n+# removed: x (y)\r# removed: x (y)\n');
  expect(fitDifference(patch)).toMatchObject({ patch: patch.replace('\0', '␀'), shortened: [], unseen: [] });
  expect(fitDifference(patch).list).toEqual(['changed: a.js']);
  expect(differenceFindings(patch)).toEqual([]);
  expect(differenceFindings(undefined)).toEqual([]);
});

it('a file that was replaced by a link is changed, not deleted, and where the link leads cannot end its line', () => {
  const head = 'diff --git a/a.js b/a.js\n';
  const gone = `${head}deleted file mode 100644\n--- a/a.js\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-login();\n`;
  const link = `${head}new file mode 120000\n--- /dev/null\n+++ b/a.js\n@@ -0,0 +1,2 @@\n+x) y\n+z\n\\ No newline at end of file\n`;
  const { list, patch, unseen } = fitDifference(gone + link);
  expect(list).toEqual(['changed: a.js (link to "x? y\\nz", before: a file)']);
  expect(patch).toBe(gone + link);
  expect(unseen).toEqual([]);
  expect(fitDifference(gone + link.replaceAll('a.js', 'b.js')).list).toHaveLength(2);
});

import { spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../../../test/scratch.ts';
import { CatFile } from './cat-file.ts';
import { Git } from './git.ts';

function repositoryWith(...texts: string[]): { files: CatFile; ids: string[] } {
  const dir = scratch();
  const git = (args: string[], input = '') =>
    spawnSync('git', args, { cwd: dir, input, encoding: 'utf8' }).stdout.trim();
  git(['init', '-q']);
  const ids = texts.map((text) => git(['hash-object', '-w', '--stdin'], text));
  const own = new Git(process.env, 'cat-file-test');
  return { files: new CatFile(() => own.start(['cat-file', '--batch'], { gitDir: `${dir}/.git` })), ids };
}

describe('objects read through one git', () => {
  it('come in the order they were asked for, whatever is in them', async () => {
    const texts = ['', 'one\n', `${'x'.repeat(300_000)}\n`, 'a blob 3\nabc\n', 'last'];
    const { files, ids } = repositoryWith(...texts);
    const read = await Promise.all(ids.map((id) => files.read(id, 1_000_000)));
    expect(read.map((content) => content.toString())).toEqual(texts);
    files.close();
  });

  it('come as far as wanted, and the next one is still right', async () => {
    const { files, ids } = repositoryWith('y'.repeat(200_000), 'next');
    const [long, next] = await Promise.all([files.read(ids[0] ?? '', 10), files.read(ids[1] ?? '', 10)]);
    expect([long.toString(), next.toString()]).toEqual(['y'.repeat(10), 'next']);
    files.close();
  });

  it('that are gone are an error of their own and disturb no other', async () => {
    const { files, ids } = repositoryWith('there');
    const gone = files.read('0'.repeat(40), 10);
    const there = files.read(ids[0] ?? '', 10);
    await expect(gone).rejects.toMatchObject({ code: 'journal' });
    expect((await there).toString()).toBe('there');
    files.close();
  });

  it('fail when git ends, and git is started again for the next', async () => {
    let starts = 0;
    const files = new CatFile(() => {
      starts += 1;
      return spawn('sh', ['-c', starts === 1 ? 'read x' : 'read x; printf "x blob 2\\nok\\n"'], { stdio: 'pipe' });
    });
    await expect(files.read('x', 10)).rejects.toMatchObject({ code: 'io' });
    expect((await files.read('x', 10)).toString()).toBe('ok');
    files.close();
  });

  it('are waited for by a process that has nothing else to do, which then ends though git would go on', () => {
    const script = `import { spawn } from 'node:child_process';
import { CatFile } from '${import.meta.resolve('./cat-file.ts')}';
const slow = 'read x; sleep 0.3; printf "x blob 2\\\\nok\\\\n"; sleep 3600';
const files = new CatFile(() => spawn('sh', ['-c', slow], { stdio: 'pipe' }));
console.log(String(await files.read('x', 10)));`;
    const options = { input: script, encoding: 'utf8', timeout: 240_000 } as const;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-'], options);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'ok\n' });
  });
});

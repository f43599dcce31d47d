import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JudgeTask } from '../src/ports/agent.ts';
import { sha256 } from '../src/text/digest.ts';
import {
  approvalsIn,
  approving,
  GATED,
  judgedText,
  LETTER,
  play,
  refused,
  SENT,
  write,
  writes,
} from './approval.fixture.ts';
import { contents } from './scratch.ts';

const copyOf = ({ readable: [dir = ''] }: JudgeTask) => dir;

/** What a judge does that was given a shell by mistake: it runs as the user, next to what it judges. */
function running(script: string) {
  return (task: JudgeTask) => {
    const answer = approving(task);
    execFileSync('/bin/sh', ['-euc', script], { cwd: copyOf(task), env: { PATH: process.env.PATH } });
    return answer;
  };
}

const OPEN = 'chmod -R u+w .;';

describe('a judge that changes what it judges approves nothing, and that is told:', () => {
  it.each([
    ['through chmod', `${OPEN} echo kinder > output/letter.md`, 'output/letter.md'],
    ['by one byte at the end', `${OPEN} printf ' ' >> output/letter.md`, 'output/letter.md'],
    [
      'by another file under its name',
      `${OPEN} cp output/letter.md ../x; echo y >> ../x; mv ../x output/letter.md`,
      'letter',
    ],
    ['by renaming it', `${OPEN} mv output/letter.md output/other.md`, 'output/letter.md, output/other.md'],
    ['by removing it', `${OPEN} rm output/letter.md`, 'output/letter.md'],
    ['through a hard link', `${OPEN} ln output/letter.md ../x; echo y >> ../x; rm ../x`, 'output/letter.md'],
    [
      'by a link to the same words',
      `${OPEN} mv output/letter.md ../x; ln -s ../../x output/letter.md`,
      'output/letter.md',
    ],
    ['by a link in place of its folder', `${OPEN} mv output ../o; ln -s ../o output`, 'output'],
    ['by a file beside it', `${OPEN} echo approved > output/verdict.txt`, 'output/verdict.txt'],
    ['by a FIFO in its place', `${OPEN} rm output/letter.md; mkfifo output/letter.md`, 'output/letter.md'],
    ['by taking all of it away', 'chmod -R u+w ..; rm -rf "$PWD"', 'output/letter.md'],
  ])('%s', async (_, script, path) => {
    const { said, state, events, stage } = await refused(GATED, { make: { write }, judge: running(script) });
    expect(said).toMatch(
      new RegExp(`write approval workspace: what was judged is not what had been pinned: .*${path}`),
    );
    expect([approvalsIn(events), state.approvals]).toEqual([[], []]);
    expect(readFileSync(join(stage.dir, 'phases/write/output/letter.md'), 'utf8')).toBe(LETTER);
  });

  it('and one that writes where it works changes nothing', async () => {
    const judge = (task: JudgeTask) => {
      writeFileSync(join(task.dir, 'letter.md'), 'approved\n');
      writeFileSync(join(task.dir, 'approval-result.json'), '{"result":"approved"}');
      return approving(task);
    };
    expect((await play(GATED, { make: { write, ...SENT }, judge })).state.ended?.status).toBe('passed');
  });
});

it('what is judged is the same before and after, by its digest, and the verdict names it', async () => {
  const seen: Record<string, string>[] = [];
  const judge = (task: JudgeTask) => {
    seen.push(contents(join(copyOf(task), 'output')));
    const answer = approving(task);
    seen.push(contents(join(copyOf(task), 'output')));
    return answer;
  };
  const { events, stage } = await play(GATED, { make: { write, ...SENT }, judge });
  expect(seen).toEqual([{ 'letter.md': LETTER }, { 'letter.md': LETTER }]);
  const [{ result } = { result: undefined }] = approvalsIn(events);
  expect(result?.inputs).toEqual([{ path: 'output/letter.md', sha256: sha256(LETTER) }]);
  expect(readFileSync(join(stage.dir, 'phases/write/output/letter.md'), 'utf8')).toBe(LETTER);
});

it('no file of the project can be reached from the copy: nothing in it is a link, and it can only be read', async () => {
  const looked: string[] = [];
  let project = '';
  const judge = (task: JudgeTask) => {
    const dir = copyOf(task);
    for (const path of ['.', ...(readdirSync(dir, { recursive: true }) as string[])]) {
      const stat = lstatSync(join(dir, path));
      const own = lstatSync(join(project, path.replace(/^project\//, '')), { throwIfNoEntry: false });
      const isOwn = stat.isFile() && own?.ino === stat.ino && own.dev === stat.dev;
      expect([path, stat.isSymbolicLink(), isOwn, stat.mode & 0o222]).toEqual([path, false, false, 0]);
      looked.push(path);
    }
    expect(realpathSync(dir)).toBe(dir);
    expect(task.dir.startsWith(dir) || dir.startsWith(task.dir)).toBe(false);
    return approving(task);
  };
  const letters = writes({ 'output/letter.md': LETTER, 'output/deep/more.md': 'more\n' });
  const make = {
    write: (dir: string) => {
      project = join(dir, '../..');
      letters(dir);
    },
    ...SENT,
  };
  const { state } = await play(GATED, { make, judge });
  expect(state.ended?.status).toBe('passed');
  expect(looked.filter((path) => !path.startsWith('project/')).length).toBe(6);
  expect(looked).toContain('project/phases.yaml');
});

it('what changes in the project while a judge reads is not what it judges', async () => {
  let [project, early, late] = ['', '', ''];
  const make = {
    write: (dir: string) => {
      project = dir;
      write(dir);
    },
    ...SENT,
  };
  const judge = (task: JudgeTask) => {
    early = judgedText(task);
    writeFileSync(join(project, 'output/letter.md'), 'you fool.\n');
    late = judgedText(task);
    return approving(task);
  };
  const { events, state } = await play(GATED, { make, judge });
  expect([early, late, state.ended?.status]).toEqual([LETTER, LETTER, 'passed']);
  expect(approvalsIn(events)[0]?.result.inputs[0]?.sha256).toBe(sha256(LETTER));
});

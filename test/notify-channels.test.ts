import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NoticeDocument } from '../src/domain/ladder/notice.ts';
import type { NotifySettings } from '../src/domain/plan/notify-settings.ts';
import { noticeOf } from '../src/engine/ladder/notice.ts';
import type { ToldNotice } from '../src/ports/notifier.ts';
import { askingRun, directory, emptyWorld, isSigned, Receiver, StandInGh } from './notify.fixture.ts';

const NEVER = new AbortController().signal;

function notice(): ToldNotice {
  const { state } = askingRun([]);
  const request = state.requests.get('sim-q1');
  if (request === undefined) throw new TypeError('not asked');
  return { ...noticeOf(state, request, String), refusal: () => undefined };
}

async function tell(settings: NotifySettings, world = emptyWorld(), signal = NEVER): Promise<void> {
  await (await world.notifier()).tell(settings, notice(), signal);
}

describe('a webhook', () => {
  const KEY = 'a key that only two know';
  process.env.HELIX_TEST_HOOK_KEY = KEY;

  it('gets the notice as JSON, signed together with its time', async () => {
    const receiver = await new Receiver().up();
    const before = Math.floor(Date.now() / 1000);
    await tell({ webhook: receiver.url, secret_env: 'HELIX_TEST_HOOK_KEY' });
    const after = Date.now() / 1000;
    const [message] = receiver.received;
    if (message === undefined) throw new TypeError('nothing came');
    expect(JSON.parse(message.body)).toEqual(notice().document);
    expect(message.headers).toMatchObject({ 'content-type': 'application/json', 'x-helix-request': 'sim-q1' });
    const signedAt = Number(message.headers['x-helix-timestamp']);
    expect(before <= signedAt && signedAt <= after).toBe(true);
    expect(isSigned(message, KEY)).toBe(true);
    expect(isSigned(message, 'another key')).toBe(false);
    expect(isSigned({ ...message, body: message.body.replace('one', 'two') }, KEY)).toBe(false);
    const later = { ...message.headers, 'x-helix-timestamp': String(Number(message.headers['x-helix-timestamp']) + 1) };
    expect(isSigned({ ...message, headers: later }, KEY)).toBe(false);
  });

  it('is not told anything unsigned when the key is missing', async () => {
    const receiver = await new Receiver().up();
    const settings = { webhook: receiver.url, secret_env: 'HELIX_TEST_NO_KEY' };
    await expect(tell(settings)).rejects.toThrow('the environment variable HELIX_TEST_NO_KEY with the key is not set');
    expect(receiver.received).toEqual([]);
  });

  it('may keep its address in a variable', async () => {
    const receiver = await new Receiver().up();
    process.env.HELIX_TEST_HOOK = receiver.url;
    await tell({ webhook: '$HELIX_TEST_HOOK' });
    expect(receiver.requests).toEqual(['sim-q1']);
    process.env.HELIX_TEST_HOOK = 'file:///etc/passwd';
    await expect(tell({ webhook: '$HELIX_TEST_HOOK' })).rejects.toThrow('does not hold an http or https address');
    delete process.env.HELIX_TEST_HOOK;
    await expect(tell({ webhook: '$HELIX_TEST_HOOK' })).rejects.toThrow('HELIX_TEST_HOOK with the address is not set');
  });

  it('that refuses is quoted briefly and safely, and its address stays a secret', async () => {
    const receiver = await new Receiver((response) => response.writeHead(403).end(`\x1b[31mno${'x'.repeat(1e6)}`)).up();
    const error = await tell({ webhook: receiver.url }).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+ answered 403: nox+…$/);
    expect(String(error).length).toBeLessThan(400);
    expect(String(error)).not.toContain('/hook');
  });

  it('that never ends its answer has taken the notice all the same', async () => {
    const receiver = await new Receiver((response) => response.writeHead(200).write('x')).up();
    await tell({ webhook: receiver.url });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('that answers %i is never followed to another server', async (status) => {
    const other = await new Receiver().up();
    const receiver = await new Receiver((response) => response.writeHead(status, { location: other.url }).end()).up();
    await expect(tell({ webhook: receiver.url })).rejects.toThrow(status < 307 ? `answered ${status}` : 'redirects to');
    expect(other.received).toEqual([]);
  });

  it('that has moved on the same server is followed, but not for ever', async () => {
    const moved = await new Receiver((response, n) =>
      n === 1 ? response.writeHead(307, { location: '/there' }).end() : response.end(),
    ).up();
    await tell({ webhook: moved.url, secret_env: 'HELIX_TEST_HOOK_KEY' });
    expect(moved.received.map(({ path }) => path)).toEqual(['/hook', '/there']);
    expect(moved.received.every((message) => isSigned(message, KEY))).toBe(true);
    const circle = await new Receiver((response) => response.writeHead(308, { location: '/hook' }).end()).up();
    await expect(tell({ webhook: circle.url })).rejects.toThrow('redirected more than 3 times');
  });

  it('that hangs is left when there is no more time', async () => {
    const receiver = await new Receiver(() => undefined).up();
    const telling = tell({ webhook: receiver.url }, emptyWorld(), AbortSignal.timeout(300));
    await expect(telling).rejects.toMatchObject({ name: 'HelixError', code: 'io' });
  });
});

describe('a command', () => {
  it('gets the notice on its standard input, in the project, with the environment of a gate', async () => {
    process.env.HELIX_TEST_TOKEN = 'kJ8s-very-secret-token';
    const world = emptyWorld();
    await tell({ command: ['sh', '-c', 'cat > "$1"; env > env; pwd > pwd', 'sh', 'a b; touch harm'] }, world);
    const read = (path: string) => readFileSync(join(world.project.dir, path), 'utf8');
    expect(JSON.parse(read('a b; touch harm')) as NoticeDocument).toEqual(notice().document);
    expect(existsSync(join(world.project.dir, 'harm'))).toBe(false);
    expect(read('env')).not.toContain('kJ8s-very-secret-token');
    expect(read('env')).toContain('PATH=');
    expect(read('pwd').trim()).toBe(world.project.dir);
  });

  it.each<[argv: string[], reason: RegExp]>([
    [['sh', '-c', 'echo "no mail \u001b[2J today" >&2; exit 3'], /^sh: exited with code 3 \(no mail {1}today\)$/],
    [['sh', '-c', 'kill -9 $$'], /^sh: ended by SIGKILL$/],
    [['no-such-program-here'], /no executable program of this name/],
  ])('that ends badly has told nobody: %j', async (command, reason) => {
    await expect(tell({ command })).rejects.toThrow(reason);
  });

  it('that does not read has told somebody when it ends well', async () => {
    await tell({ command: ['true'] });
  });
});

describe('an issue on GitHub', () => {
  const GITHUB = { github: { repo: 'acme/shop', issue: 7, users: ['octocat'] } };

  async function inPath<T>(dir: string, work: () => Promise<T>): Promise<T> {
    const before = process.env.PATH;
    process.env.PATH = dir === '' ? '/nowhere' : `${dir}:${before}`;
    try {
      return await work();
    } finally {
      process.env.PATH = before;
    }
  }

  it("gets a comment by the user's gh, which is logged in as it always is", async () => {
    const gh = new StandInGh();
    process.env.GH_TOKEN = 'not-a-real-login';
    await inPath(gh.dir, () => tell(GITHUB));
    delete process.env.GH_TOKEN;
    expect(gh.calls).toMatchObject([
      {
        args: ['issue', 'comment', '7', '--repo', 'acme/shop', '--body-file', '-'],
        cwd: '/',
        token: 'not-a-real-login',
      },
    ]);
    expect(gh.comments[0]?.body).toMatch(/^\*\*HELIX needs a decision\*\*.*A {2}Start.*`\/helix A`/s);
  });

  it('is listed from before the question on, and replies are the answers', async () => {
    const gh = new StandInGh();
    const heard = await inPath(gh.dir, async () => {
      await tell(GITHUB);
      gh.says('octocat', '/helix B no', { edited: true });
      gh.says('octocat', '/helix A yes');
      return (await emptyWorld().notifier()).hear(GITHUB, [notice()], NEVER);
    });
    expect(heard).toEqual({
      answers: [{ request: 'sim-q1', option: 'A', comment: 'yes', actor: 'github:octocat' }],
      ignored: ['comment 2 of octocat on acme/shop#7 does not count: it was edited; write a new one'],
    });
    expect(gh.calls[1]?.args.slice(0, 3)).toEqual(['api', 'repos/acme/shop/issues/7/comments', '--paginate']);
    expect(gh.calls[1]?.args).toContain('since=2026-11-14T23:00:00.000Z');
  });

  it('needs gh, and says so', async () => {
    await expect(inPath('', () => tell(GITHUB))).rejects.toMatchObject({
      message: 'the program gh was not found',
      hint: expect.stringContaining('gh auth login'),
    });
  });

  it('whose gh fails has told and heard nothing', async () => {
    const dir = directory({ gh: '#!/bin/sh\necho "HTTP 401: Bad credentials" >&2\nexit 4\n' });
    chmodSync(join(dir, 'gh'), 0o755);
    await expect(inPath(dir, () => tell(GITHUB))).rejects.toThrow('gh issue: exited with code 4 (HTTP 401');
    const notifier = await emptyWorld().notifier();
    await expect(inPath(dir, () => notifier.hear(GITHUB, [notice()], NEVER))).rejects.toThrow('gh api: exited');
  });

  it('with more comments than can be read has said nothing', async () => {
    const dir = directory({ gh: '#!/bin/sh\nyes \'{"id":1}\'\n' });
    chmodSync(join(dir, 'gh'), 0o755);
    const notifier = await emptyWorld().notifier();
    await expect(inPath(dir, () => notifier.hear(GITHUB, [notice()], NEVER))).rejects.toThrow('bytes of output');
  });
});

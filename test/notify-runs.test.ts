import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { NotifySettings } from '../src/domain/plan/notify-settings.ts';
import { HELIX } from './helix-process.ts';
import { directory, isSigned, Receiver, StandInGh } from './notify.fixture.ts';
import { onTerminal } from './on-terminal.ts';
import { RobustProject } from './robust-project.ts';

const KEY = 'Zk3-only-two-know-this-9';

/** A project whose only phase asks whether it may start, and tells people so. */
function asking(...notify: NotifySettings[]): RobustProject {
  const settings = { agents: { default: { driver: 'scripted' } }, allow_simulated: true, notify };
  return new RobustProject({
    dir: directory(),
    phases: [{ id: 'one', type: 'development', requires_approval: true }],
    script: { one: [{ writes: { 'output/a.txt': 'a' } }] },
    files: { 'helix.yaml': JSON.stringify(settings) },
  });
}

async function sent(project: RobustProject): Promise<object[]> {
  const { events } = await project.journaled();
  return events.flatMap((event) => (event.type === 'notification_sent' ? [event.data] : []));
}

async function question(project: RobustProject): Promise<string> {
  return [...(await project.journaled()).state.requests.keys()].join();
}

describe.concurrent('a run that asks', () => {
  it('tells a webhook, signed, and does so once however often it is taken up', async () => {
    const receiver = await new Receiver().up();
    const project = asking({ webhook: receiver.url, secret_env: 'HOOK_KEY' });
    const env = { HOOK_KEY: KEY };
    const { code, stdout, stderr } = await project.helix(['run', '--trust'], { env });
    expect(code).toBe(3);
    expect((await project.helix(['resume'], { env })).code).toBe(3);
    const request = await question(project);
    expect(receiver.requests).toEqual([request]);
    expect(receiver.received.every((message) => isSigned(message, KEY))).toBe(true);
    expect(await sent(project)).toEqual([{ request, channel: 'webhook-1', tries: 1 }]);
    expect(`${stdout}${stderr}${receiver.received[0]?.body}`).not.toContain(KEY);
  });

  it('starts no program and writes to no address that was not trusted', async () => {
    const receiver = await new Receiver().up();
    const project = asking({ webhook: receiver.url }, { command: ['sh', '-c', 'touch told'] });
    const refused = await project.helix(['run']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`+ notification address: ${receiver.url}`);
    expect(refused.stderr).toContain('+ notification program: ["sh","-c","touch told"]');
    expect(receiver.received).toEqual([]);
  });

  it('refuses an address that is a secret, and takes it from a variable', async () => {
    const receiver = await new Receiver().up();
    const env = { TEAM_WEBHOOK_URL: `${receiver.url}/aBcDeF0123gHiJkL4567mNoP` };
    const refused = await asking({ webhook: env.TEAM_WEBHOOK_URL }).helix(['run', '--trust'], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('TEAM_WEBHOOK_URL') });
    expect((await asking({ webhook: '$TEAM_WEBHOOK_URL' }).helix(['run', '--trust'], { env })).code).toBe(3);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/aBcDeF0123gHiJkL4567mNoP']);
  });

  it('and whose process is killed between telling and recording tells again, under the same name', async () => {
    const once = 'cat >> told; if [ ! -e killed ]; then touch killed; kill -9 $PPID; sleep 5; fi';
    const project = asking({ name: 'mine', command: ['sh', '-c', once] });
    expect((await project.helix(['run', '--trust'])).signal).toBe('SIGKILL');
    expect(await sent(project)).toEqual([]);
    expect((await project.helix(['resume'])).code).toBe(3);
    const request = await question(project);
    const told = project
      .read('told')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).request);
    expect(told).toEqual([request, request]);
    expect(await sent(project)).toEqual([{ request, channel: 'mine', tries: 1 }]);
  });

  it('does not wait for a receiver that is down; the next command that can reaches it', async () => {
    const receiver = await new Receiver().up();
    await receiver.down();
    const project = asking({ webhook: receiver.url }, { command: ['true'] });
    const { code, stderr } = await project.helix(['run', '--trust']);
    expect(code).toBe(3);
    expect(stderr.split('could not be told')).toHaveLength(2);
    expect((await project.helix(['status'])).stderr).toContain('ECONNREFUSED');
    await receiver.up();
    expect((await project.helix(['inbox'])).code).toBe(0);
    expect(receiver.requests).toEqual([await question(project)]);
    expect(await sent(project)).toHaveLength(2);
  });

  it('says who does not answer before it leaves, and so does every command that tries again', async () => {
    const hanging = await new Receiver(() => undefined).up();
    const project = asking({ webhook: hanging.url });
    const late = `webhook-1 could not be told of`;
    const { code, stderr } = await project.helix(['run', '--trust']);
    expect(code).toBe(3);
    expect(stderr).toContain(late);
    expect((await project.helix(['inbox'])).stderr).toMatch(
      /could not be told of .*-q1-\w+: it did not answer in time/,
    );
    expect(hanging.received).toHaveLength(2);
  });

  it('and stays reaches a receiver that comes up later, and goes on with an answer from elsewhere', async () => {
    const receiver = await new Receiver().up();
    await receiver.down();
    const project = asking({ webhook: receiver.url });
    const run = project.start(['run', '--trust', '--wait']);
    await run.says('could not be told');
    await receiver.up();
    await run.says('was told by webhook-1');
    expect((await project.helix(['decide', await question(project), 'A'])).code).toBe(0);
    expect((await run.end).code).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  it('goes on with a reply on GitHub', async () => {
    const gh = new StandInGh({ reply: ['octocat', '/helix a go ahead'] });
    const project = asking({ github: { repo: 'acme/shop', issue: 7, users: ['OctoCat'] } });
    const { code } = await project.helix(['run', '--trust', '--wait'], { env: gh.env });
    expect(code).toBe(0);
    const answer = (await project.journaled()).state.requests.get(await question(project))?.answer;
    expect(answer).toMatchObject({ option: 'A', comment: 'go ahead', actor: 'github:octocat' });
    expect(gh.comments).toHaveLength(2);
  });

  it('and has left takes a reply on GitHub with the next command', async () => {
    const gh = new StandInGh();
    const project = asking({ github: { repo: 'acme/shop', issue: 7, users: ['octocat'] } });
    const { env } = gh;
    expect((await project.helix(['run', '--trust'], { env })).code).toBe(3);
    gh.says('mallory', '/helix B');
    gh.says('octocat', '/helix C');
    gh.says('octocat', '/helix A');
    const { stderr } = await project.helix(['inbox'], { env });
    expect(stderr).toContain('comment 3 of octocat on acme/shop#7 does not count');
    expect(stderr).toContain('answered by github:octocat, so A is taken; go on with: helix resume');
    expect((await project.helix(['resume'], { env })).code).toBe(0);
    expect(gh.comments.filter(({ body }) => body.includes('HELIX needs'))).toHaveLength(1);
  });

  it('in a journal that came from somewhere else starts nothing that its new user did not trust', async () => {
    const project = asking({ command: ['sh', '-c', 'if [ -e ready ]; then touch harm; fi; exit 1'] });
    expect((await project.helix(['run', '--trust'])).code).toBe(3);
    project.write('ready', '');
    const env = { XDG_STATE_HOME: directory() };
    await project.helix(['inbox'], { env });
    expect(existsSync(project.path('harm'))).toBe(false);
    await project.helix(['inbox']);
    expect(existsSync(project.path('harm'))).toBe(true);
  });

  it('rings the bell of a terminal, and of nothing else', async () => {
    const project = asking({ bell: true });
    const silent = await project.helix(['run', '--trust']);
    expect(silent.code).toBe(3);
    expect(`${silent.stdout}${silent.stderr}`).not.toContain('\u0007');
    expect(silent.stderr).not.toContain('bell-1');
    expect(await sent(project)).toEqual([]);
    const terminal = onTerminal(project, `${HELIX} run --no-wait`);
    const { code, shown } = await terminal.end;
    expect(code).toBe(3);
    expect(shown).toContain('\u0007');
    expect(await sent(project)).toMatchObject([{ channel: 'bell-1' }]);
  });
});

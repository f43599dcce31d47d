import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NO_MODELS, samplePhase, UNCONFINED } from '../../../test/sample-start.ts';
import { contents, put, scratch } from '../../../test/scratch.ts';
import type { Agent, CreatorTask } from '../../ports/agent.ts';
import { systemClock } from '../clock.ts';
import { openProject } from '../disk/project-directory.ts';
import { createProcesses } from '../programs/processes.ts';
import { openAgent } from '../registry.ts';
import { agentContract, type Deed } from './agent.contract.ts';
import { openCommand } from './command.ts';

type Command = string | string[];

/** An agent whose project holds these programs. */
function agent(command: Command, programs: Readonly<Record<string, string>> = {}, env?: string[]): Promise<Agent> {
  const dir = scratch();
  for (const [path, text] of Object.entries(programs)) program(dir, path, text);
  const world = { project: openProject(dir), processes: createProcesses(), clock: systemClock, models: NO_MODELS };
  return openCommand({ driver: 'command', command, ...(env !== undefined && { env }) }, world);
}

function program(dir: string, path: string, text: string): void {
  chmodSync(join(put(dir, { [path]: `#!/bin/sh\n${text}\n` }), path), 0o755);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A deed as a shell script. */
function scriptOf({ says = [], writes = {}, leaves = 0, seconds = 0 }: Deed): string {
  return [
    'set -e',
    ...says.map((text) => `printf '%s\\n' ${quoted(text)}`),
    ...Object.entries(writes).flatMap(([path, text]) => [
      `mkdir -p ${quoted(dirname(path))}`,
      `printf %s ${quoted(text)} > ${quoted(path)}`,
    ]),
    ...Array.from({ length: leaves }, () => 'sleep 3600 &'),
    `sleep ${seconds}`,
  ].join('\n');
}

agentContract('the command agent', async (deeds) => {
  const turns = deeds.map((deed, turn) => `${turn === deeds.length - 1 ? '*' : turn})\n${scriptOf(deed)};;`);
  return agent(['./agent.sh'], { 'agent.sh': `case $HELIX_TURN in\n${turns.join('\n')}\nesac` });
});

type Said = { raw: string; text: string | undefined }[];

function task(change: Partial<CreatorTask> = {}): CreatorTask & { said: Said } {
  const said: Said = [];
  return {
    ...UNCONFINED,
    ...{ role: 'creator', phase: samplePhase('one'), attempt: 2, turn: 3, brief: 'Do it.' },
    ...{ dir: change.dir ?? scratch(), marker: `command-${randomUUID()}`, wallMs: 240_000 },
    signal: new AbortController().signal,
    onLine: (raw, text) => said.push({ raw, text }),
    ...change,
    said,
  };
}

describe('the command', () => {
  it('is no simulation, reads the brief on stdin, and what it cost is unknown', async () => {
    const asked = task({ brief: 'Do it — and "well".\n'.repeat(10_000) });
    const cat = await agent(['sh', '-c', 'cat > brief']);
    expect(cat).toMatchObject({ driver: 'command', simulated: false });
    expect(await cat.perform(asked)).toEqual({ kind: 'done', cost: { basis: 'unknown' } });
    expect(contents(asked.dir)).toEqual({ brief: asked.brief });
  });

  it('may leave the brief unread', async () => {
    expect(await (await agent(['true'])).perform(task({ brief: 'x'.repeat(1_000_000) }))).toMatchObject({
      kind: 'done',
    });
  });

  it('goes through a shell when it is one string, without one when it is a list', async () => {
    const shelled = task();
    await (await agent('echo a b | tr b c > x')).perform(shelled);
    expect(contents(shelled.dir)).toEqual({ x: 'a c\n' });
    const listed = task();
    await (await agent(['echo', 'a', '>', '$HOME'])).perform(listed);
    expect(listed.said.map(({ text }) => text)).toEqual(['a > $HOME']);
  });

  it('says everything on both streams, made safe for people and whole in the transcript', async () => {
    const asked = task();
    await (await agent("printf '\\033[2Jred\\rgreen\\n'; sleep 0.1; echo oops >&2")).perform(asked);
    expect(asked.said.map(({ text }) => text)).toEqual(['red\\u{d}green', 'oops']);
    expect(asked.said.map(({ raw }) => JSON.parse(raw))).toEqual([
      { type: 'text', stream: 'stdout', text: '\u001b[2Jred\rgreen' },
      { type: 'text', stream: 'stderr', text: 'oops' },
    ]);
  });

  it('is opened by its driver, and refused without a command', async () => {
    const world = {
      project: openProject(scratch()),
      processes: createProcesses(),
      clock: systemClock,
      models: NO_MODELS,
    };
    expect(await openAgent({ driver: 'command', command: ['true'] }, world)).toMatchObject({ driver: 'command' });
    await expect(openAgent({ driver: 'command' }, world)).rejects.toMatchObject({ code: 'config' });
  });
});

describe('the environment of the command', () => {
  async function environment(env: string[] = [], change: Partial<CreatorTask> = {}): Promise<Record<string, string>> {
    const asked = task(change);
    await (await agent('env -0 > e', {}, env)).perform(asked);
    const lines = (contents(asked.dir).e ?? '').split('\0').filter((line) => line.includes('='));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  it('says what the attempt is, and names the model only if there is one', async () => {
    const seen = await environment();
    expect(seen).toMatchObject({ HELIX_PHASE: 'one', HELIX_ATTEMPT: '2', HELIX_TURN: '3', HELIX_ROLE: 'creator' });
    expect(seen).not.toHaveProperty('HELIX_MODEL');
    expect(await environment([], { model: 'big' })).toMatchObject({ HELIX_MODEL: 'big' });
  });

  it('holds no secret but those that are named', async () => {
    vi.stubEnv('SOME_API_KEY', 'secret');
    vi.stubEnv('OTHER_API_KEY', 'secret');
    vi.stubEnv('GIT_DIR', '/elsewhere');
    const seen = await environment(['SOME_API_KEY', 'NOT_SET']);
    vi.unstubAllEnvs();
    expect(seen).toMatchObject({ SOME_API_KEY: 'secret', PATH: process.env.PATH });
    for (const name of ['OTHER_API_KEY', 'GIT_DIR', 'NOT_SET']) expect(seen).not.toHaveProperty(name);
  });

  it('makes it commit as an agent, not as the user', async () => {
    const asked = task();
    const commit = 'git init -q . && git -c commit.gpgsign=false commit -q --allow-empty -m x';
    expect(await (await agent(commit)).perform(asked)).toMatchObject({ kind: 'done' });
    const who = execFileSync('git', ['log', '-1', '--format=%an <%ae> %cn <%ce>'], {
      cwd: asked.dir,
      encoding: 'utf8',
    });
    expect(who.trim()).toBe('HELIX agent <agent@helix.invalid> HELIX agent <agent@helix.invalid>');
  });
});

describe('a command that cannot run', () => {
  it.each<[string, Command]>([
    ['is nowhere in PATH', ['no-such-program-anywhere']],
    ['is no file of the project', ['./gone.sh']],
    ['is not executable', ['./plain.txt']],
    ['is unknown to the shell', 'no-such-program-anywhere --fast'],
    ['ends with 126', ['sh', '-c', 'exit 126']],
  ])('because it %s is a set-up error that says what to do', async (_why, command) => {
    const dir = scratch({ 'plain.txt': 'not a program' });
    const world = { project: openProject(dir), processes: createProcesses(), clock: systemClock, models: NO_MODELS };
    const end = await (await openCommand({ driver: 'command', command }, world)).perform(task());
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'spawn' });
    expect(end).toMatchObject({
      message: expect.stringMatching(/install it or make it executable, then choose to try again/),
    });
  });

  it('costs nothing when it never started', async () => {
    expect(await (await agent(['no-such-program-anywhere'])).perform(task())).not.toHaveProperty('cost');
    expect(await (await agent(['sh', '-c', 'exit 127'])).perform(task())).toMatchObject({ cost: { basis: 'unknown' } });
  });
});

describe('a command that fails', () => {
  it('is a crash with its last words, and no opinion about the work', async () => {
    const end = await (await agent('echo "\u001b[31mquota?" >&2; exit 3')).perform(task());
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'crash', cost: { basis: 'unknown' } });
    expect(end).toMatchObject({ message: expect.stringMatching(/exited with code 3:\nquota\?/) });
    const killed = await (await agent('kill -9 $$')).perform(task());
    expect(killed).toMatchObject({ failure: 'crash', message: expect.stringContaining('SIGKILL') });
  });

  it('says too much: that is an output limit', async () => {
    const end = await (await agent(`yes ${'helix'.repeat(200)}`)).perform(task({ onLine: () => {} }));
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'output_limit', cost: { basis: 'unknown' } });
  });
});

describe('a program that agents may have written is not started', () => {
  it('even if it has the name of one of the project: a path starts at the project', async () => {
    const asked = task();
    program(asked.dir, 'agent.sh', 'echo theirs');
    await (await agent(['./agent.sh'], { 'agent.sh': 'echo ours' })).perform(asked);
    expect(asked.said.map(({ text }) => text)).toEqual(['ours']);
  });

  it.each(['by a path of the project', 'by an absolute path', 'by a link', 'by PATH'])('%s', async (how) => {
    const dir = scratch();
    const work = join(dir, 'phases/one');
    program(dir, 'phases/one/agent-of-theirs', 'echo theirs > x');
    symlinkSync('phases/one/agent-of-theirs', join(dir, 'link'));
    const [command, path] = {
      'by a path of the project': ['phases/one/agent-of-theirs'],
      'by an absolute path': [join(work, 'agent-of-theirs')],
      'by a link': ['./link'],
      'by PATH': ['agent-of-theirs', `${work}:${process.env.PATH}`],
    }[how] as [string, string | undefined];
    vi.stubEnv('PATH', path ?? process.env.PATH);
    const world = { project: openProject(dir), processes: createProcesses(), clock: systemClock, models: NO_MODELS };
    const end = await (await openCommand({ driver: 'command', command: [command] }, world)).perform(
      task({ dir: work }),
    );
    vi.unstubAllEnvs();
    expect(end).toMatchObject({
      kind: 'interrupted',
      failure: 'spawn',
      message: expect.stringContaining('agents work in'),
    });
    expect(Object.keys(contents(work))).toEqual(['agent-of-theirs']);
  });
});

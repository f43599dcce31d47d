import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_MODELS, samplePhase, UNCONFINED } from '../../../../test/sample-start.ts';
import { put, scratch } from '../../../../test/scratch.ts';
import type { AgentEnd, CreatorTask } from '../../../ports/agent.ts';
import { systemClock } from '../../clock.ts';
import { openProject } from '../../disk/project-directory.ts';
import { createProcesses } from '../../programs/processes.ts';
import { openCodex } from './codex.ts';
import { CODEX } from './codex-program.ts';

type StandIn = { readonly version?: string; readonly flags?: string; readonly dir?: string };

/** A stand-in for codex that says what is asked of it and otherwise does what the shell script says. */
function standIn(
  script: string,
  { version = '0.166.0', flags = CODEX.flags.join(' '), dir = scratch() }: StandIn = {},
) {
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = --version ]; then echo "codex-cli ${version}"; exit; fi`,
    `if [ "$2" = --help ]; then echo "${flags}"; exit; fi`,
    'if [ "$1" = login ]; then exit 1; fi',
    'cat > /dev/null',
    script,
  ];
  put(dir, { codex: `${lines.join('\n')}\n` });
  chmodSync(join(dir, 'codex'), 0o755);
  return join(dir, 'codex');
}

function open(program: string, project = scratch()) {
  const world = { project: openProject(project), processes: createProcesses(), clock: systemClock, models: NO_MODELS };
  return openCodex({ driver: 'codex', command: [program] }, world);
}

async function perform(script: string, change: Partial<CreatorTask> = {}): Promise<AgentEnd> {
  return (await open(standIn(script))).perform({
    ...{ role: 'creator', ...UNCONFINED, phase: samplePhase('one'), attempt: 1, turn: 0, brief: 'Do it.' },
    ...{ dir: scratch(), marker: `codex-${randomUUID()}`, wallMs: 240_000 },
    ...{ signal: new AbortController().signal, onLine: () => undefined },
    ...change,
  });
}

const STARTED = `echo '{"type":"turn.started"}'`;
const COMPLETED = `echo '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":2}}'`;

describe('codex', () => {
  it('is done only with a completed turn and exit code 0', async () => {
    expect(await perform(`${STARTED}; ${COMPLETED}`)).toMatchObject({ kind: 'done', version: '0.166.0' });
  });

  it.each([
    [`${STARTED}; ${COMPLETED}; exit 1`, 'protocol'],
    [STARTED, 'protocol'],
    [`${STARTED}; exit 1`, 'protocol'],
    ['exit 0', 'protocol'],
    ['echo "Error loading config.toml" >&2; exit 1', 'spawn'],
    ['echo garbage; printf "\\303"; echo "{}"', 'protocol'],
    [`${STARTED}; kill -9 $$`, 'crash'],
    [`${COMPLETED}; echo '{"type":"turn.failed","error":{"message":"last status: 429"}}'`, 'rate_limit'],
  ])('that does %s is interrupted as %s', async (script, failure) => {
    expect(await perform(script)).toMatchObject({ kind: 'interrupted', failure });
  });

  it('that goes on reconnecting in silence fails for what it could not get over', async () => {
    const script = `${STARTED}; echo '{"type":"error","message":"Reconnecting... 1/5 (high demand)"}'; sleep 3600`;
    const heard: string[] = [];
    let end: AgentEnd | undefined;
    // Again with more patience where it was ended before it had said so.
    for (let idleMs = 500; !heard.join().includes('Reconnecting'); idleMs *= 2)
      end = await perform(script, { idleMs, onLine: (line) => heard.push(line) });
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'overloaded' });
    expect(await perform(`${STARTED}; sleep 3600`, { idleMs: 500 })).toMatchObject({ failure: 'timeout_idle' });
  });

  it('that is not let in twice is not asked to go on', async () => {
    const refused = `echo '{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized)"}'`;
    const end = await perform(`${STARTED}; ${refused}; ${refused}; sleep 3600`);
    expect(end).toMatchObject({
      kind: 'interrupted',
      failure: 'auth',
      message: expect.stringContaining('codex login'),
    });
  });

  it('does nothing when it is aborted before it starts, and stops when it is aborted at work', async () => {
    expect(await perform('exit 1', { signal: AbortSignal.abort() })).toMatchObject({ failure: 'cancelled' });
    const abort = new AbortController();
    const end = perform(`${STARTED}; sleep 3600`, { signal: abort.signal, onLine: () => abort.abort() });
    expect(await end).toMatchObject({ kind: 'interrupted', failure: 'cancelled' });
  });

  it('is refused where it lies in the repository, is too old or new, or lacks a flag', async () => {
    const project = scratch();
    await expect(open(standIn('', { dir: project }), project)).rejects.toThrow('lies inside the repository');
    await expect(open(standIn('', { version: '0.99.0' }))).rejects.toThrow('is too old');
    await expect(open(standIn('', { version: '1.0.0' }))).rejects.toThrow('is newer than this HELIX knows');
    await expect(open(standIn('', { flags: '--json' }))).rejects.toThrow('--ignore-user-config');
    await expect(open(join(scratch(), 'codex'))).rejects.toThrow('there is no');
  });
});

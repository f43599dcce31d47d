import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { NO_MODELS } from '../../../test/sample-start.ts';
import { put, scratch } from '../../../test/scratch.ts';
import type { Agent, JudgeTask } from '../../ports/agent.ts';
import { systemClock } from '../clock.ts';
import { cacheDirectory } from '../disk/cache-directory.ts';
import { openProject } from '../disk/project-directory.ts';
import { createProcesses } from '../programs/processes.ts';
import { describeWalled, shellWalled } from '../programs/walls/walled.fixture.ts';
import type { AgentWorld } from './agent-world.ts';
import { openClaudeCode } from './claude-code/claude-code.ts';
import { CLAUDE } from './claude-code/claude-program.ts';
import { openCodex } from './codex/codex.ts';
import { CODEX } from './codex/codex-program.ts';

/** Says where its private directory is, once it has written there, and stays until it may go. */
const TELL = `for word; do case $word in */answer.schema.json) place=$(dirname "$word"); cat "$word" >&2 ;; esac; done
place=\${place:-$CLAUDE_CODE_TMPDIR}
echo x > "$place/mine" && echo "place: $place."
while [ ! -e go ]; do sleep 0.02; done`;

/** A stand-in for an agent's program. */
function standIn(says: string, flags: readonly string[]): string {
  const dir = scratch();
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = --version ]; then echo "${says}"; exit; fi`,
    `case "$*" in *--help) echo "${flags.join(' ')}"; exit ;; login*) exit 1 ;; esac`,
    'cat > /dev/null',
    TELL,
  ];
  put(dir, { program: `${lines.join('\n')}\n` });
  chmodSync(join(dir, 'program'), 0o755);
  return join(dir, 'program');
}

type Open = (world: AgentWorld) => Promise<Agent>;

const AGENTS: readonly (readonly [name: string, open: Open])[] = [
  [
    'claude',
    (world) =>
      openClaudeCode({ driver: 'claude-code', command: [standIn('2.1.325 (Claude Code)', CLAUDE.flags)] }, world),
  ],
  ['codex', (world) => openCodex({ driver: 'codex', command: [standIn('codex-cli 0.166.0', CODEX.flags)] }, world)],
];

describeWalled('what a program is given for itself', () => {
  it.each(AGENTS)('lies where no agent but it can see it: %s', async (_name, open) => {
    const [dir, elsewhere] = [scratch(), scratch()];
    const agent = await open({
      ...{ project: openProject(scratch()), processes: createProcesses(), clock: systemClock, models: NO_MODELS },
    });
    const told: Promise<string>[] = [];
    const places: string[] = [];
    await agent.perform({
      ...{ role: 'reviewer', sandbox: { level: 'strict', why: '' }, brief: 'Judge it.', instructions: '', dir },
      ...{ readable: [], subject: { type: 'code', checks: [], inputs: [] }, turn: 0, answer: z.strictObject({}) },
      ...{ marker: `place-${randomUUID()}`, wallMs: 240_000, signal: new AbortController().signal },
      onLine: (raw) => {
        const place = /place: ([^"]+)\./.exec(raw)?.[1];
        if (place === undefined) return;
        places.push(place);
        const confine = { kind: 'open', protect: [], hidden: [], writable: [elsewhere] } as const;
        told.push(
          shellWalled(`ls ${place}; echo x > ${place}/forged`, elsewhere, { confine })
            .then(({ tail }) => tail)
            .finally(() => put(dir, { go: '' })),
        );
      },
    } satisfies JudgeTask);
    const [place = ''] = places;
    expect(place.startsWith(join(cacheDirectory(process.env, homedir()), 'scratch'))).toBe(true);
    expect((await Promise.all(told)).join('').match(/No such file|nonexistent/g)).toHaveLength(2);
    expect(existsSync(place)).toBe(false);
  });
});

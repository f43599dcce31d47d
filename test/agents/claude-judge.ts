import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { ZodType } from 'zod';
import { openProject } from '../../src/adapters/disk/project-directory.ts';
import { openWorld } from '../../src/adapters/world.ts';
import type { Sandbox } from '../../src/domain/plan/sandbox.ts';
import type { Agent, JudgeTask } from '../../src/ports/agent.ts';

type Surroundings = {
  readonly program: string;
  /** Where its model is. */
  readonly url: string;
  readonly home: string;
  readonly project: string;
};

/** The driver of Claude Code with a login, a home and a model of its own; what it is asked is told apart by the brief. */
export async function openJudge({ program, url, home, project }: Surroundings): Promise<Agent> {
  for (const name of Object.keys(process.env)) {
    if (/^(ANTHROPIC_|CLAUDE|XDG_|AWS_|GOOGLE_)/.test(name)) vi.stubEnv(name, undefined);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('ANTHROPIC_BASE_URL', url);
  vi.stubEnv('ANTHROPIC_API_KEY', 'a-dummy-key');
  return openWorld(openProject(project)).agent({ driver: 'claude-code', command: [program] });
}

type Asked = Pick<JudgeTask, 'role' | 'brief' | 'dir' | 'readable'> & {
  readonly answer: ZodType;
  readonly level?: Sandbox['level'];
};

/** Something for a judge to do. */
export function judgeTask({ level = 'basic', ...asked }: Asked): JudgeTask {
  return {
    ...{ subject: { type: 'adr', checks: [], inputs: [] }, turn: 0 },
    ...{ instructions: 'You judge.', marker: `judge-${randomUUID()}`, wallMs: 120_000 },
    ...{ sandbox: { level, why: 'a test' }, signal: new AbortController().signal, onLine: () => undefined },
    ...asked,
  };
}

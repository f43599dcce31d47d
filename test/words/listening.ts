import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Agent, AgentTask } from '../../src/ports/agent.ts';
import type { World } from '../../src/ports/world.ts';

/** What one agent was really sent, and what lay before it. */
export type Sent = {
  readonly role: AgentTask['role'];
  /** The phase of a creator, else what a judge is asked about. */
  readonly about: string;
  readonly brief: string;
  /** What a judge is told to be; empty for a creator. */
  readonly instructions: string;
  /** All it could read, by path below the directories it was given. */
  readonly files: Readonly<Record<string, string>>;
};

/** A world that keeps what each of its agents is sent, in order. */
export function listening(world: World, sent: Sent[]): World {
  return {
    ...world,
    agent: async (settings) => {
      const agent = await world.agent(settings);
      const perform: Agent['perform'] = (task) => {
        sent.push(sentBy(task));
        return agent.perform(task);
      };
      return new Proxy(agent, {
        get: (target, key) => (key === 'perform' ? perform : Reflect.get(target, key, target)),
      });
    },
  };
}

function sentBy(task: AgentTask): Sent {
  const { role, brief, dir } = task;
  if (task.role === 'creator') {
    const files = { ...readAll(dir), ...(task.phase.type === 'review' && historyIn(dir)) };
    return { role, about: task.phase.id, brief, instructions: '', files };
  }
  const readable = [dir, ...task.readable].map(readAll);
  return {
    role,
    about: task.subject.type,
    brief,
    instructions: task.instructions,
    files: Object.assign({}, ...readable),
  };
}

/** What git tells a reviewer who works in a directory of a repository. */
function historyIn(dir: string): Record<string, string> {
  if (!existsSync(join(dir, '.git'))) return {};
  return { 'git log': execFileSync('git', ['log', '-p', '--all'], { cwd: dir, encoding: 'utf8' }) };
}

function readAll(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(dir, path), readFileSync(path, 'latin1')]));
}

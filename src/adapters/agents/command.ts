import { realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { present } from '../../domain/present.ts';
import type { Agent, AgentEnd, CreatorTask } from '../../ports/agent.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import { excerpt, sanitise } from '../../text/sanitise.ts';
import { findProgram } from '../disk/find-program.ts';
import { allowedEnv } from '../programs/environment.ts';
import { taskVariables, withBinaries } from './agent-environment.ts';
import { notForJudges, STOPPED, TAKE_AND_TRY_AGAIN, TRY_AGAIN } from './agent-texts.ts';
import { quoted } from './agent-turn.ts';
import { type AgentWorld, agentWalls } from './agent-world.ts';

const MEND = `install it or make it executable, then ${TRY_AGAIN}; or mend this agent's command in helix.yaml, then ${TAKE_AND_TRY_AGAIN}`;

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;

/** Opens the agent that is any program: it reads the brief on stdin and works in its current directory. */
export async function openCommand(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const { command } = settings;
  if (command === undefined) {
    throw new HelixError('config', 'an agent with the driver command has no command', {
      hint: 'Name one in helix.yaml: command: [program, argument]',
    });
  }
  return {
    driver: 'command',
    simulated: false,
    perform: async (task) =>
      task.role === 'creator' ? perform({ ...settings, command }, task, world) : notForJudges('command', task.role),
  };
}

type CommandSettings = AgentSettings & { readonly command: NonNullable<AgentSettings['command']> };

async function perform(settings: CommandSettings, task: CreatorTask, world: AgentWorld): Promise<AgentEnd> {
  if (task.signal.aborted) return STOPPED;
  try {
    const env = { ...allowedEnv(process.env, settings.env ?? []), ...taskVariables(task, world) };
    const argv = argvOf(settings.command, world.project.dir);
    const refusal = await unfit(argv[0] ?? '', task.dir, env.PATH);
    if (refusal !== undefined) return refusal;
    const program = await findProgram(argv[0] ?? '', env.PATH);
    const confine = agentWalls(task, world);
    const end = await world.processes.run({
      ...{ argv: [program ?? argv[0] ?? '', ...argv.slice(1)], env: withBinaries(env, task) },
      ...{ cwd: task.dir, marker: task.marker, wallMs: task.wallMs, signal: task.signal },
      ...present({ confine }),
      stdin: task.brief,
      onLine: (line, stream, truncated) =>
        task.onLine(
          JSON.stringify({ type: 'text', stream, text: line, ...(truncated && { truncated }) }),
          sanitise(line),
        ),
    });
    return outcome(end, argv);
  } catch (error) {
    const message = `the agent's command could not be followed: ${(error as Error).message}`;
    return { kind: 'interrupted', failure: 'crash', message, cost: { basis: 'unknown' } };
  }
}

/** A path belongs to the project, whose owner wrote it; in the working directory it would be what agents wrote. */
function argvOf(command: string | readonly string[], project: string): readonly string[] {
  if (typeof command === 'string') return ['/bin/sh', '-c', command];
  const [program = '', ...rest] = command;
  return [program.includes('/') && !isAbsolute(program) ? join(project, program) : program, ...rest];
}

/** Refuses a program that an agent may have written itself; one that is not there is left to the start to report. */
async function unfit(program: string, dir: string, path: string | undefined): Promise<Interruption | undefined> {
  const file = program.includes('/') ? program : await findProgram(program, path);
  const real = file === undefined ? undefined : realPath(file);
  if (real === undefined || !real.startsWith(`${realPath(dir) ?? dir}${sep}`)) return undefined;
  const message = `the agent's command ${program} lies in the directory agents work in, so one may have written it`;
  return { kind: 'interrupted', failure: 'spawn', message: `${message}; keep it elsewhere in the project or in PATH` };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function outcome(end: ProcessEnd, argv: readonly string[]): AgentEnd {
  const name = excerpt(argv.join(' '), 200);
  const said = quoted(end.tail);
  if (end.ended === 'spawn') {
    const message = `the agent's command: ${excerpt(end.message, 500)}; ${MEND}`;
    return { kind: 'interrupted', failure: 'spawn', message };
  }
  const cost = { basis: 'unknown' } as const;
  if (end.ended === 'exit' && end.exitCode === 0) return { kind: 'done', cost };
  if (end.exitCode === 126 || end.exitCode === 127) {
    const message = `the agent's command cannot run: ${name}: ${end.message}; ${MEND}${said}`;
    return { kind: 'interrupted', failure: 'spawn', message, cost };
  }
  const failure =
    end.ended === 'aborted' ? 'cancelled' : end.ended === 'signal' || end.ended === 'exit' ? 'crash' : end.ended;
  return { kind: 'interrupted', failure, message: `the agent's command ${name}: ${end.message}${said}`, cost };
}

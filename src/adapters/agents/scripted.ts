import type { Move, Script } from '../../domain/plan/script.ts';
import { present } from '../../domain/present.ts';
import type { Agent, AgentEnd, AgentTask, JudgeTask } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Processes } from '../../ports/processes.ts';
import { readVersion } from '../disk/shipped-config.ts';
import { STOPPED } from './agent-texts.ts';
import { checkAnswer } from './agent-turn.ts';
import { builtInAnswer, meetingPart } from './built-in-answer.ts';
import { builtInMove } from './built-in-move.ts';
import { readOwn, removeOwn, writeOwn } from './own-files.ts';

const MEGABYTE = 1024 * 1024;

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;

/** The agent whose words and deeds come from a script: for trying a plan at no cost. All it does counts as simulated. */
export class ScriptedAgent implements Agent {
  readonly driver = 'scripted';
  readonly version = readVersion();
  readonly simulated = true;
  readonly #script: Script;
  readonly #processes: Processes;
  readonly #clock: Clock;

  constructor(script: Script, world: { processes: Processes; clock: Clock }) {
    this.#script = script;
    this.#processes = world.processes;
    this.#clock = world.clock;
  }

  async perform(task: AgentTask): Promise<AgentEnd> {
    const move = this.#move(task);
    const cost = { usd: move.cost ?? 0, basis: 'simulated' } as const;
    try {
      const end = await this.#play(move, task);
      if (end !== undefined) return end.failure === 'cancelled' ? end : { ...end, cost };
      if (task.role !== 'creator') return { ...judged(task, move), cost };
      return { kind: 'done', cost, ...present({ answer: move.answer }) };
    } catch (error) {
      return {
        kind: 'interrupted',
        failure: 'crash',
        message: `the scripted agent failed: ${(error as Error).message}`,
        cost,
      };
    } finally {
      if ((move.forks ?? 0) > 0) await this.#processes.endMarked(task.marker);
    }
  }

  #move(task: AgentTask): Move {
    const moves = this.#moves(task);
    const move = moves?.[Math.min(task.turn, moves.length - 1)];
    if (task.role !== 'creator') return move ?? {};
    return move ?? builtInMove(task.phase, (path) => read(task.dir, path));
  }

  /** What it does in turn; the last move is repeated. */
  #moves(task: AgentTask): readonly Move[] | undefined {
    const { phases, approvals, roles } = this.#script;
    if (task.role === 'creator') return own(phases, task.phase.id);
    if (task.role !== 'consultant') return own(approvals, task.subject.type) ?? roles?.[task.role];
    return roles?.[meetingPart(task) ?? 'consultant'];
  }

  async #play(move: Move, task: AgentTask): Promise<Interruption | undefined> {
    if (task.signal.aborted) return STOPPED;
    for (const text of [move.prints ?? []].flat()) task.onLine(JSON.stringify({ type: 'text', text }), text);
    for (const path of move.deletes ?? []) removeOwn(task.dir, path);
    for (const [path, text] of Object.entries(move.writes ?? {})) writeOwn(task.dir, path, text);
    await this.#fork(move.forks ?? 0, task);
    const flooded = await this.#flood(move.floods ?? 0, task);
    if (flooded !== undefined) return flooded;
    const slept = await this.#sleep((move.sleep ?? 0) * 1000, task);
    if (slept !== undefined) return slept;
    if (move.result === undefined || move.result === 'ok') return undefined;
    return { kind: 'interrupted', failure: move.result, message: 'as the script says' };
  }

  async #fork(count: number, task: AgentTask): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await this.#processes.leave({ argv: ['sleep', '3600'], cwd: task.dir, env: BARE, marker: task.marker });
    }
  }

  async #flood(megabytes: number, task: AgentTask): Promise<Interruption | undefined> {
    if (megabytes === 0) return undefined;
    const end = await this.#processes.run({
      argv: ['/bin/sh', '-c', `yes helix | head -c ${megabytes * MEGABYTE}`],
      cwd: task.dir,
      env: BARE,
      marker: task.marker,
      wallMs: task.wallMs,
      signal: task.signal,
      onLine: (line) => task.onLine(line),
    });
    if (end.ended === 'exit') return undefined;
    if (end.ended === 'aborted') return STOPPED;
    const failure = end.ended === 'signal' ? 'crash' : end.ended;
    return { kind: 'interrupted', failure, message: end.message };
  }

  async #sleep(ms: number, task: AgentTask): Promise<Interruption | undefined> {
    if (ms === 0) return undefined;
    try {
      await this.#clock.sleep(Math.min(ms, task.wallMs), task.signal);
    } catch {
      return STOPPED;
    }
    if (ms <= task.wallMs) return undefined;
    return { kind: 'interrupted', failure: 'timeout_wall', message: `no end after ${task.wallMs / 1000} s` };
  }
}

const BARE = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** The answer of the move or, where it has none, of a judge that finds everything right; checked like any other judge's. */
function judged(task: JudgeTask, move: Move): { kind: 'done'; answer: unknown } | Omit<Interruption, 'cost'> {
  const answer = move.answer === undefined ? builtInAnswer(task, read) : move.answer;
  const checked = checkAnswer(task, answer);
  if ('answer' in checked) return { kind: 'done', answer: checked.answer };
  const message = `the answer is not what was asked for: ${checked.why}`;
  return { kind: 'interrupted', failure: 'schema', message, refusedAnswer: answer };
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The text of a plain file the agent has before it; why there is none is told when it is written. */
function read(dir: string, path: string): string | undefined {
  try {
    return readOwn(dir, path)?.toString('utf8');
  } catch {
    return undefined;
  }
}

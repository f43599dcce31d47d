import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import type { Agent, AgentEnd, AgentTask, JudgeTask, Worker } from '../../../ports/agent.ts';
import type { ProcessEnd } from '../../../ports/processes.ts';
import { codexWords } from '../../../text/agent-words/codex-words.ts';
import { fieldsOf, textOf } from '../../../text/agent-words/fields.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { agentFailure } from '../agent-failure.ts';
import { checkAnswer, handOnRaw } from '../agent-turn.ts';
import { type AgentWorld, agentWalls } from '../agent-world.ts';
import { type AgentProgram, findAgentProgram } from '../find-agent-program.ts';
import { codexAdvice } from './codex-advice.ts';
import { codexArguments } from './codex-arguments.ts';
import { codexEnvironment } from './codex-environment.ts';
import { codexLogin } from './codex-login.ts';
import { CODEX } from './codex-program.ts';
import { asAsked, strictSchema } from './codex-schema.ts';
import { CodexStream } from './codex-stream.ts';

const CREATOR_IDLE_MS = 15 * 60_000;
const JUDGE_IDLE_MS = 5 * 60_000;
const OUTPUT_BYTES = 2 * 1024 ** 3;
const LINE_BYTES = 32 * 1024 * 1024;
const MESSAGE = 2000;
/** The first refusal may be a hiccup; after the second one the program would go on asking. */
const REFUSED_LOGINS = 2;

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;

/** Opens the agent that is the user's own Codex. */
export async function openCodex(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const program = await findAgentProgram(CODEX, settings, world);
  const subscribed = (await codexLogin(program.argv, world.processes)) === 'subscription';
  return {
    driver: 'codex',
    version: program.version,
    simulated: false,
    perform: (task) => new Turn(task, { program, settings, world, subscribed }).perform(),
    costOf: (transcript) => {
      const stream = new CodexStream(world.models, { model: settings.model, subscribed });
      for (const line of transcript) stream.read(parsed(line));
      return stream.cost;
    },
  };
}

type Driver = {
  readonly program: AgentProgram;
  readonly settings: AgentSettings;
  readonly world: AgentWorld;
  readonly subscribed: boolean;
};

/** One process of the program, from its start to what it comes to. */
class Turn {
  readonly #task: AgentTask;
  readonly #driver: Driver;
  readonly #stream: CodexStream;
  readonly #stop = new AbortController();
  #stopped: { failure: FailureClass; message: string } | undefined;

  constructor(task: AgentTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
    this.#stream = new CodexStream(driver.world.models, { model: task.model, subscribed: driver.subscribed });
  }

  async perform(): Promise<AgentEnd> {
    if (this.#task.signal.aborted) return { kind: 'interrupted', failure: 'cancelled', message: 'stopped' };
    let temp: string | undefined;
    try {
      temp = this.#task.role === 'creator' ? undefined : mkdtempSync(join(tmpdir(), 'helix-codex-'));
      return this.#outcome(await this.#run(temp));
    } catch (error) {
      if (error instanceof HelixError) return this.#interrupted('workspace', error.message);
      return this.#interrupted('crash', `codex could not be followed: ${(error as Error).message}`);
    } finally {
      if (temp !== undefined) rmSync(temp, { recursive: true, force: true });
    }
  }

  #run(temp: string | undefined): Promise<ProcessEnd> {
    const { program, settings, world } = this.#driver;
    const task = this.#task;
    const { brief, dir, marker, wallMs, idleMs, role, signal } = task;
    const schema = temp === undefined || task.role === 'creator' ? undefined : writeSchema(temp, task);
    const confine = agentWalls(task);
    const place = {
      baseUrl: process.env.OPENAI_BASE_URL || undefined,
      mcp: settings.mcp,
      ...present({ schema }),
    };
    return world.processes.run({
      argv: [...program.argv, ...codexArguments(task, place)],
      ...{ cwd: dir, marker, wallMs, stdin: brief, outputBytes: OUTPUT_BYTES, lineBytes: LINE_BYTES },
      env: codexEnvironment(process.env, settings, task),
      idleMs: idleMs ?? (role === 'creator' ? CREATOR_IDLE_MS : JUDGE_IDLE_MS),
      ...present({ confine }),
      signal: AbortSignal.any([signal, this.#stop.signal]),
      onLine: (line, stream, truncated) => this.#line(line, stream, truncated),
    });
  }

  #line(line: string, from: 'stdout' | 'stderr', truncated: boolean): void {
    const event = from === 'stdout' && !truncated ? parsed(line) : undefined;
    if (event === undefined) {
      handOnRaw(this.#task, { line, stream: from, truncated });
      return;
    }
    this.#task.onLine(line, codexWords(event));
    this.#stream.read(event);
    if (this.#stream.refusedLogins < REFUSED_LOGINS) return;
    this.#stopped ??= { failure: 'auth', message: `codex is not let in${codexAdvice('auth')}` };
    this.#stop.abort();
  }

  #outcome(end: ProcessEnd): AgentEnd {
    if (this.#stopped !== undefined) return this.#interrupted(this.#stopped.failure, this.#stopped.message);
    const { completed, failed } = this.#stream;
    if (this.#task.signal.aborted && !completed) return this.#interrupted('cancelled', 'stopped');
    if (failed !== undefined) return this.#failed(failed);
    if (!completed || end.exitCode !== 0) return this.#withoutEnd(end);
    return this.#done();
  }

  #withoutEnd(end: ProcessEnd): Interruption {
    const { started, error, completed } = this.#stream;
    const said = end.tail.trim() === '' ? '' : `:\n${excerpt(end.tail.slice(-MESSAGE), MESSAGE)}`;
    if (end.ended === 'exit') {
      const message = `codex ended ${completed ? 'badly' : 'before its work did'} (${end.message})${said}`;
      if (started) return this.#interrupted('protocol', message);
      return this.#interrupted(end.exitCode === 0 ? 'protocol' : 'spawn', message);
    }
    // Silence after a failure it goes on trying to get over is that failure.
    if (end.ended === 'timeout_idle' && error !== undefined) return this.#failed(error);
    const failure = end.ended === 'signal' || end.ended === 'aborted' ? 'crash' : end.ended;
    return this.#interrupted(failure, `codex: ${end.message}${failure === 'spawn' ? '' : said}`);
  }

  #failed(message: string): Interruption {
    const failure = agentFailure({ message });
    return this.#interrupted(failure, `codex: ${excerpt(message, MESSAGE)}${codexAdvice(failure)}`);
  }

  #done(): AgentEnd {
    const done = { kind: 'done', cost: this.#stream.cost, ...this.#worker() } as const;
    if (this.#task.role === 'creator') return done;
    const answer = json(this.#stream.message);
    const asSaid = checkAnswer(this.#task, answer);
    const checked = 'answer' in asSaid ? asSaid : checkAnswer(this.#task, asAsked(answer, this.#task.answer));
    if ('answer' in checked) return { ...done, answer: checked.answer };
    return this.#interrupted('schema', `codex's answer is not what was asked for: ${checked.why}`);
  }

  #interrupted(failure: FailureClass, message: string): Interruption {
    return { kind: 'interrupted', failure, message, cost: this.#stream.cost, ...this.#worker() };
  }

  /** The program does not say which model it used; it is the one it was told to use, if it was told. */
  #worker(): Worker {
    const { model } = this.#task;
    return { version: this.#driver.program.version, ...present({ model }) };
  }
}

function writeSchema(dir: string, task: JudgeTask): string {
  const file = join(dir, 'answer.schema.json');
  writeFileSync(file, JSON.stringify(strictSchema(task.answer)), { flag: 'wx' });
  return file;
}

function parsed(line: string): unknown {
  const value = json(line);
  return textOf(fieldsOf(value).type) === undefined ? undefined : value;
}

function json(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

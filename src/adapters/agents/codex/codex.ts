import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { Agent, AgentTask, JudgeTask } from '../../../ports/agent.ts';
import type { ProcessEnd } from '../../../ports/processes.ts';
import { codexWords } from '../../../text/agent-words/codex-words.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { makePrivateDirectory, removeQuietly } from '../../disk/private-directory.ts';
import { withBinaries } from '../agent-environment.ts';
import { agentFailure } from '../agent-failure.ts';
import {
  type AgentDialogue,
  MESSAGE,
  parseEvent,
  parseJson,
  performTurn,
  REFUSED_LOGINS,
  readCost,
  type TurnControl,
  type TurnFailure,
  withoutResult,
} from '../agent-turn.ts';
import type { AgentWorld } from '../agent-world.ts';
import { type AgentProgram, findAgentProgram } from '../find-agent-program.ts';
import { codexAdvice } from './codex-advice.ts';
import { codexArguments } from './codex-arguments.ts';
import { codexEnvironment } from './codex-environment.ts';
import { codexLogin } from './codex-login.ts';
import { CODEX } from './codex-program.ts';
import { asAsked, strictSchema } from './codex-schema.ts';
import { CodexStream } from './codex-stream.ts';

/** Opens the agent that is the user's own Codex. */
export async function openCodex(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const program = await findAgentProgram(CODEX, settings, world);
  const subscribed = (await codexLogin(program.argv, world.processes)) === 'subscription';
  const openStream = (model: string | undefined) => new CodexStream(world.models, { model, subscribed });
  return {
    driver: 'codex',
    version: program.version,
    simulated: false,
    perform: (task) =>
      performTurn(task, world, (control) => {
        return new CodexDialogue(task, { program, settings, world, stream: openStream(task.model), control });
      }),
    costOf: (transcript) => readCost(transcript, openStream(settings.model)),
  };
}

type Driver = {
  readonly program: AgentProgram;
  readonly settings: AgentSettings;
  readonly world: AgentWorld;
  readonly stream: CodexStream;
  readonly control: TurnControl;
};

class CodexDialogue implements AgentDialogue {
  readonly name = 'codex';
  readonly #task: AgentTask;
  readonly #driver: Driver;
  #temp: string | undefined;

  constructor(task: AgentTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
  }

  start() {
    const { program, settings, world } = this.#driver;
    const task = this.#task;
    const place = {
      baseUrl: process.env.OPENAI_BASE_URL || undefined,
      mcp: settings.mcp,
      ...(task.role !== 'creator' && { schema: this.#writeSchema(task, world) }),
    };
    return {
      argv: [...program.argv, ...codexArguments(task, place)],
      env: withBinaries(codexEnvironment(process.env, settings, task), task),
      stdin: task.brief,
      own: this.#temp === undefined ? [] : [this.#temp],
    };
  }

  #writeSchema({ answer }: JudgeTask, { project }: AgentWorld): string {
    this.#temp = makePrivateDirectory('codex', project.dir);
    const file = join(this.#temp, 'answer.schema.json');
    writeFileSync(file, JSON.stringify(strictSchema(answer)), { flag: 'wx' });
    return file;
  }

  close(): void {
    if (this.#temp !== undefined) removeQuietly(this.#temp);
  }

  take(line: string): boolean {
    const { stream, control } = this.#driver;
    const event = parseEvent(line);
    if (event === undefined) return false;
    this.#task.onLine(line, codexWords(event));
    stream.read(event);
    if (stream.refusedLogins >= REFUSED_LOGINS) control.fail('auth', `codex is not let in${codexAdvice('auth')}`);
    return true;
  }

  get hasResult(): boolean {
    return this.#driver.stream.completed;
  }

  outcome(end: ProcessEnd) {
    const { started: begun, completed, failed, error, message } = this.#driver.stream;
    if (failed !== undefined) return failureIn(failed);
    if (!completed || end.exitCode !== 0) {
      // Silence after a failure it goes on trying to get over is that failure.
      if (end.ended === 'timeout_idle' && error !== undefined) return failureIn(error);
      return withoutResult(end, { name: this.name, how: completed ? 'badly' : 'before its work did', begun });
    }
    if (this.#task.role === 'creator') return {};
    const answer = parseJson(message);
    return { answers: [answer, asAsked(answer, this.#task.answer)] };
  }

  /** The program does not say which model it used; it is the one it was told to use, if it was told. */
  get facts() {
    const { program, stream } = this.#driver;
    const { model } = this.#task;
    return { cost: stream.cost, version: program.version, ...present({ model }) };
  }
}

function failureIn(message: string): TurnFailure {
  const failure = agentFailure({ message });
  return { failure, message: `codex: ${excerpt(message, MESSAGE)}${codexAdvice(failure)}` };
}

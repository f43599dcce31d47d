import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import type { Agent, AgentTask } from '../../../ports/agent.ts';
import type { ProcessEnd } from '../../../ports/processes.ts';
import { claudeWords } from '../../../text/agent-words/claude-words.ts';
import { fieldsOf } from '../../../text/agent-words/fields.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { makePrivateDirectory, removeQuietly } from '../../disk/private-directory.ts';
import { userSettings } from '../../secrets/user-settings.ts';
import { withBinaries } from '../agent-environment.ts';
import {
  type AgentDialogue,
  MESSAGE,
  parseEvent,
  performTurn,
  REFUSED_LOGINS,
  readCost,
  type TurnControl,
  type TurnFailure,
  withoutResult,
} from '../agent-turn.ts';
import type { AgentWorld } from '../agent-world.ts';
import { type AgentProgram, findAgentProgram } from '../find-agent-program.ts';
import { claudeArguments, creatorTools, JUDGE_TOOLS } from './claude-arguments.ts';
import { claudeEnvironment, claudeSecret } from './claude-environment.ts';
import { adviceFor, failureClass, resultText } from './claude-failure.ts';
import { CLAUDE } from './claude-program.ts';
import { ClaudeStream } from './claude-stream.ts';
import { watchShell } from './shell-leftovers.ts';

const GRACE_MS = 3000;
const SECRET_DESCRIPTOR = 3;
/** Exit codes above tell a signal. */
const SIGNALLED = 128;

/** Opens the agent that is the user's own Claude Code. */
export async function openClaudeCode(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const program = await findAgentProgram(CLAUDE, settings, world);
  return {
    driver: 'claude-code',
    version: program.version,
    simulated: false,
    perform: (task) =>
      performTurn(task, world, (control) => new ClaudeDialogue(task, { program, settings, world, control })),
    costOf: (transcript) => readCost(transcript, new ClaudeStream(world.models)),
  };
}

type Driver = {
  readonly program: AgentProgram;
  readonly settings: AgentSettings;
  readonly world: AgentWorld;
  readonly control: TurnControl;
};

class ClaudeDialogue implements AgentDialogue {
  readonly name = 'claude';
  readonly #task: AgentTask;
  readonly #driver: Driver;
  readonly #stream: ClaudeStream;
  readonly #leftovers: (() => void)[] = [];
  #grace: NodeJS.Timeout | undefined;
  /** What it said besides its events. */
  #words = '';

  constructor(task: AgentTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
    this.#stream = new ClaudeStream(driver.world.models);
  }

  start() {
    const { program, settings, world } = this.#driver;
    const temp = makePrivateDirectory('claude', world.project.dir);
    this.#leftovers.push(() => removeQuietly(temp));
    this.#leftovers.push(watchShell(this.#task.dir));
    const login = userSettings(process.env);
    const source = { ...login.env, ...process.env };
    const key = claudeSecret(source, SECRET_DESCRIPTOR);
    return {
      argv: [...program.argv, ...claudeArguments(withPlace(this.#task, temp), settings, login.settings)],
      env: withBinaries(
        { ...claudeEnvironment(source, settings, this.#task), ...key?.env, CLAUDE_CODE_TMPDIR: temp },
        this.#task,
      ),
      stdin: this.#task.brief,
      own: [temp],
      ...(key !== undefined && { secret: key.secret }),
    };
  }

  close(): void {
    clearTimeout(this.#grace);
    for (const clear of this.#leftovers.reverse()) clear();
  }

  take(line: string): boolean {
    const event = parseEvent(line);
    if (event === undefined) return false;
    if (!isPartial(event)) this.#task.onLine(line, claudeWords(event));
    this.#stream.read(event);
    this.#watch();
    return true;
  }

  passOver({ line, truncated }: { readonly line: string; readonly truncated: boolean }): void {
    if (!truncated) this.#words = `${this.#words}${line}\n`.slice(-MESSAGE);
  }

  /** Ends what must not go on, and what does not end by itself. */
  #watch(): void {
    const { settings, control } = this.#driver;
    const { tools, servers, refusedLogins, result, spentUsd = 0 } = this.#stream;
    const wanted = this.#task.role === 'creator' ? (settings.mcp ?? []).map(({ name }) => name) : [];
    const unwanted = unwantedTools(this.#task, tools, wanted);
    if (unwanted.length > 0) control.fail('protocol', `claude offers tools it must not have: ${unwanted.join(', ')}`);
    const uninvited = servers.filter((name) => !wanted.includes(name));
    if (uninvited.length > 0) control.fail('protocol', `claude started other MCP servers: ${uninvited.join(', ')}`);
    if (refusedLogins >= REFUSED_LOGINS)
      control.fail('auth', `claude is not let in${adviceFor('auth', this.#task.role)}`);
    if (result === undefined) this.#grace = void clearTimeout(this.#grace);
    else this.#grace ??= setTimeout(control.stop, GRACE_MS);
    control.spend(spentUsd, 'estimated');
  }

  get hasResult(): boolean {
    return this.#stream.result !== undefined;
  }

  outcome(end: ProcessEnd) {
    const { result, version } = this.#stream;
    if (result === undefined) {
      const killed = end.ended === 'exit' && (end.exitCode ?? 0) > SIGNALLED;
      const about = { name: this.name, how: 'without a result', begun: version !== undefined, said: this.#words };
      return withoutResult(killed ? { ...end, ended: 'signal' } : end, about);
    }
    if (result.is_error === false && result.subtype === 'success') return { answers: [result.structured_output] };
    const failure = failureClass(result, this.#stream);
    // Broken off by somebody else than HELIX, who may do so again and again.
    return this.#failed(failure === 'cancelled' && !this.#task.signal.aborted ? 'crash' : failure);
  }

  #failed(failure: FailureClass): TurnFailure {
    const { result = {}, until } = this.#stream;
    const message = `claude: ${excerpt(resultText(result), MESSAGE)}${adviceFor(failure, this.#task.role)}`;
    return { failure, message, ...(failure === 'rate_limit' && present({ until })) };
  }

  get facts() {
    const { cost, denied, model, version = this.#driver.program.version } = this.#stream;
    return { cost, version, ...present({ model }), ...(denied.length > 0 && { denied }) };
  }

  get unfinished(): string {
    return this.#stream.unfinished;
  }
}

/** The task of an agent whose shell needs a directory beside those of the work. */
function withPlace(task: AgentTask, dir: string): AgentTask {
  return task.role === 'creator' ? { ...task, writable: [...task.writable, dir] } : task;
}

const PARTS: ReadonlySet<unknown> = new Set([
  ...['content_block_start', 'content_block_delta', 'content_block_stop', 'message_stop', 'ping'],
]);

/** A piece of an answer that comes whole a moment later. */
function isPartial(event: unknown): boolean {
  const { type, event: part } = fieldsOf(event);
  return type === 'stream_event' && PARTS.has(fieldsOf(part).type);
}

function unwantedTools(task: AgentTask, tools: readonly string[], servers: readonly string[]): string[] {
  const allowed = new Set(task.role === 'creator' ? creatorTools(task) : [...JUDGE_TOOLS, 'StructuredOutput']);
  return tools.filter((tool) => !allowed.has(tool) && !servers.some((name) => tool.startsWith(`mcp__${name}__`)));
}

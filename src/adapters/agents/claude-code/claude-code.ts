import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import type { Agent, AgentEnd, AgentTask, Worker } from '../../../ports/agent.ts';
import type { ProcessEnd } from '../../../ports/processes.ts';
import { claudeWords } from '../../../text/agent-words/claude-words.ts';
import { fieldsOf, textOf } from '../../../text/agent-words/fields.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { userSettings } from '../../secrets/user-settings.ts';
import { checkAnswer, handOnRaw } from '../agent-turn.ts';
import { type AgentWorld, agentWalls } from '../agent-world.ts';
import { type AgentProgram, findAgentProgram } from '../find-agent-program.ts';
import { claudeArguments, creatorTools, JUDGE_TOOLS } from './claude-arguments.ts';
import { claudeEnvironment, claudeSecret } from './claude-environment.ts';
import { adviceFor, failureClass, resultText } from './claude-failure.ts';
import { CLAUDE } from './claude-program.ts';
import { ClaudeStream } from './claude-stream.ts';
import { watchShell } from './shell-leftovers.ts';

const CREATOR_IDLE_MS = 15 * 60_000;
const JUDGE_IDLE_MS = 5 * 60_000;
const GRACE_MS = 3000;
const OUTPUT_BYTES = 2 * 1024 ** 3;
const LINE_BYTES = 32 * 1024 * 1024;
const MESSAGE = 2000;
const SECRET_DESCRIPTOR = 3;
/** Exit codes above tell a signal. */
const SIGNALLED = 128;
/** The first refusal may be a hiccup; after the second one the program would go on asking for minutes. */
const REFUSED_LOGINS = 2;

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;

/** Opens the agent that is the user's own Claude Code. */
export async function openClaudeCode(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const program = await findAgentProgram(CLAUDE, settings, world);
  return {
    driver: 'claude-code',
    version: program.version,
    simulated: false,
    perform: (task) => new Turn(task, { program, settings, world }).perform(),
    costOf: (transcript) => {
      const stream = new ClaudeStream(world.models);
      for (const line of transcript) stream.read(parsed(line));
      return stream.cost;
    },
  };
}

type Driver = { readonly program: AgentProgram; readonly settings: AgentSettings; readonly world: AgentWorld };

/** One process of the program, from its start to what it comes to. */
class Turn {
  readonly #task: AgentTask;
  readonly #driver: Driver;
  readonly #stream: ClaudeStream;
  readonly #stop = new AbortController();
  #stopped: { failure: FailureClass; message: string } | undefined;
  #grace: NodeJS.Timeout | undefined;
  #spent = 0;
  /** What it said besides its events. */
  #words = '';

  constructor(task: AgentTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
    this.#stream = new ClaudeStream(driver.world.models);
  }

  async perform(): Promise<AgentEnd> {
    if (this.#task.signal.aborted) return { kind: 'interrupted', failure: 'cancelled', message: 'stopped' };
    const temp = mkdtempSync(join(tmpdir(), 'helix-claude-'));
    const clearUp = watchShell(this.#task.dir);
    try {
      return this.#outcome(await this.#run(temp));
    } catch (error) {
      if (error instanceof HelixError) return this.#interrupted('workspace', error.message);
      return this.#interrupted('crash', `claude could not be followed: ${(error as Error).message}`);
    } finally {
      clearTimeout(this.#grace);
      clearUp();
      rmSync(temp, { recursive: true, force: true });
    }
  }

  #run(temp: string): Promise<ProcessEnd> {
    const { program, settings, world } = this.#driver;
    const { brief, dir, marker, wallMs, idleMs, role, signal } = this.#task;
    const login = userSettings(process.env);
    const source = { ...login.env, ...process.env };
    const key = claudeSecret(source, SECRET_DESCRIPTOR);
    const confine = agentWalls(this.#task);
    return world.processes.run({
      argv: [...program.argv, ...claudeArguments(this.#task, settings, login.settings)],
      ...{ cwd: dir, marker, wallMs, stdin: brief, outputBytes: OUTPUT_BYTES, lineBytes: LINE_BYTES },
      env: { ...claudeEnvironment(source, settings, this.#task), ...key?.env, CLAUDE_CODE_TMPDIR: temp },
      ...(key !== undefined && { secret: key.secret }),
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
      if (!truncated) this.#words = `${this.#words}${line}\n`.slice(-MESSAGE);
      return;
    }
    if (!isPartial(event)) this.#task.onLine(line, claudeWords(event));
    this.#stream.read(event);
    this.#watch();
  }

  /** Ends what must not go on, and what does not end by itself. */
  #watch(): void {
    const { tools, servers, refusedLogins, result } = this.#stream;
    const wanted = this.#task.role === 'creator' ? (this.#driver.settings.mcp ?? []).map(({ name }) => name) : [];
    const unwanted = unwantedTools(this.#task, tools, wanted);
    if (unwanted.length > 0) this.#end('protocol', `claude offers tools it must not have: ${unwanted.join(', ')}`);
    const uninvited = servers.filter((name) => !wanted.includes(name));
    if (uninvited.length > 0) this.#end('protocol', `claude started other MCP servers: ${uninvited.join(', ')}`);
    if (refusedLogins >= REFUSED_LOGINS) this.#end('auth', `claude is not let in${adviceFor('auth', this.#task.role)}`);
    if (result === undefined) this.#grace = void clearTimeout(this.#grace);
    else this.#grace ??= setTimeout(() => this.#stop.abort(), GRACE_MS);
    this.#count();
  }

  #count(): void {
    const spent = this.#stream.spentUsd ?? 0;
    if (spent === this.#spent) return;
    this.#spent = spent;
    this.#task.onSpent?.(spent);
    const { spendUsd } = this.#task;
    if (spendUsd === undefined || spent <= spendUsd) return;
    this.#end('budget', `about ${spent.toFixed(2)} USD are spent, and ${spendUsd.toFixed(2)} USD were left`);
  }

  #end(failure: FailureClass, message: string): void {
    this.#stopped ??= { failure, message };
    this.#stop.abort();
  }

  #outcome(end: ProcessEnd): AgentEnd {
    if (this.#stopped !== undefined) return this.#interrupted(this.#stopped.failure, this.#stopped.message);
    const { result } = this.#stream;
    if (this.#task.signal.aborted && result === undefined) return this.#interrupted('cancelled', 'stopped');
    if (result === undefined) return this.#withoutResult(end);
    if (result.is_error !== false || result.subtype !== 'success') {
      const failure = failureClass(result, this.#stream);
      // Broken off by somebody else than HELIX, who may do so again and again.
      return this.#failed(failure === 'cancelled' && !this.#task.signal.aborted ? 'crash' : failure);
    }
    return this.#done(result.structured_output);
  }

  #withoutResult(end: ProcessEnd): Interruption {
    const said = this.#words.trim() === '' ? '' : `:\n${excerpt(this.#words, MESSAGE)}`;
    if (end.ended === 'exit' && (end.exitCode ?? 0) <= SIGNALLED) {
      const early = this.#stream.version === undefined && end.exitCode !== 0;
      const message = `claude ended without a result (${end.message})${said}`;
      return this.#interrupted(early ? 'spawn' : 'protocol', message);
    }
    const killed = end.ended === 'exit' || end.ended === 'signal' || end.ended === 'aborted';
    const failure = killed ? 'crash' : end.ended;
    return this.#interrupted(failure, `claude: ${end.message}${failure === 'spawn' ? '' : said}`);
  }

  #failed(failure: FailureClass): Interruption {
    const said = excerpt(resultText(this.#stream.result ?? {}), MESSAGE);
    return this.#interrupted(failure, `claude: ${said}${adviceFor(failure, this.#task.role)}`);
  }

  #done(answer: unknown): AgentEnd {
    const { cost, denied } = this.#stream;
    const done = { kind: 'done', cost, ...this.#worker(), ...(denied.length > 0 && { denied }) } as const;
    if (this.#task.role === 'creator') return done;
    const checked = checkAnswer(this.#task, answer);
    if ('answer' in checked) return { ...done, answer: checked.answer };
    return this.#interrupted('schema', `claude's answer is not what was asked for: ${checked.why}`);
  }

  #interrupted(failure: FailureClass, message: string): Interruption {
    const { cost, until, denied, unfinished } = this.#stream;
    if (unfinished !== '') this.#task.onLine(JSON.stringify({ type: 'text', unfinished: true, text: unfinished }));
    return {
      ...{ kind: 'interrupted', failure, message, cost, ...this.#worker() },
      ...(denied.length > 0 && { denied }),
      ...(failure === 'rate_limit' && until !== undefined && { until }),
    };
  }

  #worker(): Worker {
    const { model, version = this.#driver.program.version } = this.#stream;
    return { version, ...present({ model }) };
  }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return textOf(fieldsOf(value).type) === undefined ? undefined : value;
  } catch {
    return undefined;
  }
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

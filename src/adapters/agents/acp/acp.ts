import { HelixError } from '../../../domain/helix-error.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import type { Agent, AgentEnd, CreatorTask, Worker } from '../../../ports/agent.ts';
import type { ProcessEnd, ProcessInput } from '../../../ports/processes.ts';
import { acpWords } from '../../../text/agent-words/acp-words.ts';
import { fieldsOf } from '../../../text/agent-words/fields.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { allowedEnv } from '../../programs/environment.ts';
import { NETWORK_VARIABLES, taskVariables } from '../agent-environment.ts';
import { agentFailure } from '../agent-failure.ts';
import { CREATOR_WORDS, notForJudges, TAKE_AND_TRY_AGAIN, TRY_AGAIN } from '../agent-texts.ts';
import { handOnRaw } from '../agent-turn.ts';
import { type AgentWorld, agentWalls } from '../agent-world.ts';
import { locateCommand } from '../find-agent-program.ts';
import { answerPermission } from './acp-permission.ts';
import { acpServers } from './acp-servers.ts';
import { AcpSession } from './acp-session.ts';
import { JsonRpcPeer, RpcError } from './json-rpc.ts';
import { MessageJoiner } from './message-joiner.ts';

const PROTOCOL = 1;
const IDLE_MS = 15 * 60_000;
const GRACE_MS = 3000;
const CANCEL_MS = 1000;
const OUTPUT_BYTES = 2 * 1024 ** 3;
const LINE_BYTES = 32 * 1024 * 1024;
const MESSAGE = 2000;
const DENIALS = 100;
const AUTH_REQUIRED = -32_000;
const LOG_IN = `Log in with the agent itself, then ${TRY_AGAIN}; or pass its key on (env: [NAME] in helix.yaml), then ${TAKE_AND_TRY_AGAIN}`;

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;

/** Opens the agent that is any program speaking the Agent Client Protocol. */
export async function openAcp(settings: AgentSettings, world: AgentWorld): Promise<Agent> {
  const command = [settings.command ?? []].flat();
  if (command.length === 0) {
    throw new HelixError('config', 'an agent with the driver acp has no command', {
      hint: 'Name one in helix.yaml: command: [program, argument]',
    });
  }
  const argv = await locateCommand(command, world, `Install it, or mend this agent's command in helix.yaml.`);
  return {
    driver: 'acp',
    simulated: false,
    perform: async (task) => {
      if (task.role !== 'creator') return notForJudges('acp', task.role);
      return new Turn(task, { argv, settings, world }).perform();
    },
  };
}

type Driver = { readonly argv: readonly string[]; readonly settings: AgentSettings; readonly world: AgentWorld };

/** One process of the program and one prompt to it. */
class Turn {
  readonly #task: CreatorTask;
  readonly #driver: Driver;
  readonly #session: AcpSession;
  readonly #stop = new AbortController();
  readonly #denied: string[] = [];
  readonly #joiner: MessageJoiner;
  #peer: JsonRpcPeer | undefined;
  #stopped: { failure: FailureClass; message: string } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(task: CreatorTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
    this.#session = new AcpSession(driver.world.models);
    this.#joiner = new MessageJoiner((message) => task.onLine(JSON.stringify(message), acpWords(message)));
  }

  async perform(): Promise<AgentEnd> {
    const { signal } = this.#task;
    if (signal.aborted) return { kind: 'interrupted', failure: 'cancelled', message: 'stopped' };
    const cancel = () => this.#cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const end = await this.#run();
      this.#joiner.flush();
      return this.#outcome(end);
    } catch (error) {
      if (error instanceof HelixError) return this.#interrupted('workspace', error.message);
      return this.#interrupted('crash', `the agent could not be followed: ${(error as Error).message}`);
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(this.#timer);
    }
  }

  #run(): Promise<ProcessEnd> {
    const { argv, settings, world } = this.#driver;
    const { dir, marker, wallMs, idleMs = IDLE_MS } = this.#task;
    const confine = agentWalls(this.#task);
    return world.processes.run({
      ...{ argv, cwd: dir, marker, wallMs, idleMs, outputBytes: OUTPUT_BYTES, lineBytes: LINE_BYTES },
      env: {
        ...allowedEnv(process.env, [...NETWORK_VARIABLES, ...(settings.env ?? [])]),
        ...taskVariables(this.#task, world),
      },
      ...present({ confine }),
      signal: this.#stop.signal,
      talk: (input) => void this.#converse(input),
      onLine: (line, stream, truncated) => this.#line(line, stream, truncated),
    });
  }

  /** Says what is to be said, and ends the program once it has answered; never rejects. */
  async #converse(input: ProcessInput): Promise<void> {
    this.#peer = new JsonRpcPeer({
      send: (message) => input.send(JSON.stringify(message)),
      asked: (method, params) => (method === 'session/request_permission' ? this.#permit(params) : undefined),
      told: (method, params) => method === 'session/update' && this.#update(fieldsOf(fieldsOf(params).update)),
    });
    try {
      await this.#ask(this.#peer);
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      input.end();
      this.#timer ??= setTimeout(() => this.#stop.abort(), GRACE_MS);
    }
  }

  async #ask(peer: JsonRpcPeer): Promise<void> {
    const { dir, brief } = this.#task;
    const fs = { readTextFile: false, writeTextFile: false };
    const hello = { protocolVersion: PROTOCOL, clientCapabilities: { fs, terminal: false } };
    const introduction = await peer.call('initialize', hello);
    if (introduction.protocolVersion !== PROTOCOL) {
      throw new Error(`the agent speaks version ${introduction.protocolVersion} of the protocol, not ${PROTOCOL}`);
    }
    this.#session.introduced(introduction);
    const mcpServers = acpServers(this.#driver.settings.mcp ?? [], process.env);
    this.#session.opened(await peer.call('session/new', { cwd: dir, mcpServers }));
    const prompt = [CREATOR_WORDS, brief].map((text) => ({ type: 'text', text }));
    this.#session.finished(await peer.call('session/prompt', { sessionId: this.#session.id, prompt }));
  }

  #line(line: string, stream: 'stdout' | 'stderr', truncated: boolean): void {
    const message = stream === 'stdout' && !truncated ? parsed(line) : undefined;
    if (message === undefined) {
      handOnRaw(this.#task, { line, stream, truncated });
      if (stream === 'stdout' && truncated)
        this.#end('protocol', `the agent sent a message of over ${LINE_BYTES} bytes`);
      return;
    }
    this.#joiner.take(message);
    this.#peer?.receive(message);
  }

  #update(update: Record<string, unknown>): void {
    const before = this.#session.spentUsd;
    this.#session.updated(update);
    const spent = this.#session.spentUsd;
    if (spent === before) return;
    this.#task.onSpent?.(spent);
    const { spendUsd } = this.#task;
    if (spendUsd === undefined || spent <= spendUsd) return;
    this.#end('budget', `${spent.toFixed(2)} USD are spent, and ${spendUsd.toFixed(2)} USD were left`);
  }

  #permit(params: unknown): object {
    const { answer, denied } = answerPermission(params, this.#task.dir);
    if (denied !== undefined && this.#denied.length < DENIALS) this.#denied.push(denied);
    return answer;
  }

  /** Asks politely first: an agent that is asked can put its own affairs in order. */
  #cancel(): void {
    const { id: sessionId } = this.#session;
    if (sessionId !== undefined) this.#peer?.notify('session/cancel', { sessionId });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop.abort(), sessionId === undefined ? 0 : CANCEL_MS);
  }

  #fail(error: Error): void {
    if (!(error instanceof RpcError)) {
      this.#end('protocol', error.message);
      return;
    }
    const failure = error.code === AUTH_REQUIRED ? 'auth' : agentFailure(error);
    const advice = failure === 'auth' ? `. ${LOG_IN}` : '';
    this.#stopped ??= { failure, message: `the agent: ${excerpt(error.message, MESSAGE)}${advice}` };
  }

  #end(failure: FailureClass, message: string): void {
    this.#stopped ??= { failure, message };
    this.#stop.abort();
  }

  #outcome(end: ProcessEnd): AgentEnd {
    const { stopReason, cost } = this.#session;
    if (this.#task.signal.aborted && stopReason !== 'end_turn') return this.#interrupted('cancelled', 'stopped');
    if (this.#stopped !== undefined) return this.#interrupted(this.#stopped.failure, this.#stopped.message);
    if (stopReason === undefined) return this.#withoutAnswer(end);
    const failure = stopReason === 'end_turn' ? undefined : (STOPS.get(stopReason) ?? 'protocol');
    if (failure !== undefined) return this.#interrupted(failure, `the agent stopped: ${excerpt(stopReason, 100)}`);
    const denied = this.#denied.length > 0 ? { denied: this.#denied } : {};
    return { kind: 'done', cost, ...this.#worker(), ...denied };
  }

  #withoutAnswer(end: ProcessEnd): Interruption {
    const said = end.tail.trim() === '' ? '' : `:\n${excerpt(end.tail.slice(-MESSAGE), MESSAGE)}`;
    if (end.ended === 'exit') {
      const early = this.#session.id === undefined && end.exitCode !== 0;
      return this.#interrupted(
        early ? 'spawn' : 'protocol',
        `the agent ended without an answer (${end.message})${said}`,
      );
    }
    const failure = end.ended === 'signal' || end.ended === 'aborted' ? 'crash' : end.ended;
    return this.#interrupted(failure, `the agent: ${end.message}${failure === 'spawn' ? '' : said}`);
  }

  #interrupted(failure: FailureClass, message: string): Interruption {
    return { kind: 'interrupted', failure, message, cost: this.#session.cost, ...this.#worker() };
  }

  #worker(): Worker {
    const { model, version } = this.#session;
    return { ...present({ model, version }) };
  }
}

/** What it means when an agent stops before it is done. */
const STOPS: ReadonlyMap<string, FailureClass> = new Map([
  ['max_tokens', 'output_limit'],
  ['max_turn_requests', 'max_turns'],
  ['refusal', 'refusal'],
  // HELIX did not ask for it, so something else has cut it short.
  ['cancelled', 'crash'],
]);

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const message = fieldsOf(JSON.parse(line));
    return message.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

import { HelixError } from '../../../domain/helix-error.ts';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { present } from '../../../domain/present.ts';
import type { FailureClass } from '../../../domain/verdict.ts';
import type { Agent, CreatorTask } from '../../../ports/agent.ts';
import type { ProcessEnd, ProcessInput } from '../../../ports/processes.ts';
import { acpWords } from '../../../text/agent-words/acp-words.ts';
import { fieldsOf } from '../../../text/agent-words/fields.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { allowedEnv } from '../../programs/environment.ts';
import { NETWORK_VARIABLES, taskVariables, withBinaries } from '../agent-environment.ts';
import { agentFailure } from '../agent-failure.ts';
import { CREATOR_WORDS, notForJudges, TAKE_AND_TRY_AGAIN, TRY_AGAIN } from '../agent-texts.ts';
import {
  type AgentDialogue,
  LINE_BYTES,
  MESSAGE,
  parseJson,
  performTurn,
  type TurnControl,
  type TurnFailure,
  withoutResult,
} from '../agent-turn.ts';
import type { AgentWorld } from '../agent-world.ts';
import { locateCommand } from '../find-agent-program.ts';
import { answerPermission } from './acp-permission.ts';
import { acpServers } from './acp-servers.ts';
import { AcpSession } from './acp-session.ts';
import { JsonRpcPeer, RpcError } from './json-rpc.ts';
import { MessageJoiner } from './message-joiner.ts';

const PROTOCOL = 1;
const GRACE_MS = 3000;
const CANCEL_MS = 1000;
const DENIALS = 100;
const AUTH_REQUIRED = -32_000;
const LOG_IN = `Log in with the agent itself, then ${TRY_AGAIN}; or pass its key on (env: [NAME] in helix.yaml), then ${TAKE_AND_TRY_AGAIN}`;

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
      return performTurn(task, world, (control) => {
        return new AcpDialogue(task, { argv, settings, world, control });
      });
    },
  };
}

type Driver = {
  readonly argv: readonly string[];
  readonly settings: AgentSettings;
  readonly world: AgentWorld;
  readonly control: TurnControl;
};

/** One prompt to the program. */
class AcpDialogue implements AgentDialogue {
  readonly name = 'the agent';
  readonly #task: CreatorTask;
  readonly #driver: Driver;
  readonly #session: AcpSession;
  readonly #denied: string[] = [];
  readonly #joiner: MessageJoiner;
  #peer: JsonRpcPeer | undefined;
  /** Why the conversation failed; counts less than a request to stop, which may have been the cause. */
  #failed: TurnFailure | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(task: CreatorTask, driver: Driver) {
    this.#task = task;
    this.#driver = driver;
    this.#session = new AcpSession(driver.world.models);
    this.#joiner = new MessageJoiner((message) => task.onLine(JSON.stringify(message), acpWords(message)));
  }

  start() {
    const { argv, settings, world } = this.#driver;
    return {
      argv,
      env: withBinaries(
        {
          ...allowedEnv(process.env, [...NETWORK_VARIABLES, ...(settings.env ?? [])]),
          ...taskVariables(this.#task, world),
        },
        this.#task,
      ),
      talk: (input: ProcessInput) => void this.#converse(input),
    };
  }

  close(): void {
    clearTimeout(this.#timer);
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
      this.#timer ??= setTimeout(this.#driver.control.stop, GRACE_MS);
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

  take(line: string): boolean {
    const message = fieldsOf(parseJson(line));
    if (message.jsonrpc !== '2.0') return false;
    this.#joiner.take(message);
    this.#peer?.receive(message);
    return true;
  }

  flush(): void {
    this.#joiner.flush();
  }

  passOver({ stream, truncated }: { readonly stream: 'stdout' | 'stderr'; readonly truncated: boolean }): void {
    if (stream !== 'stdout' || !truncated) return;
    this.#driver.control.fail('protocol', `the agent sent a message of over ${LINE_BYTES} bytes`);
  }

  #update(update: Record<string, unknown>): void {
    this.#session.updated(update);
    this.#driver.control.spend(this.#session.spentUsd, 'reported');
  }

  #permit(params: unknown): object {
    const { answer, denied } = answerPermission(params, this.#task.dir);
    if (denied !== undefined && this.#denied.length < DENIALS) this.#denied.push(denied);
    return answer;
  }

  /** Asks politely first: an agent that is asked can put its own affairs in order. */
  cancel(): void {
    const { id: sessionId } = this.#session;
    if (sessionId !== undefined) this.#peer?.notify('session/cancel', { sessionId });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#driver.control.stop, sessionId === undefined ? 0 : CANCEL_MS);
  }

  #fail(error: Error): void {
    if (!(error instanceof RpcError)) {
      this.#failed ??= { failure: 'protocol', message: error.message };
      this.#driver.control.stop();
      return;
    }
    const failure = error.code === AUTH_REQUIRED ? 'auth' : agentFailure(error);
    const advice = failure === 'auth' ? `. ${LOG_IN}` : '';
    this.#failed ??= { failure, message: `the agent: ${excerpt(error.message, MESSAGE)}${advice}` };
  }

  get hasResult(): boolean {
    return this.#session.stopReason === 'end_turn';
  }

  outcome(end: ProcessEnd) {
    const { stopReason, id } = this.#session;
    if (this.#failed !== undefined) return this.#failed;
    if (stopReason === undefined)
      return withoutResult(end, { name: this.name, how: 'without an answer', begun: id !== undefined });
    if (stopReason === 'end_turn') return this.#denied.length > 0 ? { denied: this.#denied } : {};
    const failure = STOPS.get(stopReason) ?? 'protocol';
    return { failure, message: `the agent stopped: ${excerpt(stopReason, 100)}` };
  }

  get facts() {
    const { cost, model, version } = this.#session;
    return { cost, ...present({ model, version }) };
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

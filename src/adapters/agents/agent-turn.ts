import type { Cost } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { AgentEnd, AgentTask, JudgeTask, Worker } from '../../ports/agent.ts';
import type { ProcessEnd, ProcessSpec } from '../../ports/processes.ts';
import { fieldsOf, textOf } from '../../text/agent-words/fields.ts';
import { excerpt, sanitise } from '../../text/sanitise.ts';
import { STOPPED } from './agent-texts.ts';
import { type AgentWorld, agentWalls } from './agent-world.ts';

const CREATOR_IDLE_MS = 15 * 60_000;
const JUDGE_IDLE_MS = 5 * 60_000;
const OUTPUT_BYTES = 2 * 1024 ** 3;
const SHOWN = 2000;

/** The longest line a program may say. */
export const LINE_BYTES = 32 * 1024 * 1024;
/** How much of a program's words a message holds. */
export const MESSAGE = 2000;
/** The first refusal may be a hiccup; after the second one the program would go on asking for minutes. */
export const REFUSED_LOGINS = 2;

/** Why a turn came to no result. */
export type TurnFailure = {
  readonly failure: FailureClass;
  readonly message: string;
  /** When it is worth another try, in ISO 8601. */
  readonly until?: string;
  /** What was answered that is not what was asked for. */
  readonly refusedAnswer?: unknown;
};

/** A turn that came to its end. */
type TurnResult = {
  /** A judge's answer in the forms it may have; the first that fits counts. */
  readonly answers?: readonly unknown[];
  readonly denied?: readonly string[];
};

type RawLine = { readonly line: string; readonly stream: 'stdout' | 'stderr'; readonly truncated: boolean };

/** How a driver ends its program before it ends by itself. */
export type TurnControl = {
  /** Ends it because of a failure; the first one counts. */
  readonly fail: (failure: FailureClass, message: string) => void;
  /** Ends it whatever it came to. */
  readonly stop: () => void;
  /** Hands on what is spent so far, and ends it once that is more than it may spend. */
  readonly spend: (usd: number, basis: 'reported' | 'estimated') => void;
};

/** What only the driver of a program knows: how it is started, what its lines mean, and what they come to. */
export interface AgentDialogue {
  /** The program, as messages name it. */
  readonly name: string;
  /** Makes ready what the program needs, and says how it is started and which private directories it works with. */
  start(): Pick<ProcessSpec, 'argv' | 'env' | 'stdin' | 'talk' | 'secret'> & { readonly own?: readonly string[] };
  /** Takes in a line of stdout; false where it is none of the program's messages. */
  take(line: string): boolean;
  /** Learns of a line that was none. */
  passOver?(raw: RawLine): void;
  /** Hands on what it still holds back of the program's words, once the program has ended. */
  flush?(): void;
  /** Called when HELIX is asked to stop, in place of ending the program at once. */
  cancel?(): void;
  /** Tells whether it came to a result, which counts even if HELIX was asked to stop meanwhile. */
  readonly hasResult: boolean;
  /** What it came to by itself. */
  outcome(end: ProcessEnd): TurnResult | TurnFailure;
  /** What is known of it so far. */
  readonly facts: Worker & { readonly cost: Cost; readonly denied?: readonly string[] };
  /** The text of an answer that was cut off. */
  readonly unfinished?: string;
  /** Clears away what `start` made. */
  close?(): void;
}

type TurnWorld = Pick<AgentWorld, 'processes' | 'project'>;

/** Runs one process of an agent's program, from its start to what it comes to; never throws for what the program does. */
export async function performTurn(
  task: AgentTask,
  world: TurnWorld,
  open: (control: TurnControl) => AgentDialogue,
): Promise<AgentEnd> {
  if (task.signal.aborted) return STOPPED;
  return new Turn(task, open).perform(world);
}

class Turn {
  readonly #task: AgentTask;
  readonly #dialogue: AgentDialogue;
  readonly #stop = new AbortController();
  #failed: TurnFailure | undefined;
  #spent = 0;

  constructor(task: AgentTask, open: (control: TurnControl) => AgentDialogue) {
    this.#task = task;
    this.#dialogue = open({
      fail: (failure, message) => this.#fail(failure, message),
      stop: () => this.#stop.abort(),
      spend: (usd, basis) => this.#spend(usd, basis),
    });
  }

  async perform(world: TurnWorld): Promise<AgentEnd> {
    const { signal } = this.#task;
    const dialogue = this.#dialogue;
    const cancel = () => dialogue.cancel?.();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const end = await this.#run(world);
      dialogue.flush?.();
      return this.#end(end);
    } catch (error) {
      if (error instanceof HelixError) return this.#interrupted({ failure: 'workspace', message: error.message });
      const message = `${dialogue.name} could not be followed: ${(error as Error).message}`;
      return this.#interrupted({ failure: 'crash', message });
    } finally {
      signal.removeEventListener('abort', cancel);
      dialogue.close?.();
    }
  }

  #run({ processes, project }: TurnWorld): Promise<ProcessEnd> {
    const { dir, marker, wallMs, role, idleMs, signal } = this.#task;
    const stop = this.#stop.signal;
    const { own, ...start } = this.#dialogue.start();
    return processes.run({
      ...{ cwd: dir, marker, wallMs, outputBytes: OUTPUT_BYTES, lineBytes: LINE_BYTES },
      idleMs: idleMs ?? (role === 'creator' ? CREATOR_IDLE_MS : JUDGE_IDLE_MS),
      ...present({ confine: agentWalls(this.#task, { project }, own) }),
      ...start,
      signal: this.#dialogue.cancel === undefined ? AbortSignal.any([signal, stop]) : stop,
      onLine: (line, stream, truncated) => this.#line({ line, stream, truncated }),
    });
  }

  #line(raw: RawLine): void {
    if (raw.stream === 'stdout' && !raw.truncated && this.#dialogue.take(raw.line)) return;
    handOnRaw(this.#task, raw);
    this.#dialogue.passOver?.(raw);
  }

  #spend(usd: number, basis: 'reported' | 'estimated'): void {
    if (usd === this.#spent) return;
    this.#spent = usd;
    const { onSpent, spendUsd } = this.#task;
    onSpent?.(usd);
    if (spendUsd === undefined || usd <= spendUsd) return;
    const spent = `${basis === 'estimated' ? 'about ' : ''}${usd.toFixed(2)} USD are spent`;
    this.#fail('budget', `${spent}, and ${spendUsd.toFixed(2)} USD were left`);
  }

  /** What goes wrong while a program is being stopped on request is no failure of it. */
  #fail(failure: FailureClass, message: string): void {
    if (!this.#task.signal.aborted) this.#failed ??= { failure, message };
    this.#stop.abort();
  }

  #end(end: ProcessEnd): AgentEnd {
    if (this.#failed !== undefined) return this.#interrupted(this.#failed);
    const { hasResult, facts, name } = this.#dialogue;
    const task = this.#task;
    if (task.signal.aborted && !hasResult) return this.#interrupted(STOPPED);
    const outcome = this.#dialogue.outcome(end);
    if ('failure' in outcome) return this.#interrupted(outcome);
    const { answers = [], ...result } = outcome;
    const done = { kind: 'done', ...facts, ...result } as const;
    if (task.role === 'creator') return done;
    let why = 'there is none';
    for (const answer of answers) {
      const checked = checkAnswer(task, answer);
      if ('answer' in checked) return { ...done, answer: checked.answer };
      why = checked.why;
    }
    const message = `${name}'s answer is not what was asked for: ${why}`;
    return this.#interrupted({
      failure: 'schema',
      message,
      ...(answers.length > 0 && { refusedAnswer: answers.at(-1) }),
    });
  }

  #interrupted(why: TurnFailure): AgentEnd {
    const { facts, unfinished = '' } = this.#dialogue;
    if (unfinished !== '') this.#task.onLine(JSON.stringify({ type: 'text', unfinished: true, text: unfinished }));
    return { kind: 'interrupted', ...why, ...facts };
  }
}

type Ended = {
  readonly name: string;
  /** How a program that exits without a result has ended. */
  readonly how: string;
  /** Whether it had begun to work: then it was rightly started. */
  readonly begun: boolean;
  readonly said?: string;
};

/** What it means that a program ended without a result. */
export function withoutResult(end: ProcessEnd, { name, how, begun, said = end.tail }: Ended): TurnFailure {
  if (end.ended === 'exit') {
    const failure = begun || end.exitCode === 0 ? 'protocol' : 'spawn';
    return { failure, message: `${name} ended ${how} (${end.message})${quoted(said)}` };
  }
  const failure = end.ended === 'signal' || end.ended === 'aborted' ? 'crash' : end.ended;
  return { failure, message: `${name}: ${end.message}${failure === 'spawn' ? '' : quoted(said)}` };
}

/** The last words of a program, to stand at the end of a message. */
export function quoted(said: string): string {
  return said.trim() === '' ? '' : `:\n${excerpt(said.slice(-MESSAGE), MESSAGE)}`;
}

/** Reads a line that is an event in JSON with a type; undefined where it is something else. */
export function parseEvent(line: string): unknown {
  const value = parseJson(line);
  return textOf(fieldsOf(value).type) === undefined ? undefined : value;
}

/** Reads JSON; undefined where it is none. */
export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** What the events of a transcript that broke off say it has cost. */
export function readCost(
  transcript: readonly string[],
  stream: { readonly cost: Cost; read(event: unknown): void },
): Cost {
  for (const line of transcript) stream.read(parseEvent(line));
  return stream.cost;
}

/** Hands on a line that is no event of the agent's own: kept as it is, a giant one only in part. */
function handOnRaw({ onLine }: Pick<AgentTask, 'onLine'>, { line, stream, truncated }: RawLine): void {
  const text = sanitise(truncated ? line.slice(0, SHOWN) : line);
  onLine(JSON.stringify({ type: 'text', stream, text, ...(truncated && { truncated }) }), text);
}

/** A judge's answer if it is what was asked for, else why it is not. */
export function checkAnswer(
  { answer: schema }: Pick<JudgeTask, 'answer'>,
  answer: unknown,
): { readonly answer: unknown } | { readonly why: string } {
  const checked = schema.safeParse(answer);
  if (checked.success) return { answer: checked.data };
  const [issue] = checked.error.issues;
  const why = answer === undefined ? 'there is none' : `${issue?.path.join('.') || 'it'}: ${issue?.message}`;
  return { why: excerpt(why, 500) };
}

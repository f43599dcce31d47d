import { readFileSync, statSync } from 'node:fs';
import { UserDecisionDocument } from '../domain/documents.ts';
import { HelixError } from '../domain/helix-error.ts';
import { openRequests, type RequestState } from '../domain/run-state.ts';
import { resumeRun } from '../engine/run.ts';
import type { World } from '../ports.ts';
import { accompany, WAIT_OPTION } from './accompany.ts';
import { addFact } from './add-fact.ts';
import { type Answer, ask, decision, renderQuestion, requestOf, unknownRequest } from './answer.ts';
import { type Call, type Command, JSON_OPTION } from './command.ts';
import { editedNotice } from './edited-since.ts';
import { EXIT } from './exit-code.ts';
import { pickRun, readRun } from './find-run.ts';
import { DIR_OPTION, openWorldOf } from './open-project.ts';
import { requireTrustOfRun } from './require-trust.ts';

const PATIENCE_MS = 10_000;
const POLL_MS = 250;

/** `helix decide` */
export const decide: Command = {
  usage: 'decide <request> [option] [--comment TEXT] [--file user-decision.json]',
  about: `Answers a question of a run and goes on with it at once, unless somebody else is working on it. Without an option it shows
the question and, on a terminal, asks for the answer. A comment becomes guidance for the agent.`,
  positionals: { min: 1, max: 2 },
  options: {
    comment: { type: 'string', value: 'TEXT', help: 'why, and what the agent should know' },
    file: { type: 'string', value: 'FILE', help: 'the answer as a user-decision.json' },
    script: { type: 'string', value: 'FILE', help: 'what the scripted agent says and does' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    wait: WAIT_OPTION,
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix inbox',
    'helix decide 20261115-1a2b3c4d-q1',
    'helix decide 20261115-1a2b3c4d-q1 A --comment "use the v2 endpoint"',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const [requestId = ''] = call.positionals;
    const run = await runOf(world, requestId);
    const { state } = await readRun(world, run);
    const answer = await answerOf(call, world, requestOf(state, requestId));
    if (answer === undefined) {
      requestOf((await readRun(world, run)).state, requestId);
      return EXIT.waiting;
    }
    await requireTrustOfRun(world, run, call.flag('trust'));
    const { seq } = await addFact(world, run, (before) => decision(requestOf(before, requestId), answer, world.actor));
    if (await takenUp(world, run, seq)) {
      call.terminal.err('recorded; the process that works on the run takes it up\n');
      return EXIT.passed;
    }
    call.terminal.err(await editedNotice(world, state));
    return accompany(call, world, (company) => resumeRun(world, run, company));
  },
};

/** Waits until whoever works on the run has gone on, or is gone: then it is ours to continue. */
async function takenUp(world: World, run: string, seq: number): Promise<boolean> {
  for (
    const began = world.clock.monotonic();
    world.clock.monotonic() - began < PATIENCE_MS;
    await world.clock.sleep(50)
  ) {
    const { state, owned } = await readRun(world, run);
    if (state.seq > seq) return true;
    if (!owned) return false;
  }
  return true;
}

async function runOf(world: World, request: string): Promise<string> {
  const run = /^(.+)-q\d+$/.exec(request)?.[1];
  if (run === undefined) throw unknownRequest(request);
  return pickRun(world, run);
}

async function answerOf(call: Call, world: World, request: RequestState): Promise<Answer | undefined> {
  const file = call.text('file');
  if (file !== undefined) return fromFile(file);
  const [, option] = call.positionals;
  const comment = call.text('comment');
  if (option !== undefined) return { option, ...(comment !== undefined && { comment }) };
  if (!call.terminal.attended) {
    show(call, request);
    return undefined;
  }
  return askUntilAnswered(call, world, request);
}

/** Asks at the keyboard until the answer is given here or elsewhere. */
async function askUntilAnswered(call: Call, world: World, request: RequestState): Promise<Answer | undefined> {
  const { err, columns, paint } = call.terminal;
  const over = new AbortController();
  const answered = new AbortController();
  const watching = untilAnswered(world, request.id, over.signal).then((by) => by && answered.abort());
  err(`${paint('strong', request.id)}\n`);
  try {
    return await ask(request, { say: (text) => err(`${text}\n`), prompt: err, columns }, answered.signal);
  } finally {
    over.abort();
    await watching;
    if (answered.signal.aborted) err('\n');
  }
}

/** True once the question is settled, false when that is of no interest any more. */
async function untilAnswered(world: World, request: string, signal: AbortSignal): Promise<boolean> {
  const run = await runOf(world, request);
  while (!signal.aborted) {
    const { state } = await readRun(world, run);
    if (!openRequests(state).some(({ id }) => id === request)) return true;
    await world.clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
  return false;
}

function fromFile(path: string): Answer {
  let value: unknown;
  try {
    if (statSync(path).size > 1024 * 1024) throw new Error('larger than 1 MB');
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new HelixError('usage', `${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const parsed = UserDecisionDocument.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HelixError('usage', `${path} is not a user decision: ${issue?.path.join('.')}: ${issue?.message}`, {
      hint: 'Its form: helix schema user-decision',
    });
  }
  const { chosen_option: option, user_comment: comment } = parsed.data;
  return { option, ...(typeof comment === 'string' && { comment }) };
}

function show({ terminal }: Call, request: RequestState): void {
  terminal.out(`${terminal.paintOut('strong', request.id)}\n`);
  for (const line of renderQuestion(request, terminal.columns())) terminal.out(`${line}\n`);
  terminal.out(`Answer with: helix decide ${request.id} <option> [--comment TEXT]\n`);
}

import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { UserDecisionDocument } from '../domain/documents.ts';
import { HelixError } from '../domain/helix-error.ts';
import { openRequests, type RequestState, type RunState } from '../domain/run-state.ts';
import { resumeRun } from '../engine/run.ts';
import type { World } from '../ports.ts';
import { excerpt, oneLine } from '../text/sanitise.ts';
import { accompany } from './accompany.ts';
import { addFact } from './add-fact.ts';
import { type Call, type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import { pickRun, readRun } from './find-run.ts';
import { DIR_OPTION, openWorldOf } from './open-project.ts';
import { requireTrustOfRun } from './require-trust.ts';

const PATIENCE_MS = 10_000;

type Answer = { readonly option: string; readonly comment?: string };

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
    wait: { type: 'boolean', help: 'stay while a further question is open' },
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
    const answer = await answerOf(call, requestOf(state, requestId));
    if (answer === undefined) return EXIT.waiting;
    await requireTrustOfRun(world, run, call.flag('trust'));
    const { seq } = await addFact(world, run, (before) => decision(requestOf(before, requestId), answer, world.actor));
    if (await takenUp(world, run, seq)) {
      call.terminal.err('recorded; the process that works on the run takes it up\n');
      return EXIT.passed;
    }
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
  if (run === undefined) throw notFound(request);
  return pickRun(world, run);
}

function notFound(request: string): HelixError {
  return new HelixError('not_found', `there is no question ${request}`, {
    hint: 'See what waits for you: helix inbox',
  });
}

function requestOf(state: RunState, id: string): RequestState {
  const request = state.requests.get(id);
  if (request === undefined) throw notFound(id);
  if (request.answer !== undefined) {
    const { option, actor, at } = request.answer;
    throw new HelixError('usage', `${id} was already answered with ${option} by ${actor} at ${at}`, {
      hint: 'The first answer stands.',
    });
  }
  if (state.ended !== undefined || !openRequests(state).includes(request)) {
    throw new HelixError('usage', `run ${state.run} has already ended`, { hint: `See it: helix status ${state.run}` });
  }
  return request;
}

function decision(request: RequestState, { option, comment }: Answer, actor: string) {
  const chosen = request.options.find(({ id }) => id.toLowerCase() === option.toLowerCase());
  if (chosen === undefined) {
    throw new HelixError('usage', `${request.id} has no option ${JSON.stringify(option)}`, {
      hint: `Options: ${request.options.map(({ id }) => id).join(', ')}`,
    });
  }
  const guidance = chosen.decision.action === 'retry' ? comment : undefined;
  return {
    type: 'decision_taken' as const,
    data: {
      request: request.id,
      option: chosen.id,
      decision: { ...chosen.decision, ...(guidance !== undefined && { guidance }) },
      ...(comment !== undefined && { comment }),
      actor,
    },
  };
}

async function answerOf(call: Call, request: RequestState): Promise<Answer | undefined> {
  const file = call.text('file');
  if (file !== undefined) return fromFile(file);
  const [, option] = call.positionals;
  const comment = call.text('comment');
  if (option !== undefined) return { option, ...(comment !== undefined && { comment }) };
  show(call, request);
  if (!call.terminal.interactive || process.stdin.isTTY !== true) return undefined;
  return ask(request);
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
  terminal.out(`${terminal.paintOut('strong', request.id)}\n${excerpt(request.question, 4000)}\n`);
  for (const { id, description, recommended } of request.options) {
    terminal.out(`  ${id}  ${oneLine(description)}${recommended ? ' (recommended)' : ''}\n`);
  }
  terminal.out(`Answer with: helix decide ${request.id} <option> [--comment TEXT]\n`);
}

async function ask(request: RequestState): Promise<Answer | undefined> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const option = (
      await prompt.question(`Your choice (${request.options.map(({ id }) => id).join('/')}, empty to leave it open): `)
    ).trim();
    if (option === '') return undefined;
    const comment = (await prompt.question('Comment for the agent (may be empty): ')).trim();
    return { option, ...(comment !== '' && { comment }) };
  } finally {
    prompt.close();
  }
}

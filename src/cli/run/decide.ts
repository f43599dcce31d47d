import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import {
  type Answer,
  chosenBy,
  decisionOf,
  requestOf,
  unknownRequest,
  wholeRequestId,
} from '../../domain/ladder/answer.ts';
import { askedAbout } from '../../domain/ladder/direction.ts';
import { present } from '../../domain/present.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import { resumeRun } from '../../engine/run.ts';
import type { World } from '../../ports/world.ts';
import { hilRequest } from '../../report/ladder/hil-request.ts';
import { runDocument } from '../../report/run/run-document.ts';
import { renderJson } from '../../report/words/json.ts';
import { type Call, type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf, projectOption } from '../call/open-project.ts';
import { requireTrustOfRun } from '../call/require-trust.ts';
import { ask, renderQuestion } from '../human/answer.ts';
import { attendAll } from '../human/attend-all.ts';
import { expectedOf } from '../human/like-phases.ts';
import { accompany, WAIT_OPTION } from './accompany.ts';
import { attemptDifferences } from './attempt-differences.ts';
import { answerInFile } from './decision-file.ts';
import { editedNotice } from './edited-since.ts';
import { knownContext } from './known-context.ts';
import { lookingAt, renderBackground, renderCommands, type Subject } from './request-text.ts';

const PATIENCE_MS = 10_000;
const POLL_MS = 250;
const SHOWN = 10;

/** `helix decide` */
export const decide: Command = {
  usage: 'decide [request] [option] [--comment TEXT] [--phase ID] [--file user-decision.json]',
  about: `Answers a question of a run and goes on with it at once, unless somebody else is working on it. Without a request it
takes the only open question; an option alone answers it. Without an option it shows what failed, how the attempts differ, what the consultant says and the options, and asks for the answer on a terminal. A comment
becomes guidance for the agent, or the reason why work is accepted that a gate rejects.`,
  positionals: { min: 0, max: 2 },
  options: {
    comment: { type: 'string', value: 'TEXT', help: 'why, and what the agent should know' },
    phase: { type: 'string', value: 'ID', help: 'the phase to go back to, with an option that goes back' },
    file: { type: 'string', value: 'FILE', help: 'the answer as a user-decision.json' },
    script: { type: 'string', value: 'FILE', help: 'what the scripted agent says and does' },
    trust: { type: 'boolean', help: 'trust what the plan wants to do, and remember it' },
    wait: WAIT_OPTION,
    dir: DIR_OPTION,
    json: JSON_OPTION,
  },
  examples: [
    'helix decide',
    'helix decide A --comment "use the v2 endpoint"',
    'helix decide 20261115-1a2b3c4d-q1-5e6f70',
    'helix decide 20261115-1a2b3c4d-q1 A --comment "use the v2 endpoint"',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const { named, option } = await askedFor(call, world);
    const run = await runOf(world, named);
    await attendAll(world, call.terminal, run);
    const { state } = await readRun(world, run);
    const requestId = wholeRequestId(state, named);
    hinting(world, () => requestOf(state, requestId));
    const answer = await answerOf(call, world, { requestId, option });
    if (answer === undefined) {
      requestOf((await readRun(world, run)).state, requestId);
      return EXIT.waiting;
    }
    const given = { ...answer, request: requestId };
    // Before anything else is asked for: what cannot be taken is refused as it is.
    const decisionIn = (before: RunState) => hinting(world, () => decisionOf(before, given, world.actor));
    decisionIn(state);
    await requireTrustOfRun(world, run, call.flag('trust'));
    const { seq } = await addFact(world, run, decisionIn);
    if (await takenUp(world, run, seq)) return tellTakenUp(call, world, run);
    call.terminal.err(await editedNotice(world, state));
    try {
      return await accompany(call, world, (company) => resumeRun(world, run, company));
    } catch (error) {
      // Somebody else who answered goes on with the run already, and with this answer.
      if (error instanceof HelixError && error.code === 'run_owned') return tellTakenUp(call, world, run);
      throw error;
    }
  },
};

/** A command that an error advises must find the project from where the user is. */
function hinting<T>(world: World, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof HelixError ? hinted(error, world) : error;
  }
}

function hinted(error: HelixError, world: World): HelixError {
  if (!/: helix [^\n]+$/.test(error.hint ?? '')) return error;
  const hint = `${error.hint}${projectOption(world.project.dir)}`;
  return new HelixError(error.code, error.message, { hint, cause: error });
}

async function tellTakenUp(call: Call, world: World, run: string): Promise<number> {
  call.terminal.err('recorded; the process that works on the run takes it up\n');
  if (call.flag('json')) {
    const now = await readRun(world, run);
    call.terminal.out(renderJson(runDocument(now.state, now.owned)));
  }
  return EXIT.passed;
}

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

const REQUEST = /^(.+)-q\d+(?:-\w+)?$/;

type AskedFor = { readonly named: string; readonly option: string | undefined };

/** The question and the option that are meant: where one question is open, an option alone answers it. */
async function askedFor(call: Call, world: World): Promise<AskedFor> {
  const [first, second] = call.positionals;
  if (first === undefined) return { named: await onlyQuestion(call, world), option: undefined };
  if (second !== undefined || REQUEST.test(first)) return { named: first, option: second };
  const open = await openQuestions(call, world);
  if (open.length === 0) throw hinted(unknownRequest(first), world);
  const isOption = open.some(({ request }) => chosenBy(request, first) !== undefined);
  if (open.length > 1 && isOption) return { named: await onlyQuestion(call, world), option: first };
  const [only] = open;
  if (only !== undefined && isOption) return { named: only.request.id, option: first };
  const options = open.length === 1 ? ` Options: ${only?.request.options.map(({ id }) => id).join(', ')}` : '';
  throw new HelixError('not_found', `there is neither a question nor an option ${JSON.stringify(first)}`, {
    hint: `See what waits for you: helix inbox${projectOption(world.project.dir)}.${options}`,
  });
}

async function openQuestions({ terminal }: Call, world: World) {
  await attendAll(world, terminal);
  const journal = world.hasJournal() ? await world.journal() : undefined;
  return (await journal?.questions(SHOWN)) ?? [];
}

/** The question that is meant where none is named. */
async function onlyQuestion(call: Call, world: World): Promise<string> {
  const open = await openQuestions(call, world);
  const [only] = open;
  if (only !== undefined && open.length === 1) return only.request.id;
  const at = projectOption(world.project.dir);
  const names = open.map(({ request }) => `helix decide ${request.id}${at}`).join(', ');
  throw only === undefined
    ? new HelixError('usage', 'nothing waits for you', { hint: `See the runs: helix list${at}` })
    : new HelixError('usage', `${open.length === SHOWN ? 'many' : open.length} questions are open; say which`, {
        hint: names,
      });
}

async function runOf(world: World, request: string): Promise<string> {
  const run = REQUEST.exec(request)?.[1];
  if (run === undefined) throw hinted(unknownRequest(request), world);
  return pickRun(world, run);
}

async function answerOf(
  call: Call,
  world: World,
  { requestId, option }: { readonly requestId: string; readonly option: string | undefined },
): Promise<Answer | undefined> {
  const open = await readRun(world, await runOf(world, requestId));
  const { state } = open;
  const request = requestOf(state, requestId);
  const file = call.text('file');
  if (file !== undefined) {
    const beside =
      option === undefined ? ['comment', 'phase'].find((name) => call.text(name) !== undefined) : 'an option';
    if (beside === undefined) return answerInFile(file, { world, state, request });
    throw new HelixError('usage', `with --file the whole answer stands in the file; ${beside} is too much`);
  }
  const comment = call.text('comment');
  const phase = call.text('phase');
  if (option !== undefined) {
    return { option, ...present({ comment, phase }) };
  }
  if (comment !== undefined || phase !== undefined) {
    throw new HelixError('usage', 'a comment or a phase goes with an option', {
      hint: `Options: ${request.options.map(({ id }) => id).join(', ')}`,
    });
  }
  const context = await knownContext(world, open, request);
  if (call.flag('json')) {
    call.terminal.out(renderJson(hilRequest(state, request, open.events, context)));
    return undefined;
  }
  const differences = await attemptDifferences(world, open, askedAbout(request, state));
  const expect = await expectedOf(request, state, world);
  const subject = { ...open, request, differences, ...present({ context, expect }) };
  if (call.terminal.attended) return askUntilAnswered(call, world, subject);
  show(call, world, subject);
  return undefined;
}

/** Asks at the keyboard until the answer is given here or elsewhere. */
async function askUntilAnswered(call: Call, world: World, subject: Subject): Promise<Answer | undefined> {
  const { err, columns, paint } = call.terminal;
  const over = new AbortController();
  const answered = new AbortController();
  const watching = untilAnswered(world, subject.request.id, over.signal).then((by) => by && answered.abort());
  const view = { now: world.clock.now(), at: projectOption(world.project.dir), width: columns(), paint };
  for (const line of renderBackground(subject, view)) err(`${line}\n`);
  const more = lookingAt(subject, async () => subject.differences, view);
  try {
    return await ask({ ...subject, more }, { say: (text) => err(`${text}\n`), prompt: err, columns }, answered.signal);
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

function show({ terminal }: Call, world: World, subject: Subject): void {
  const width = terminal.columns();
  const view = { now: world.clock.now(), at: projectOption(world.project.dir), width, paint: terminal.paintOut };
  const lines = [
    ...renderBackground(subject, view),
    ...renderQuestion(subject.request, width, subject.state),
    '',
    ...renderCommands(subject, view),
  ];
  terminal.out(`${lines.join('\n')}\n`);
}

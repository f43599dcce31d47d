import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { type Answer, decisionOf, requestOf, unknownRequest, wholeRequestId } from '../../domain/ladder/answer.ts';
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
takes the only open question. Without an option it shows what failed, how the attempts differ, what the consultant says and the options, and asks for the answer on a terminal. A comment
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
    'helix decide 20261115-1a2b3c4d-q1-5e6f70',
    'helix decide 20261115-1a2b3c4d-q1 A --comment "use the v2 endpoint"',
  ],
  run: async (call) => {
    const world = openWorldOf(call);
    const named = call.positionals[0] ?? (await onlyQuestion(call, world));
    const run = await runOf(world, named);
    await attendAll(world, call.terminal, run);
    const { state } = await readRun(world, run);
    const requestId = wholeRequestId(state, named);
    hinting(world, () => requestOf(state, requestId));
    const answer = await answerOf(call, world, requestId);
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
    if (!(error instanceof HelixError) || !/: helix [^\n]+$/.test(error.hint ?? '')) throw error;
    const hint = `${error.hint}${projectOption(world.project.dir)}`;
    throw new HelixError(error.code, error.message, { hint, cause: error });
  }
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

/** The question that is meant where none is named. */
async function onlyQuestion({ terminal }: Call, world: World): Promise<string> {
  await attendAll(world, terminal);
  const journal = world.hasJournal() ? await world.journal() : undefined;
  const open = (await journal?.questions(SHOWN)) ?? [];
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
  const run = /^(.+)-q\d+(?:-\w+)?$/.exec(request)?.[1];
  if (run === undefined) throw unknownRequest(request);
  return pickRun(world, run);
}

async function answerOf(call: Call, world: World, requestId: string): Promise<Answer | undefined> {
  const open = await readRun(world, await runOf(world, requestId));
  const { state } = open;
  const request = requestOf(state, requestId);
  const file = call.text('file');
  const [, option] = call.positionals;
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
  const differences = await attemptDifferences(world, open, request.phase);
  const subject = { ...open, request, differences, ...present({ context }) };
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

import { type ChildProcess, spawn } from 'node:child_process';
import type { DetachedDocument } from '../../domain/documents/documents.ts';
import type { World } from '../../ports/world.ts';
import { renderJson } from '../../report/words/json.ts';
import type { Call, Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { projectOption } from '../call/open-project.ts';
import { type DetachedLog, openDetachedLog } from './detached-log.ts';

/** `--detach` of every command that carries a run. */
export const DETACH_OPTION = {
  type: 'boolean',
  help: 'let a background process carry the run, and return as soon as it does',
} as const;

const POLL_MS = 50;
/** What the background process is told by other means, or must not be told again. */
const LEFT_OUT: ReadonlySet<string> = new Set(['detach', 'wait', 'json', 'trust', 'yes']);

type Work = {
  readonly command: Command;
  /** The run to be resumed; a new one otherwise. */
  readonly run?: string;
  /** What stands in the place of the words it was called with, where those say it only once. */
  readonly words?: readonly string[];
};

/** Lets a process without a terminal do what was asked for; whatever it refuses to do is told here. */
export async function detach(call: Call, world: World, work: Work): Promise<number> {
  const begun = await lookout(world, work.run);
  const log = openDetachedLog(world.project.dir, work.run);
  try {
    const child = start(wordsOf(call, work), log);
    const end = await untilBegun(child, {
      begun,
      pause: () => world.clock.sleep(POLL_MS),
      say: (ended) => (ended || !call.flag('json')) && call.terminal.err(log.news()),
    });
    if ('code' in end) {
      log.drop();
      if (end.why !== undefined) call.terminal.err(`helix: the background process ${end.why}\n`);
      return end.code;
    }
    child.unref();
    const detached = { run: end.run, pid: child.pid ?? 0, log: log.keep(end.run) };
    tell(call, world, { schema: 'helix.detached/1', ...detached });
    return EXIT.passed;
  } finally {
    log.close();
  }
}

/** The same command in words: as checked, not as typed, so that none is taken for another. */
function wordsOf(call: Call, { command, run, words = call.positionals }: Work): string[] {
  const options = Object.entries(command.options).flatMap(([name, { type }]) => {
    // What taken over work starts is only found when the run begins.
    const isTold = name === 'trust' && call.flag('trust') && (call.text('from') !== undefined || call.flag('again'));
    if (LEFT_OUT.has(name) && !isTold) return [];
    const said = call.choice(name);
    if (type === 'boolean') return said === undefined ? [] : [said ? `--${name}` : `--no-${name}`];
    return call.texts(name).map((text) => `--${name}=${text}`);
  });
  const [name = ''] = command.usage.split(' ');
  const wait = call.choice('wait') === false ? '--no-wait' : '--wait';
  return [name, ...options, wait, '--', ...(run === undefined ? words : [run])];
}

/** In a session of its own, so that the terminal takes nothing with it when it closes. */
function start(words: readonly string[], log: DetachedLog): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    detached: true,
    stdio: ['ignore', log.handle, log.handle],
  });
}

type Lookout = (pid: number) => Promise<string | undefined>;

/** Tells from the journal which run a process has started or taken up since. */
async function lookout(world: World, run: string | undefined): Promise<Lookout> {
  // Opened before there is a second process, so that the two do not make it at the same time.
  const journal = await world.journal();
  const before = new Set((await journal.list()).map((row) => row.run));
  const seq = run === undefined ? 0 : await journal.headSeq(run);
  return async (pid) => {
    const news = run === undefined ? (await journal.list()).filter((row) => !before.has(row.run)) : [{ run }];
    for (const row of news) {
      const events = await journal.read(row.run, seq);
      const isBy = events.some(
        ({ type, data }) => (type === 'run_started' || type === 'run_resumed') && data.owner.pid === pid,
      );
      if (isBy) return row.run;
    }
    return undefined;
  };
}

type End = { readonly run: string } | { readonly code: number; readonly why?: string };
type Watch = { begun: Lookout; pause: () => Promise<void>; say: (ended: boolean) => void };

/** Resolves when the process carries a run, or has ended without one; Ctrl-C is passed on to it. */
async function untilBegun(child: ChildProcess, { begun, pause, say }: Watch): Promise<End> {
  let ended: Extract<End, { code: number }> | undefined;
  let stopped = false;
  child.once('error', ({ message }) => (ended = { code: EXIT.failed, why: `did not start: ${message}` }));
  child.once('exit', (code, signal) => {
    ended = code === null ? { code: EXIT.failed, why: `was ended by ${signal}` } : { code };
  });
  const onSignal = () => {
    stopped = true;
    child.kill('SIGINT');
  };
  process.on('SIGINT', onSignal);
  try {
    for (;;) {
      // Remembered first: what it did before its end is in the journal by now.
      const end = ended;
      const run = stopped ? undefined : await begun(child.pid ?? 0);
      say(end !== undefined);
      if (run !== undefined) return { run };
      if (end !== undefined) return stopped ? { code: EXIT.interrupted } : end;
      await pause();
    }
  } finally {
    process.off('SIGINT', onSignal);
  }
}

function tell(call: Call, world: World, detached: DetachedDocument): void {
  const { terminal } = call;
  if (call.flag('json')) {
    terminal.out(renderJson(detached));
    return;
  }
  const { run, pid, log } = detached;
  const at = projectOption(world.project.dir);
  const ways = [
    [`helix status ${run} --watch${at}`, 'where it stands'],
    [`helix logs ${run} -f${at}`, 'what happens'],
    [`helix inbox${at}`, 'what it asks; helix decide answers'],
    [`helix cancel ${run}${at}`, 'stops it for good'],
  ] as const;
  const width = Math.max(...ways.map(([way]) => way.length)) + 2;
  terminal.err(`run ${run} goes on in the background, as process ${pid}:\n`);
  for (const [way, what] of ways) terminal.err(`  ${way.padEnd(width)}${what}\n`);
  terminal.err(`its log: ${log}\n`);
  terminal.out(`${run}\n`);
}

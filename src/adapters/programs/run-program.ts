import { Writable } from 'node:stream';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { ProcessEnd, ProcessSpec } from '../../ports/processes.ts';
import { confinedEnd } from './confined-end.ts';
import { limitedEnd, watchGroup } from './limited-end.ts';
import type { MarkerUse } from './marker-use.ts';
import { allGone, endProcesses, leftBy, signalFollowers, signalGroup } from './process-tree.ts';
import { cancelled, type Ending, watchLimits } from './program-limits.ts';
import { collectOutput, type ProgramOutput } from './program-output.ts';
import { type Program, spawnProgram } from './spawn-program.ts';

const LEFTOVER_GRACE_MS = 1000;
const DEATH_MS = 2000;
const CLOSE_MS = 200;

/** What all programs of one HELIX share. */
export type Surroundings = { readonly graceMs: number; readonly markers: MarkerUse };

/** Runs a program to its end and ends whatever it left behind; rejects only with what `onLine` threw. */
export async function runProgram(spec: ProcessSpec, around: Surroundings): Promise<ProcessEnd> {
  const since = performance.now();
  const output = collectOutput(spec);
  const release = around.markers.claim(spec.marker);
  try {
    const ending = await startAndFollow(spec, output, { ...around, release });
    const tail = output.tail();
    return {
      ...(spec.confine === undefined
        ? ending
        : confinedEnd(ending, { argv: spec.argv, limits: spec.confine.limits, tail })),
      tail,
      stdout: output.stdout(),
      stdoutBytes: output.stdoutBytes(),
      durationMs: Math.round(performance.now() - since),
    };
  } finally {
    release();
  }
}

type Claimed = Surroundings & { readonly release: () => void };

async function startAndFollow(spec: ProcessSpec, output: ProgramOutput, around: Claimed): Promise<Ending> {
  if (spec.signal?.aborted) return cancelled(spec.signal);
  const stdio: ('ignore' | 'pipe')[] = [
    spec.stdin === undefined && spec.talk === undefined ? 'ignore' : 'pipe',
    'pipe',
    'pipe',
  ];
  if (spec.secret !== undefined) stdio.push('pipe');
  const program = await spawnProgram(spec, stdio);
  if ('ended' in program) return program;
  try {
    return limitedEnd(await follow(program, { spec, output, around }), { group: program.group, confine: spec.confine });
  } finally {
    await program.group?.remove();
  }
}

type Followed = { readonly spec: ProcessSpec; readonly output: ProgramOutput; readonly around: Claimed };

async function follow(program: Program, { spec, output, around }: Followed): Promise<Ending> {
  const { stopped, unwatch } = watch(program, spec, output);
  try {
    await Promise.race([stopped, program.exited]);
  } finally {
    unwatch();
    await endLeader(program, around.graceMs, spec.confine !== undefined);
    around.release();
    await endLeftovers(program, spec, around);
    await drain(program);
  }
  // Asked again, because the last words of a program may have been too many.
  const ending = await Promise.race([stopped, program.exited]);
  output.end();
  return ending;
}

type Watch = { readonly stopped: Promise<Ending>; readonly unwatch: () => void };

/** Feeds the program and listens to it; `stopped` resolves when it must not go on and rejects when the listener failed. */
function watch(program: Program, spec: ProcessSpec, output: ProgramOutput): Watch {
  const { stdin, stdout, stderr } = program.child;
  const { promise: stopped, resolve: stop, reject: fail } = Promise.withResolvers<Ending>();
  const limits = watchLimits(spec, stop);
  const unwatchGroup = watchGroup({ group: program.group, confine: spec.confine }, stop);
  const listenTo = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    limits.sawOutput();
    try {
      if (output.write(stream, chunk)) return;
      stop({ ended: 'output_limit', message: `more than ${output.limit} bytes of output` });
    } catch (error) {
      fail(error);
    }
    closePipes(program);
  };
  stdout?.on('data', listenTo('stdout')).on('error', ignore);
  stderr?.on('data', listenTo('stderr')).on('error', ignore);
  stdin?.on('error', ignore);
  if (spec.talk === undefined) stdin?.end(spec.stdin);
  else spec.talk({ send: (line) => void stdin?.write(`${line}\n`), end: () => void stdin?.end() });
  const aside = program.child.stdio[3];
  if (aside instanceof Writable) aside.on('error', ignore).end(spec.secret);
  return {
    stopped,
    unwatch() {
      limits.release();
      unwatchGroup();
    },
  };
}

/** A broken pipe only says that a program does not read or write any more, which is its own business. */
function ignore(): void {}

async function endLeader({ child, exited }: Program, graceMs: number, isWalled: boolean): Promise<void> {
  for (const [signal, ms] of [['SIGTERM', graceMs] as const, ['SIGKILL', DEATH_MS] as const]) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    // With its walls a program would be gone at once, and could not end politely.
    if (isWalled && signal === 'SIGTERM') await signalFollowers(child.pid, signal);
    else signalGroup(child.pid, signal);
    await within(exited, ms);
  }
}

async function endLeftovers({ child }: Program, { marker, confine }: ProcessSpec, around: Surroundings): Promise<void> {
  if (child.pid === undefined) return;
  const isStray = (row: { marker: string | undefined }) => row.marker === marker && around.markers.isFree(marker);
  const left = leftBy(child.pid, isStray);
  // With its walls falls everything behind them, by the kernel's hand: that only takes a moment.
  if (confine !== undefined && (await allGone(left, DEATH_MS))) return;
  await endProcesses(left, Math.min(around.graceMs, LEFTOVER_GRACE_MS));
}

async function drain(program: Program): Promise<void> {
  await within(program.closed, CLOSE_MS);
  // On a busy machine that time is over before anybody has looked: one turn of the loop reads what lies in the pipes.
  await aTurn();
  closePipes(program);
  program.child.unref();
}

function closePipes({ child }: Program): void {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
}

async function within(event: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const handle = setTimeout(resolve, ms);
  await Promise.race([event, late]);
  clearTimeout(handle);
}

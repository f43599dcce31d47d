import { Writable } from 'node:stream';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { ProcessEnd, ProcessSpec } from '../../ports/processes.ts';
import { confinedEnd } from './confined-end.ts';
import { limitedEnd, watchGroup } from './limited-end.ts';
import type { MarkerUse } from './marker-use.ts';
import { OutputFiles } from './output-files.ts';
import { allGone, endProcesses, leftBy, signalFollowers, signalGroup } from './process-tree.ts';
import { cancelled, type Ending, watchLimits } from './program-limits.ts';
import { collectOutput, OUTPUT_BYTES, type ProgramOutput } from './program-output.ts';
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
  const files = spec.lastWords === true && hasRoom(spec) ? openFiles() : undefined;
  if (files !== undefined && 'ended' in files) return files;
  try {
    return await startOn(files, { spec, output, around });
  } finally {
    files?.close();
  }
}

/** A limit on the size of files is not meant for what a program prints. */
function hasRoom({ confine, outputBytes = OUTPUT_BYTES }: ProcessSpec): boolean {
  const size = confine?.limits?.file_size ?? 'unlimited';
  return size === 'unlimited' || size > 2 * outputBytes;
}

function openFiles(): OutputFiles | Ending {
  try {
    return new OutputFiles();
  } catch (error) {
    return { ended: 'spawn', message: `what it prints cannot be kept: ${(error as Error).message}` };
  }
}

type Running = { readonly spec: ProcessSpec; readonly output: ProgramOutput; readonly around: Claimed };

async function startOn(files: OutputFiles | undefined, { spec, output, around }: Running): Promise<Ending> {
  const stdio: ('ignore' | 'pipe' | number)[] = [
    spec.stdin === undefined && spec.talk === undefined ? 'ignore' : 'pipe',
    files?.stdout ?? 'pipe',
    files?.stderr ?? 'pipe',
  ];
  if (spec.secret !== undefined) stdio.push('pipe');
  const program = await spawnProgram(spec, stdio);
  if ('ended' in program) return program;
  try {
    const end = await follow(program, { spec, output, around, files });
    return limitedEnd(end, { group: program.group, confine: spec.confine });
  } finally {
    await program.group?.remove();
  }
}

type Followed = Running & { readonly files: OutputFiles | undefined };

async function follow(program: Program, { spec, output, around, files }: Followed): Promise<Ending> {
  const { stopped, unwatch, look } = watch(program, { spec, output, files });
  try {
    await Promise.race([stopped, program.exited]);
  } finally {
    unwatch();
    await endLeader(program, around.graceMs, spec.confine !== undefined);
    around.release();
    await endLeftovers(program, spec, around);
    await drain(program);
    look();
  }
  // Asked again, because the last words of a program may have been too many.
  const ending = await Promise.race([stopped, program.exited]);
  output.end();
  return ending;
}

type Watch = {
  readonly stopped: Promise<Ending>;
  readonly unwatch: () => void;
  /** Takes what was printed last. */
  readonly look: () => void;
};

/** Feeds the program and listens to it; `stopped` resolves when it must not go on and rejects when the listener failed. */
function watch(program: Program, { spec, output, files }: Omit<Followed, 'around'>): Watch {
  const { stdin, stdout, stderr } = program.child;
  const { promise: stopped, resolve: stop, reject: fail } = Promise.withResolvers<Ending>();
  const limits = watchLimits(spec, stop);
  const unwatchGroup = watchGroup({ group: program.group, confine: spec.confine }, stop);
  const hear = (stream: 'stdout' | 'stderr', chunk: Buffer): boolean => {
    limits.sawOutput();
    try {
      if (output.write(stream, chunk)) return true;
      stop({ ended: 'output_limit', message: `more than ${output.limit} bytes of output` });
    } catch (error) {
      fail(error);
    }
    closePipes(program);
    return false;
  };
  stdout?.on('data', (chunk: Buffer) => hear('stdout', chunk)).on('error', ignore);
  stderr?.on('data', (chunk: Buffer) => hear('stderr', chunk)).on('error', ignore);
  files?.listen(hear);
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
    look: () => files?.look(hear),
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

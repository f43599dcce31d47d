import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import type { World } from '../ports.ts';
import { renderEvent } from '../report/event-text.ts';
import { renderTime } from '../report/time.ts';
import { transcriptWords } from '../text/agent-words/transcript-words.ts';
import { suggestion } from '../text/did-you-mean.ts';
import type { Call, Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { pickRun, readRun } from './find-run.ts';
import { DIR_OPTION, openWorldOf } from './open-project.ts';

const POLL_MS = 250;

/** `helix logs` */
export const logs: Command = {
  usage: 'logs [run] [phase] [-f]',
  about: 'What happened in a run, fact by fact; with a phase, what its agents said, attempt by attempt.',
  positionals: { min: 0, max: 2 },
  options: { follow: { type: 'boolean', short: 'f', help: 'go on until the run stops' }, dir: DIR_OPTION },
  examples: ['helix logs', 'helix logs -f', 'helix logs 20261115-1a2b3c4d 02-writer'],
  run: async (call) => {
    const world = openWorldOf(call);
    const id = await pickRun(world, call.positionals[0]);
    const phase = call.positionals[1];
    if (phase === undefined) await facts(call, world, id);
    else await transcripts(call, world, { id, phase });
    return EXIT.passed;
  },
};

async function facts(call: Call, world: World, id: string): Promise<void> {
  const journal = await world.journal();
  let seq = 0;
  const { state } = await readRun(world, id);
  for (;;) {
    const owned = (await journal.owner(id)) !== undefined;
    const events = await journal.read(id, seq);
    for (const event of events) call.terminal.out(`${renderTime(event.at)}  ${renderEvent(event, state.plan)}\n`);
    seq = events.at(-1)?.seq ?? seq;
    if (!call.flag('follow') || !owned || call.terminal.lost() !== undefined) return;
    await world.clock.sleep(POLL_MS);
  }
}

async function transcripts(call: Call, world: World, { id, phase }: { id: string; phase: string }): Promise<void> {
  const { state } = await readRun(world, id);
  if (!state.phases.has(phase)) {
    throw new HelixError('not_found', `the plan has no phase ${phase}`, {
      hint: suggestion(phase, [...state.phases.keys()]),
    });
  }
  const dir = join(world.project.dir, '.helix', 'runs', id, 'phases', phase, 'logs');
  const read = new Map<string, number>();
  for (;;) {
    const owned = (await (await world.journal()).owner(id)) !== undefined;
    for (const file of transcriptFiles(dir)) read.set(file, await printFrom(call, file, read.get(file) ?? 0));
    if (!call.flag('follow') || !owned || call.terminal.lost() !== undefined) return;
    await world.clock.sleep(POLL_MS);
  }
}

function transcriptFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((attempt) => join(dir, attempt, 'transcript.jsonl'))
    .filter(existsSync);
}

/** Prints what a transcript holds beyond `position`, whole lines only, in pieces of bounded size. */
async function printFrom(call: Call, file: string, position: number): Promise<number> {
  const handle = await open(file);
  try {
    let at = position;
    if (at === 0) call.terminal.out(`${call.terminal.paintOut('strong', `── ${file.split('/').at(-2)}`)}\n`);
    const piece = Buffer.alloc(256 * 1024);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      const end = piece.subarray(0, bytesRead).lastIndexOf(10) + 1 || (bytesRead === piece.length ? bytesRead : 0);
      if (end === 0) return at;
      for (const line of piece.subarray(0, end).toString('utf8').trimEnd().split('\n')) {
        const words = transcriptWords(line);
        if (words !== undefined) call.terminal.out(`${words}\n`);
      }
      at += end;
    }
  } finally {
    await handle.close();
  }
}

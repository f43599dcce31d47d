import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { World } from '../../ports/world.ts';
import { renderEvent } from '../../report/run/event-text.ts';
import { renderTime } from '../../report/words/time.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import type { Call, Command } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import { DIR_OPTION, openWorldOf } from '../call/open-project.ts';
import { seenFromWork } from './agent-words.ts';
import { TranscriptReader } from './transcript-reader.ts';

const POLL_MS = 250;

/** `helix logs` */
export const logs: Command = {
  usage: 'logs [run] [phase] [-f]',
  about: `What happened in a run, fact by fact; with a phase, what its agents said and did, attempt by attempt. With -f also what
agents say and do right now.`,
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
  const talk = call.flag('follow') ? new Talk(call, world, state) : undefined;
  for (;;) {
    const owned = (await journal.owner(id)) !== undefined;
    const events = await journal.read(id, seq);
    for (const event of events) call.terminal.out(`${renderTime(event.at)}  ${renderEvent(event, state.plan)}\n`);
    seq = events.at(-1)?.seq ?? seq;
    await talk?.listen();
    if (!call.flag('follow') || !owned || call.terminal.lost() !== undefined) return;
    await world.clock.sleep(POLL_MS);
  }
}

/** What the agents of a run say and do from now on, and before that in the attempts that are under way. */
class Talk {
  readonly #call: Call;
  readonly #speaker: { readonly project: string; readonly run: string };
  readonly #readers = new Map<string, TranscriptReader>();
  readonly #places: readonly { phase: string; dir: string }[];

  constructor(call: Call, world: World, { run, phases }: RunState) {
    this.#call = call;
    this.#speaker = { project: world.project.dir, run };
    this.#places = [...phases.keys()].map((phase) => ({ phase, dir: logsOf(world, { id: run, phase }) }));
    for (const { phase, dir } of this.#places) {
      const open = phases.get(phase)?.current?.stage === 'open';
      const files = transcriptFiles(dir);
      for (const [index, file] of files.entries()) {
        const from = open && index === files.length - 1 ? 0 : statSync(file).size;
        this.#readers.set(file, this.#reader(phase, file, from));
      }
    }
  }

  async listen(): Promise<void> {
    for (const { phase, dir } of this.#places) {
      for (const file of transcriptFiles(dir)) {
        const reader = this.#readers.get(file) ?? this.#reader(phase, file, 0);
        this.#readers.set(file, reader);
        await reader.read();
      }
    }
  }

  #reader(phase: string, file: string, from: number): TranscriptReader {
    const { terminal } = this.#call;
    const say = (words: string) => {
      for (const line of seenFromWork(words, { ...this.#speaker, phase }).split('\n'))
        terminal.out(`${terminal.paintOut('dim', `${phase}  ${line}`)}\n`);
    };
    return new TranscriptReader(file, say, from);
  }
}

async function transcripts(call: Call, world: World, { id, phase }: { id: string; phase: string }): Promise<void> {
  const { state } = await readRun(world, id);
  if (!state.phases.has(phase)) {
    throw new HelixError('not_found', `the plan has no phase ${phase}`, {
      hint: suggestion(phase, [...state.phases.keys()]),
    });
  }
  const { terminal } = call;
  const readers = new Map<string, TranscriptReader>();
  for (;;) {
    const owned = (await (await world.journal()).owner(id)) !== undefined;
    for (const file of transcriptFiles(logsOf(world, { id, phase }))) {
      if (!readers.has(file)) {
        terminal.out(`${terminal.paintOut('strong', `── ${file.split('/').at(-2)}`)}\n`);
        const say = (words: string) =>
          terminal.out(`${seenFromWork(words, { project: world.project.dir, run: id, phase })}\n`);
        readers.set(file, new TranscriptReader(file, say));
      }
      await readers.get(file)?.read();
    }
    if (!call.flag('follow') || !owned || terminal.lost() !== undefined) return;
    await world.clock.sleep(POLL_MS);
  }
}

function logsOf({ project }: World, { id, phase }: { id: string; phase: string }): string {
  return join(project.dir, '.helix', 'runs', id, 'phases', phase, 'logs');
}

function transcriptFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((attempt) => join(dir, attempt, 'transcript.jsonl'))
    .filter(existsSync);
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { World } from '../../ports/world.ts';
import { type AttemptRecord, attemptHistory } from '../../report/run/attempts.ts';
import { renderEvent } from '../../report/run/event-text.ts';
import { renderJudgement } from '../../report/run/judgement-text.ts';
import { renderFindings } from '../../report/words/findings-text.ts';
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
  about: `What happened in a run, fact by fact, with what was found; with a phase, what its agents said and did and what gates said of
it, attempt by attempt. With -f also what agents say and do right now.`,
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
    for (const event of events) {
      call.terminal.out(`${renderTime(event.at)}  ${renderEvent(event, state.plan)}\n`);
      if (event.type === 'attempt_judged') call.terminal.out(foundBy(event.data.verdicts, call));
    }
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
  const speaker = { project: world.project.dir, run: id, phase };
  const readers = new Map<string, TranscriptReader>();
  const judged = new Set<string>();
  for (;;) {
    const journal = await world.journal();
    const owned = (await journal.owner(id)) !== undefined;
    const attempts = attemptHistory(await journal.read(id)).get(phase) ?? [];
    for (const folder of attemptFolders(logsOf(world, { id, phase }))) {
      const file = join(folder, 'transcript.jsonl');
      if (!readers.has(file)) {
        terminal.out(`${terminal.paintOut('strong', `── ${basename(folder)}`)}\n`);
        readers.set(file, new TranscriptReader(file, (words) => terminal.out(`${seenFromWork(words, speaker)}\n`)));
      }
      if (existsSync(file)) await readers.get(file)?.read();
      const verdicts = verdictsOn(folder, attempts);
      if (verdicts === undefined || judged.has(folder)) continue;
      judged.add(folder);
      terminal.out(renderJudgement({ verdicts, unasked: [] }, terminal.paintOut));
    }
    if (!call.flag('follow') || !owned || terminal.lost() !== undefined) return;
    await world.clock.sleep(POLL_MS);
  }
}

/** What gates said of the attempt whose logs lie in a folder, once they have. */
function verdictsOn(folder: string, attempts: readonly AttemptRecord[]): AttemptRecord['verdicts'] {
  const number = Number(/^attempt-(\d+)$/.exec(basename(folder))?.[1]);
  return attempts.findLast(({ attempt }) => attempt === number)?.verdicts;
}

/** The findings of a judgement below the line that tells of it. */
function foundBy(verdicts: readonly Verdict[], { terminal }: Call): string {
  const findings = verdicts.flatMap((verdict) => verdict.findings);
  if (findings.length === 0) return '';
  const lines = renderFindings(findings, { paint: terminal.paintOut }).split('\n');
  return lines.map((line) => `    ${line}\n`).join('');
}

function logsOf({ project }: World, { id, phase }: { id: string; phase: string }): string {
  return join(project.dir, '.helix', 'runs', id, 'phases', phase, 'logs');
}

function transcriptFiles(dir: string): string[] {
  return attemptFolders(dir)
    .map((folder) => join(folder, 'transcript.jsonl'))
    .filter(existsSync);
}

function attemptFolders(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.map((attempt) => join(dir, attempt));
}

import type { RunState } from '../../domain/facts/run-state.ts';
import type { EnginePorts, Watchers } from '../step/engine-ports.ts';
import type { Recorder } from '../step/recorder.ts';
import { Attendant, type AttendPorts, waitingIn } from './attend.ts';
import type { Messenger } from './messenger.ts';

/** How long a run that has nothing else to do stays until people have been told of its questions. */
const PATIENCE_MS = 5000;

type Parts = {
  readonly ports: Pick<EnginePorts, 'clock' | 'files' | 'workspace' | 'journal'>;
  readonly recorder: Recorder;
  readonly watchers: Watchers;
  /** Who acts, as far as it is a human. */
  readonly actor: string;
  /** The way to people elsewhere, opened when there is something to tell them. */
  readonly messenger: (state: RunState) => Promise<Messenger | undefined>;
};

/** Looks after the open questions of the run that is worked on, at hand and from afar. */
export class RunAttendant {
  readonly #parts: Parts;
  readonly #attendant: Attendant;
  #messenger: Messenger | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#attendant = new Attendant(portsOf(parts));
  }

  /** Takes up answers and deadlines that nobody brings by himself; true when that changed the run. */
  async look(): Promise<boolean> {
    const { recorder, messenger } = this.#parts;
    const { state } = recorder;
    const rows = waitingIn(state);
    if (rows.length === 0 && this.#messenger === undefined) return false;
    this.#messenger ??= await messenger(state);
    await this.#hear((await this.#messenger?.look(state)) ?? []);
    await this.#attendant.look(rows);
    return recorder.state.seq > state.seq;
  }

  /** Lets people be told who have not been yet, and takes what they say; true when that decided something. */
  async close(patienceMs = PATIENCE_MS): Promise<boolean> {
    const messenger = this.#messenger;
    this.#messenger = undefined;
    const heard = (await messenger?.close(patienceMs)) ?? [];
    return patienceMs > 0 && (await this.#hear(heard));
  }

  async #hear(heard: Awaited<ReturnType<Messenger['look']>>): Promise<boolean> {
    const { run } = this.#parts.recorder.state;
    let decided = false;
    for (const { actor, ...answer } of heard) {
      decided = (await this.#attendant.take(run, answer, actor)) !== undefined || decided;
    }
    return decided;
  }
}

function portsOf({ ports, recorder, watchers, actor }: Parts): AttendPorts {
  return {
    now: () => ports.clock.now(),
    writtenAt: (_run, path) => ports.files.writtenAt(path),
    read: (_run, path, limit) => ports.files.read(path, limit),
    state: async () => recorder.state,
    tree: (_state, id) => ports.workspace.tree(id),
    journal: async () => ports.journal,
    record: (_run, make) => recorder.inThatState(make),
    actor,
    notice: (text) => watchers.onNotice?.(text),
  };
}

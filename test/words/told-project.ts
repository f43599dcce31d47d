import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { openRequests, type RunState } from '../../src/domain/facts/run-state.ts';
import { type Answer, decisionOf } from '../../src/domain/ladder/answer.ts';
import { addFact } from '../../src/engine/ladder/add-fact.ts';
import { resumeRun } from '../../src/engine/run.ts';
import { GATES } from '../../src/gates/registry.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { World } from '../../src/ports/world.ts';
import { FAST, Stage } from '../run-scenario.ts';
import { listening, type Sent } from './listening.ts';

/** What a project is made of. */
export type ToldParts = {
  readonly phases: readonly Record<string, unknown>[];
  /** Beside `phases`, what the plan says. */
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly script?: Readonly<Record<string, readonly unknown[]>>;
  readonly roles?: Readonly<Record<string, readonly unknown[]>>;
  readonly approvals?: Readonly<Record<string, readonly unknown[]>>;
  /** Files beside the plan, by path; those below repository/ become its first commit. */
  readonly files?: Readonly<Record<string, string>>;
  /** Beside the scripted agent, what helix.yaml says. */
  readonly settings?: Readonly<Record<string, unknown>>;
};

const made: ToldProject[] = [];
afterAll(() => {
  for (const project of made) project.dispose();
});

const SETTINGS = { agents: { default: { driver: 'scripted' } }, allow_simulated: true };
const COMPANY = { gates: GATES, stop: new AbortController().signal, wait: false };

/** A project of scripted agents, played in this process, of which a test reads what everybody was really told. */
export class ToldProject {
  readonly #stage: Stage;
  readonly #world: World;
  /** What every agent was really sent so far. */
  readonly sent: Sent[] = [];
  #run = '';

  constructor({ phases, plan = {}, script = {}, roles = {}, approvals = {}, files = {}, settings = {} }: ToldParts) {
    const source = mkdtempSync(join(FAST, 'helix-told-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), text);
    };
    write('phases.yaml', JSON.stringify({ project: { name: 'told' }, workspace: 'phase-dirs', ...plan, phases }));
    write('helix.yaml', JSON.stringify({ ...SETTINGS, ...settings }));
    write('scripted.yaml', JSON.stringify({ phases: script, roles, approvals }));
    for (const [path, text] of Object.entries(files)) write(path, text);
    this.#stage = Stage.at(source);
    if (existsSync(join(source, 'repository'))) this.#stage.makeRepository();
    this.#world = listening(this.#stage.world(), this.sent);
    made.push(this);
  }

  get dir(): string {
    return this.#stage.dir;
  }

  get run(): string {
    return this.#run;
  }

  /** Starts a run, as far as it goes by itself. */
  async start(): Promise<RunState> {
    const state = await this.#stage.start(this.#world);
    this.#run = state.run;
    return state;
  }

  /** Starts a run whose process dies when an attempt has just begun: nothing it does from then on is kept. */
  async startAndDie(phase: string, attempt: number): Promise<void> {
    const world = listening(
      this.#stage.world((journal) => dyingIn(journal, phase, attempt)),
      this.sent,
    );
    await this.#stage.start(world).catch(() => undefined);
    world.close();
    const [row] = await (await this.#world.journal()).list();
    this.#run = row?.run ?? '';
  }

  /** Goes on with the run, in a world that remembers nothing of what was before. */
  async resume(): Promise<RunState> {
    const world = listening(this.#stage.world(), this.sent);
    try {
      return await resumeRun(world, this.#run, COMPANY);
    } finally {
      world.close();
    }
  }

  /** Goes on with the plan as it lies there now. */
  async replan(): Promise<RunState> {
    return resumeRun(this.#world, this.#run, { ...COMPANY, replan: await this.#stage.prepare(this.#world) });
  }

  /** Answers the open question, and goes on. */
  async decide(answer: Answer): Promise<RunState> {
    await addFact(this.#world, this.#run, (state) => {
      const [request] = openRequests(state);
      if (request === undefined) throw new Error('nothing is asked');
      return decisionOf(state, { ...answer, request: request.id }, 'Ada');
    });
    return this.resume();
  }

  async state(): Promise<RunState> {
    return this.#stage.read(this.#world, this.#run);
  }

  /** The letter of the option that does something. */
  async option(action: string, by?: 'consultant'): Promise<string> {
    const [request] = openRequests(await this.state());
    const found = request?.options.find((each) => each.decision.action === action && each.by === by);
    if (found === undefined) throw new Error(`nobody offers ${action}`);
    return found.id;
  }

  /** What the agent of an attempt was told. */
  brief(phase: string, attempt: number): string {
    return this.file(`phases/${phase}/logs/attempt-${attempt}/brief.md`);
  }

  /** The consultations of a phase, in the order they began. */
  async consultations(phase: string): Promise<string[]> {
    const events = await this.#stage.events(this.#world, this.#run);
    return events.flatMap(({ type, data }) =>
      type === 'consultation_started' && data.phase === phase ? [data.consultation] : [],
    );
  }

  /** What the consultants of a phase were told, in the order they were asked. */
  async consultantBriefs(phase: string): Promise<string[]> {
    return (await this.consultations(phase)).map((id) =>
      this.file(`phases/${phase}/escalation/stufe-1/consultations/${id}/brief.md`),
    );
  }

  /** A file of the run. */
  file(path: string): string {
    return readFileSync(this.#path(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.#path(path));
  }

  /** A file of the project. */
  own(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.dir, path), text);
  }

  #path(path: string): string {
    return join(this.dir, '.helix/runs', this.#run, path);
  }

  dispose(): void {
    this.#world.close();
    this.#stage.dispose();
  }
}

/** A journal that takes no more facts once an attempt has begun. */
function dyingIn(journal: Journal, phase: string, attempt: number): Journal {
  let dead = false;
  const append: Journal['append'] = async (...args) => {
    if (dead) throw new Error('the process is dead');
    const events = await journal.append(...args);
    dead = events.some(
      ({ type, data }) => type === 'attempt_started' && data.phase === phase && data.attempt === attempt,
    );
    return events;
  };
  return new Proxy(journal, {
    get: (target, key) => {
      if (key === 'append') return append;
      const value = Reflect.get(target, key) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The part of a brief below a heading; empty where there is none. */
export function section(brief: string, heading: string): string {
  const at = brief.split('\n').findIndex((line) => line.startsWith('## ') && line.includes(heading));
  if (at === -1) return '';
  const rest = brief.split('\n').slice(at + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest.slice(0, end === -1 ? undefined : end).join('\n');
}

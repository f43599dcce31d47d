import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ConsultantAnswer } from '../src/domain/facts/consultation.ts';
import type { RunEvent } from '../src/domain/facts/run-event.ts';
import type { RunState } from '../src/domain/facts/run-state.ts';
import type { Finding } from '../src/domain/finding.ts';
import type { JudgeAnswer } from '../src/domain/judge/approval.ts';
import type { Agent, AgentEnd, AgentTask, CreatorTask, JudgeTask } from '../src/ports/agent.ts';
import type { World } from '../src/ports/world.ts';
import { Stage } from './run-scenario.ts';
import { put, scratch } from './scratch.ts';

/** The facts of the run so far. */
export type Recorded = () => Promise<readonly RunEvent[]>;

/** What everybody says and does in a run that a test plays in its own process. */
export type Cast = {
  /** What the creator of a phase does in its directory; without any, it writes nothing. */
  readonly make?: Readonly<Record<string, (dir: string, task: CreatorTask) => unknown>>;
  /** What a judge answers, or how it ends; it can look at what is recorded so far. */
  readonly judge?: (task: JudgeTask, recorded: Recorded) => unknown;
  /** What a consultant answers, or how it ends; without any, it leaves it to a human. */
  readonly consult?: (task: JudgeTask) => unknown;
  /** Whether the run's agents count as simulated, whose answers are never kept. */
  readonly simulated?: boolean;
  /** Links of the project, each with where it leads. */
  readonly links?: Readonly<Record<string, string>>;
  /** The files are the first commit of a repository, in which phases work. */
  readonly repository?: boolean;
  /** Puts something between the engine and its surroundings. */
  readonly around?: (world: World) => World;
};

/** An approval type with one check, and settings that let simulated agents judge. */
export const TONE = {
  'approvals/tone/CLAUDE.md': '# Approval: tone\n\nYou judge whether a text is kind.\n',
  'approvals/tone/checks/kind.md': '# Check: kind\n\nAn insult is an error. Quote it.\n',
  'helix.yaml': 'agents: { default: { driver: scripted } }\nallow_simulated: true\n',
};

/** A letter that nobody would object to. */
export const LETTER = 'Dear reader,\nthank you.\n';

/** The text of what a judge was given. */
export function judgedText(task: JudgeTask, path = task.subject.inputs[0] ?? ''): string {
  return readFileSync(join(task.readable[0] ?? '', path), 'utf8');
}

/** The answer of a judge that approves and quotes the first line of what it was given that tells the place from others. */
export function approving(task: JudgeTask, over: Partial<Record<keyof JudgeAnswer, unknown>> = {}): unknown {
  const file = task.subject.inputs[0] ?? '';
  const lines = judgedText(task).split('\n');
  const at = Math.max(
    0,
    lines.findIndex((line) => /\w/.test(line)),
  );
  const evidence = [{ file, line: at + 1, quote: lines[at] ?? '' }];
  return {
    checks: task.subject.checks.map((id) => ({ id, outcome: 'pass', evidence })),
    ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.95, ...over },
  };
}

/** The answer of a judge that finds an error and quotes the first line. */
export function rejecting(task: JudgeTask, message = 'it insults the reader'): unknown {
  const [file = '', check = ''] = [task.subject.inputs[0], task.subject.checks[0]];
  const evidence = { file, line: 1, quote: judgedText(task).split('\n')[0] ?? '' };
  return {
    checks: task.subject.checks.map((id) => ({ id, outcome: id === check ? 'fail' : 'pass', evidence: [evidence] })),
    findings: [{ severity: 'error', check, message, evidence }],
    ...{ recommendations: [], result: 'rejected', confidence: 0.95 },
  };
}

/** The answer of a consultant that does not know either. */
function asking(): ConsultantAnswer {
  return { analysis: { failure_summary: 'it fails', root_cause: 'unknown' }, decision: { action: 'ask_human' } };
}

class CastAgent implements Agent {
  readonly driver = 'scripted';
  readonly version = '1';
  readonly simulated: boolean;
  readonly #cast: Cast;
  readonly #recorded: Recorded;

  constructor(cast: Cast, recorded: Recorded) {
    this.#cast = cast;
    this.#recorded = recorded;
    this.simulated = cast.simulated ?? true;
  }

  async perform(task: AgentTask): Promise<AgentEnd> {
    const cost = { usd: 0, basis: 'simulated' } as const;
    if (task.role === 'creator') {
      await this.#cast.make?.[task.phase.id]?.(task.dir, task);
      return { kind: 'done', cost };
    }
    const { judge = (asked: JudgeTask) => approving(asked), consult = asking } = this.#cast;
    const said = await (task.role === 'consultant' ? consult(task) : judge(task, this.#recorded));
    return isEnd(said) ? said : { kind: 'done', cost, answer: said };
  }
}

function isEnd(said: unknown): said is AgentEnd {
  return typeof said === 'object' && said !== null && 'kind' in said && said.kind === 'interrupted';
}

/** A run of the test's own making, as far as it got by itself. */
export type Played = {
  readonly stage: Stage;
  readonly world: World;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  /** All that was found or went wrong, in the order it happened: `phase gate outcome: messages`. */
  readonly told: readonly string[];
};

/** Plays a plan with a cast in a directory of its own, up to its end or its first question. */
export async function play(files: Readonly<Record<string, string>>, cast: Cast = {}): Promise<Played> {
  const stage = Stage.at(scratch({ ...TONE, ...files }));
  for (const [path, target] of Object.entries(cast.links ?? {})) {
    mkdirSync(dirname(join(stage.dir, path)), { recursive: true });
    symlinkSync(target, join(stage.dir, path));
  }
  if (cast.repository === true) commitAll(stage.dir);
  const own = stage.world();
  const recorded = async () => {
    const [row] = await (await own.journal()).list();
    return row === undefined ? [] : stage.events(own, row.run);
  };
  const world = { ...own, agent: async () => new CastAgent(cast, recorded) };
  onTestFinished(() => own.close());
  const { run } = await stage.start(cast.around?.(world) ?? world);
  const events = await stage.events(world, run);
  return { stage, world, state: await stage.read(world, run), events, told: events.flatMap(wordsOf) };
}

function commitAll(dir: string): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost', '-c', 'commit.gpgSign=false'];
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...who, ...args], { stdio: 'ignore' });
  git('init', '-b', 'main');
  git('add', '--all');
  git('commit', '-m', 'the project');
}

function wordsOf(event: RunEvent): string[] {
  if (event.type === 'attempt_judged')
    return event.data.verdicts.map(
      ({ gate, outcome, findings }) => `${event.data.phase} ${gate} ${outcome}: ${messages(findings)}`,
    );
  if (event.type === 'judging_interrupted')
    return [`${event.data.phase} ${event.data.gate} ${event.data.failure}: ${event.data.message}`];
  if (event.type === 'phase_failed') return [`${event.data.phase} failed: ${event.data.reason}`];
  return event.type === 'human_asked' ? [`${event.data.phase} asks ${event.data.reason}: ${event.data.question}`] : [];
}

function messages(findings: readonly Finding[]): string {
  return findings.map(({ message }) => message).join('; ');
}

/** A creator that writes files. */
export function writes(files: Readonly<Record<string, string>>): (dir: string) => void {
  return (dir) => void put(dir, files);
}

/** The phases that were accepted, in order. */
export function acceptedPhases(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'phase_accepted' ? [event.data.phase] : []));
}

/** The results of all approvals of a run, in order. */
export function approvalsIn(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'approval_finished' ? [event.data] : []));
}

/** Where an approval phase lays its result. */
export const RESULT = 'output/approval-result.json';

/** A plan whose first phase must be approved before the second one may start. */
export const GATED = {
  'phases.yaml': `project: { name: gated, description: A trial }
workspace: phase-dirs
phases:
  - { id: write, type: documentation, output: [output/letter.md], quality_gate: { type: approval, approval_type: tone, on_failure: abort } }
  - { id: send, type: deploy, output: [output/sent.md] }
`,
  'config/approvals.yaml': 'defaults: { retry_on_failure: false }\n',
};

/** The creator of the second phase. */
export const SENT = { send: writes({ 'output/sent.md': 'sent\n' }) };

/** The creator of the first phase. */
export const write: (dir: string) => void = writes({ 'output/letter.md': LETTER });

/** Plays a run that must not pass, and all that was said in it. */
export async function refused(files: Readonly<Record<string, string>>, cast: Cast) {
  const played = await play(files, { ...cast, make: { ...SENT, ...cast.make } });
  expect(acceptedPhases(played.events)).not.toContain('send');
  expect(played.state.ended?.status).not.toBe('passed');
  return { ...played, said: played.told.join('\n') };
}

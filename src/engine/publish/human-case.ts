import { attemptLine } from '../../brief/consultant-attempts.ts';
import { matterOf, taskOf } from '../../brief/task-sentence.ts';
import type { HilRequestDocument } from '../../domain/documents/escalation-documents.ts';
import { askedOf } from '../../domain/facts/asked-of.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState, Return, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { baselineLines, leftLine, placeLines } from '../../domain/ladder/circumstances.ts';
import { specChangeLines } from '../../domain/ladder/spec-changes.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Files } from '../../ports/files.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { attemptsOf, eventsBefore, lastFindings } from '../../report/ladder/trigger.ts';
import type { AttemptRecord } from '../../report/run/attempts.ts';
import { excerpt, oneLine, sanitise } from '../../text/sanitise.ts';
import { readSpec } from '../step/read-spec.ts';
import { saidByAgent } from '../words/said-by-agent.ts';

const MOST_TEXT = 16 * 1024;
const MOST_CLAIMS = 2000;

/** By what the output of a phase is judged in a state, a text for each gate. */
export type Rules = (phase: Phase, state: RunState) => Promise<readonly string[]>;

type Run = {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly files: Pick<Files, 'lastLines'>;
  readonly workspace: () => Promise<Workspace>;
  readonly project: Pick<Project, 'read'>;
  readonly rules: Rules;
};

/** What a human should know who answers a question: all of it as it was when it was asked. */
export async function humanCase(request: RequestState, run: Run): Promise<HilRequestDocument['context']> {
  const before = eventsBefore(request, run.events);
  const state = replay(before) ?? run.state;
  const phase = state.plan.phases.find(({ id }) => id === request.phase);
  if (phase === undefined) return undefined;
  const attempts = attemptsOf(phase.id, before);
  const { history, returns = [], feedback } = state.phases.get(phase.id) ?? {};
  const last = attempts.at(-1);
  const claims = last && last.manual !== true ? await claimsOf(last, run) : undefined;
  return {
    ...(await askedFor(phase, state, run)),
    plan: placeLines(phase, state),
    rules: (await run.rules(phase, state)).map((line) => sanitise(line)),
    findings: [...lastFindings(attempts)],
    attempts: attempts.map(({ verdicts = [], ...attempt }) =>
      attemptLine({ ...attempt, verdicts, broken: attempt.failure }),
    ),
    baseline: baselineLines(state.tried).map((line) => oneLine(line, 1000)),
    came_back: [...(feedback === undefined ? [] : [oneLine(feedback, 2000)]), ...returns.map(returnLine)],
    humans_said: (history?.guidance ?? []).map((text) => excerpt(text, MOST_TEXT)),
    hints: (history?.changes.hints ?? []).map((text) => oneLine(text, 1000)),
    left: leftLine(state),
    ...present({ claims, language: state.language }),
  };
}

function returnLine({ by, from, target, reason = '', cause }: Return): string {
  if (by === 'merge') return oneLine(`merged with the work of ${from}, with conflicts in ${reason}`, 2000);
  const seen = cause === undefined ? '' : ` (cause, says a consultant: ${cause})`;
  return oneLine(`${by}: from ${from} to ${target}: ${reason}${seen}`, 2000);
}

type AskedFor = Pick<NonNullable<HilRequestDocument['context']>, 'request' | 'task' | 'specification' | 'spec_changes'>;

async function askedFor(phase: Phase, state: RunState, { workspace, project }: Run): Promise<AskedFor> {
  const spec = await readSpec(phase, { state, ports: { workspace: await workspace(), project } });
  const asked = askedOf(state);
  return {
    ...(asked !== undefined && { request: excerpt(asked, MOST_TEXT) }),
    task: excerpt(taskOf(phase, matterOf(state)), MOST_TEXT),
    ...(spec.text !== undefined && { specification: excerpt(spec.text, MOST_TEXT) }),
    spec_changes: specChangeLines(spec.changes).map((line) => oneLine(line, 1000)),
  };
}

/** The last words of an agent; what is no longer kept, or not as it was, cannot be told. */
async function claimsOf(attempt: AttemptRecord, { files }: Run): Promise<string | undefined> {
  try {
    const said = attempt.transcript === undefined ? '' : await saidByAgent(attempt, files, MOST_CLAIMS);
    return said === '' ? undefined : excerpt(said, MOST_CLAIMS);
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return undefined;
  }
}

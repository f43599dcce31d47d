import { posix } from 'node:path';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { whyClosed } from '../../domain/ladder/answer.ts';
import { evolve } from '../../domain/run/evolve.ts';
import type { Files } from '../../ports/files.ts';
import type { Project } from '../../ports/project.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { consultantAnalysis } from '../../report/ladder/consultant-analysis.ts';
import { consultantDecision, REFUSED_ANSWER, refusedAnswer } from '../../report/ladder/consultant-decision.ts';
import { hilRequest } from '../../report/ladder/hil-request.ts';
import { resolution } from '../../report/ladder/resolution.ts';
import { consultantTrigger, trigger } from '../../report/ladder/trigger.ts';
import { renderUpdatedConfig, updatedConfig } from '../../report/ladder/updated-config.ts';
import { isTaken, readUserDecision, userDecision } from '../../report/ladder/user-decision.ts';
import { consultationHistory, isIntervention } from '../../report/run/consultations.ts';
import { renderJson } from '../../report/words/json.ts';
import {
  attachmentsPath,
  consultantPath,
  consultationPath,
  humanPath,
  USER_DECISION_BYTES,
  userDecisionIn,
  userDecisionPath,
} from '../../report/words/run-paths.ts';
import { setupOf } from '../step/changed-phase.ts';
import { attemptParts } from './attempts-zip.ts';
import { humanCase, type Rules } from './human-case.ts';
import { publishJudgement } from './publish-judgement.ts';

/** All that is known of a run, and where what people read of it goes. */
export type Escalated = {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly files: Files;
  readonly workspace: () => Promise<Workspace>;
  readonly project: Pick<Project, 'read'>;
  readonly rules: Rules;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** Writes what a phase has on its rungs: what consultants decided, what a human was asked, and what came of it. */
export async function publishEscalation(phase: string, run: Escalated): Promise<void> {
  await publishConsultations(phase, run);
  const requests = [...run.state.requests.values()].filter((request) => request.phase === phase);
  const newest = requests.pop();
  if (newest === undefined) return;
  for (const earlier of requests) await publishEarlier(earlier, run);
  await publishNewest(newest, run);
}

async function publishConsultations(phase: string, run: Escalated): Promise<void> {
  const { state, events, files } = run;
  const consultations = consultationHistory(events).get(phase) ?? [];
  const dir = consultantPath(phase);
  const asked = consultations.findLast(({ purpose }) => purpose === 'decide');
  if (asked !== undefined) await files.write(`${dir}/trigger.json`, renderJson(consultantTrigger(asked, events)));
  for (const record of consultations) {
    const place = consultationPath(phase, record.consultation);
    const refused = refusedAnswer(state.run, record);
    if (refused !== undefined) await files.write(`${place}/${REFUSED_ANSWER}`, renderJson(refused));
    const document = consultantDecision(state, record, events);
    if (document === undefined) continue;
    const text = renderJson(document);
    await files.write(`${place}/consultant-decision.json`, text);
    if (record.purpose === 'decide') await files.write(`${dir}/consultant-decision.json`, text);
  }
  const last = consultations.findLast(isIntervention);
  if (last === undefined) return;
  await publishConfig(phase, last.target, run);
  for (const event of judgedAfterConsultant(phase, events)) {
    await publishJudgement(event.data, `${dir}/retry-attempts/attempt-${event.data.attempt}`, run);
  }
}

async function publishConfig(id: string, revertTo: string | undefined, { state, files }: Escalated): Promise<void> {
  const phase = state.plan.phases.find((each) => each.id === id);
  if (phase === undefined) return;
  const changes = { ...state.phases.get(id)?.history.changes, revertTo };
  const document = updatedConfig(phase, setupOf(phase, state), changes);
  await files.write(`${consultantPath(id)}/updated-config.yaml`, renderUpdatedConfig(document));
}

type Judged = Extract<RunEvent, { type: 'attempt_judged' }>;

/** The judgements that were made while the phase stood on the consultant's rung. */
function judgedAfterConsultant(phase: string, events: readonly RunEvent[]): Judged[] {
  let state: RunState | undefined;
  return events.filter((event): event is Judged => {
    state = evolve(state, event);
    const at = state.phases.get(phase);
    const ofPhase = event.type === 'attempt_judged' && event.data.phase === phase;
    return ofPhase && at?.climbed.consulted === true && !at.climbed.granted;
  });
}

/** What was asked before the newest question is kept beside it. */
async function publishEarlier(request: RequestState, run: Escalated): Promise<void> {
  const { state, events, files } = run;
  const dir = `${humanPath(request.phase)}/earlier/${request.id}`;
  await files.write(`${dir}/trigger.json`, renderJson(trigger(request, events)));
  await files.write(
    `${dir}/hil-request.json`,
    renderJson(hilRequest(state, request, events, await humanCase(request, run))),
  );
  await publishAnswer(request, dir, run);
  const from = userDecisionPath(request.phase);
  const text = await readIfPresent(from, files);
  const found = readUserDecision(text ?? '');
  if (!text || found?.request !== request.id) return;
  if (!isTaken(request, found)) await setAside(text, { request, dir, from }, run);
  await files.remove(from);
}

async function publishNewest(request: RequestState, run: Escalated): Promise<void> {
  const { state, events, files } = run;
  const dir = humanPath(request.phase);
  const consultations = consultationHistory(events).get(request.phase) ?? [];
  const asked = consultations.filter(({ startedAt }) => startedAt <= request.askedAt);
  const document = hilRequest(state, request, events, await humanCase(request, run));
  await files.write(`${dir}/trigger.json`, renderJson(trigger(request, events)));
  await files.write(`${attachmentsPath(request.phase)}/consultant-analysis.md`, consultantAnalysis(document, asked));
  if (request.level !== 'start') await publishAttempts(request, run);
  await files.write(`${dir}/hil-request.json`, renderJson(document));
  const from = userDecisionPath(request.phase);
  if (request.answer !== undefined) return publishAnswer(request, dir, run);
  await files.remove(`${dir}/resolution.json`);
  const lyingSince = await files.writtenAt(from);
  const isOpen = state.ended === undefined && request.withdrawn !== true;
  const isEarly = isOpen && (lyingSince ?? Number.POSITIVE_INFINITY) < Date.parse(request.askedAt);
  const text = isOpen && !isEarly ? undefined : await readIfPresent(from, files);
  if (!text) return;
  await setAside(text, { request, dir, from, why: isEarly ? EARLY : undefined }, run);
  await files.remove(from);
}

/** Whoever wrote it knew how the question would be called: no human does. */
const EARLY = 'was there before the question was asked, so that it is nobody’s answer';

/** A zip that was packed since the question was asked holds all there is to it. */
async function publishAttempts({ phase, askedAt }: RequestState, run: Escalated): Promise<void> {
  const path = `${attachmentsPath(phase)}/all-attempts.zip`;
  const packedAt = await run.files.changedAt(path);
  if (packedAt !== undefined && packedAt >= Date.parse(askedAt)) return;
  await run.files.zip(path, attemptParts(phase, run, run.workspace));
}

/** Files that a human laid down are never lost: what was not the answer is set aside. */
async function publishAnswer(request: RequestState, dir: string, run: Escalated): Promise<void> {
  const { state, files } = run;
  const from = userDecisionIn(dir);
  const document = resolution(state, request);
  if (document === undefined) return;
  await files.write(`${dir}/resolution.json`, renderJson(document));
  const answer = userDecision(request);
  const written = answer === undefined ? undefined : renderJson(answer);
  const text = await readIfPresent(from, files);
  if (text === null || text === written) return;
  const found = text === undefined ? undefined : readUserDecision(text);
  if (text !== undefined && !(found !== undefined && isTaken(request, found)))
    await setAside(text, { request, dir, from }, run);
  if (written === undefined) await files.remove(from);
  else await files.write(from, written);
}

type LaidDown = {
  readonly request: RequestState;
  readonly dir: string;
  readonly from: string;
  readonly why?: string | undefined;
};

/** Keeps what was laid down and nobody took, and tells why. */
async function setAside(
  text: string,
  { request, dir, from, why }: LaidDown,
  { state, files, onNotice }: Escalated,
): Promise<void> {
  let name = 'user-decision.not-taken.json';
  for (let n = 2; ![undefined, text].includes((await readIfPresent(`${dir}/${name}`, files)) ?? undefined); n += 1)
    name = `user-decision.not-taken-${n}.json`;
  await files.write(`${dir}/${name}`, text);
  const place = dir === posix.dirname(from) ? name : `.helix/runs/${state.run}/${dir}/${name}`;
  const reason = why ?? `came too late: ${whyClosed(state, request.id)}`;
  onNotice?.(`.helix/runs/${state.run}/${from} ${reason}; it is kept as ${place}`);
}

/** What lies there, undefined for nothing; null where it is not even a text, and better left alone. */
async function readIfPresent(path: string, files: Files): Promise<string | undefined | null> {
  try {
    return await files.read(path, USER_DECISION_BYTES);
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return null;
    throw error;
  }
}

import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { PhaseState } from '../../domain/facts/run-state.ts';
import { excerpt } from '../../text/sanitise.ts';
import { type ConsultationRecord, consultationHistory, isIntervention } from '../run/consultations.ts';
import { renderChanges } from '../words/changes-text.ts';
import { overrideText } from '../words/overrides.ts';
import { renderTime } from '../words/time.ts';
import { type Markup, markup } from './markup.ts';

type Revert = Extract<RunEvent, { type: 'plan_reverted' }>;

/** What happened to a phase above its attempts. */
export type Rungs = { readonly consultations: readonly ConsultationRecord[]; readonly reverts: readonly Revert[] };

/** What happened above the attempts, by phase. */
export function rungsOf(events: readonly RunEvent[]): (phase: string) => Rungs {
  const consultations = consultationHistory(events);
  const reverts = events.filter((event): event is Revert => event.type === 'plan_reverted');
  return (phase) => ({
    consultations: consultations.get(phase) ?? [],
    reverts: reverts.filter(({ data }) => data.phase === phase || data.voided.includes(phase)),
  });
}

/** Consultations, reverts and an override as a list in the order of time; nothing where there were none. */
export function rungList({ consultations, reverts }: Rungs, { id, accepted }: PhaseState): Markup | undefined {
  const items = [
    ...consultations.map((record) => ({ at: record.startedAt, item: consultationItem(record) })),
    ...reverts.map((revert) => ({ at: revert.at, item: revertItem(revert, id) })),
  ]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ item }) => item);
  const override = accepted?.override && markup`<li><b class="override">${overrideText(accepted.override)}</b></li>`;
  if (items.length === 0 && override === undefined) return undefined;
  return markup`<ul class="findings rungs">${items}${override}</ul>`;
}

function consultationItem(record: ConsultationRecord): Markup {
  const { startedAt, agent, model, because, answer } = record;
  const who = model === undefined ? agent : `${agent}, ${model}`;
  const cause = answer && markup` <span class="hint">${excerpt(answer.analysis.root_cause, 1000)}</span>`;
  return markup`<li>${renderTime(startedAt)} <b class="info">consultant</b> (${who}) asked: ${excerpt(because, 300)}. ${outcomeOf(record)}${cause}</li>`;
}

function outcomeOf(record: ConsultationRecord): string {
  const { outcome, reasons = [] } = record;
  if (isIntervention(record)) return `Decided: ${renderChanges(record)}.`;
  const why = excerpt(reasons.join('; '), 500);
  if (outcome === 'refused') return `Its answer could not be used: ${why}.`;
  if (outcome === 'interrupted') return `Interrupted: ${why}.`;
  return outcome === 'ask' ? 'A human should decide.' : 'Not answered yet.';
}

function revertItem({ at, data }: Revert, phase: string): Markup {
  const { target, by } = data;
  const why = data.phase === phase ? `went back to ${target}` : `done again: ${data.phase} went back to ${target}`;
  return markup`<li>${renderTime(at)} <b class="warning">reverted</b> by a ${by}: ${why}</li>`;
}

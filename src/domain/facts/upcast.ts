import { HelixError } from '../helix-error.ts';
import { EVENTS, type NewEvent, type RunEventType } from './run-event.ts';

/** The version each event is written in; older ones are lifted by an upcaster when they are read. */
export const EVENT_VERSION = 2;

/** Lifts the data of one event type from the version it is keyed by to the next one. */
export type Upcasters = Partial<Record<RunEventType, Readonly<Record<number, (data: unknown) => unknown>>>>;

type FirstInputs = { inputs?: readonly { sha256: string }[] };

const UPCASTERS: Upcasters = {
  attempt_started: {
    1: (data) => ({
      ...(data as FirstInputs),
      inputs: (data as FirstInputs).inputs?.map(({ sha256, ...input }) => ({ ...input, digest: sha256 })),
    }),
  },
};

/** Brings a stored event up to the version this HELIX works with, or says that it comes from a newer one. */
export function upcast(
  stored: { type: string; v: number; data: unknown },
  upcasters: Upcasters = UPCASTERS,
  current: number = EVENT_VERSION,
): NewEvent {
  if (!Object.hasOwn(EVENTS, stored.type) || stored.v > current) {
    throw new HelixError(
      'journal',
      `the journal holds an event this HELIX does not know: ${stored.type} v${stored.v}`,
      {
        hint: 'It was written by a newer HELIX; use that version or a later one.',
      },
    );
  }
  const type = stored.type as RunEventType;
  let data = stored.data;
  for (let v = stored.v; v < current; v += 1) data = upcasters[type]?.[v]?.(data) ?? data;
  return { type, data } as NewEvent;
}

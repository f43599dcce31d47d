import { present } from '../present.ts';
import type { NewEvent } from './run-event.ts';
import type { RequestState } from './run-state.ts';

/** What is put before a human. */
export type Asked = Extract<NewEvent, { type: 'human_asked' }>['data'];

const HOUR = 3_600_000;

/** The question as it is open from that moment on. */
export function askedRequest(data: Asked, at: string): RequestState {
  const {
    request,
    waitHours,
    onTimeout,
    analysis,
    because,
    meeting,
    protected: paths,
    deadline: _named,
    ...rest
  } = data;
  const deadline = deadlineOf(data, at);
  return {
    id: request,
    ...rest,
    askedAt: at,
    told: [],
    ...present({ because, analysis, meeting, protected: paths, onTimeout, deadline }),
  };
}

function deadlineOf({ deadline, waitHours }: Asked, at: string): string | undefined {
  if (deadline !== undefined || waitHours === undefined) return deadline;
  return new Date(Date.parse(at) + waitHours * HOUR).toISOString();
}

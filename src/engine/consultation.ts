import type { Step } from '../domain/decide.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { EnginePorts, Watchers } from './engine-ports.ts';
import type { Recorder } from './recorder.ts';

type ConsultStep = Extract<Step, { do: 'consult' }>;
type Context = { ports: EnginePorts; recorder: Recorder; signal: AbortSignal; watchers: Watchers };

/** Asks a consultant how a phase should go on; what it answers is a fact before anything follows from it. */
export async function performConsultation(step: ConsultStep, _context: Context): Promise<void> {
  throw new HelixError('not_built', `no consultant can be asked about ${step.phase.id} yet`);
}

import type { Step } from '../domain/decide.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { EnginePorts, Watchers } from './engine-ports.ts';
import type { Recorder } from './recorder.ts';

type TakeStep = Extract<Step, { do: 'take' }>;
type Context = { ports: EnginePorts; recorder: Recorder; signal: AbortSignal; watchers: Watchers };

/** Takes what a human put into a phase's directory as an attempt of its own. */
export async function takeManualChange(step: TakeStep, _context: Context): Promise<void> {
  throw new HelixError('not_built', `no change of ${step.phase.id} can be taken yet`);
}

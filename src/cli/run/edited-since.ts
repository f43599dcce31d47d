import { isDeepStrictEqual } from 'node:util';
import type { RunState } from '../../domain/facts/run-state.ts';
import { DEFAULT_ESCALATION, type EscalationSettings } from '../../domain/plan/escalation-settings.ts';
import { isolationOf } from '../../engine/start/prepare-run.ts';
import type { World } from '../../ports/world.ts';
import { sha256 } from '../../text/digest.ts';
import { load } from '../call/load.ts';

const LIMIT = 1024 * 1024;

/** Which of the files a run was started from have been edited since, as far as they matter to it. */
async function editedSince(world: World, state: RunState): Promise<string[]> {
  const { source, agents } = state;
  const text = await world.project.read(source.path, LIMIT);
  const loaded = await load(world);
  const changed = Object.entries(agents).filter(([name, agent]) => {
    const now = loaded.agents[name];
    return now !== undefined && JSON.stringify(now) !== JSON.stringify(agent) && agent.driver !== 'scripted';
  });
  const isolated = JSON.stringify(isolationOf(loaded.settings).isolation ?? {});
  const told = isDeepStrictEqual(loaded.notify, state.notify);
  return [
    ...(text !== undefined && sha256(text) !== source.sha256 ? [source.path] : []),
    ...(changed.length > 0 || isolated !== JSON.stringify(state.isolation) || !told ? ['helix.yaml'] : []),
    ...(climbsAlike(loaded.escalation, state.escalation) ? [] : ['config/escalation.yaml']),
  ];
}

/** Where nobody can be a consultant, or be told of a model, a run has none whatever the file says. */
function climbsAlike(now: EscalationSettings, then: EscalationSettings): boolean {
  if (then === DEFAULT_ESCALATION) return true;
  const { attempts, models } = then.consultant;
  const consultant = { ...now.consultant, ...(attempts === 0 && { attempts }), ...(models.length === 0 && { models }) };
  return isDeepStrictEqual({ ...now, consultant }, then);
}

/** The sentence about it, empty where there is nothing to say. */
export async function editedNotice(world: World, state: RunState): Promise<string> {
  const files = state.ended === undefined ? await editedSince(world, state) : [];
  if (files.length === 0) return '';
  return `${files.join(' and ')} changed since this run began; it goes on as it was (helix resume --replan takes the change)\n`;
}

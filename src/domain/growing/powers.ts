import { plain } from '../plain-line.ts';
import { GATE_ALIASES, GATE_SETTINGS, type Gate } from '../plan/gate.ts';
import type { Phase } from '../plan/plan.ts';
import { wantsWeb } from '../plan/web-search.ts';
import { PLAN_GATE } from '../plan-growth.ts';

/** Who works where a phase names nobody. */
type Crew = { readonly creator: string };

/**
 * Everything the phases of a plan could do beyond writing files, one line each, whichever phase does it: what one phase may, another
 * one of the same run may, too, but only as a whole, with the same words, network and model.
 */
export function powers(phases: readonly Phase[], crew: Crew): Set<string> {
  return new Set(phases.flatMap((phase) => phasePowers(phase, crew)));
}

function phasePowers(phase: Phase, { creator }: Crew): string[] {
  const { agent, config, rollback, onRejection } = phase;
  return [
    ...phase.gates.flatMap((gate) => gatePowers(gate)),
    ...(rollback === undefined ? [] : [`rollback command: ${words(rollback)}`]),
    ...(wantsWeb(phase) ? ['web search'] : []),
    ...(phase.type === 'approval' ? [] : [`agent ${plain(agent ?? creator)} works`]),
    ...(phase.type === 'approval' && agent !== undefined ? [`agent ${plain(agent)} judges`] : []),
    ...(config.model === undefined ? [] : [`model ${plain(config.model)}`]),
    ...(onRejection?.feedback_template === undefined
      ? []
      : [`template for feedback: ${JSON.stringify(onRejection.feedback_template)}`]),
  ];
}

const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(GATE_SETTINGS),
  ...Object.keys(GATE_ALIASES),
  PLAN_GATE,
  'verification',
]);

/** A command may be harmless only without the network, so the two are one power; of gates HELIX does not know every word counts. */
function gatePowers({ type, settings }: Gate): string[] {
  if (!OWN.has(type)) return [`gate ${plain(type)}: ${JSON.stringify(settings)}`];
  const network = settings.network ? ' with the network' : '';
  const { command, model } = settings;
  return [
    ...(command === undefined ? [] : [`gate command: ${words(command)}${network}`]),
    ...(command === undefined && type === 'tests_pass' ? [`gate that runs the test command it finds${network}`] : []),
    ...(command === undefined && type !== 'tests_pass' && network !== '' ? [`gate ${type}${network}`] : []),
    ...(typeof model === 'string' ? [`model ${plain(model)}`] : []),
  ];
}

function words(written: unknown): string {
  return typeof written === 'string' ? `shell: ${plain(written)}` : plain(JSON.stringify(written));
}

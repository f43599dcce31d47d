import { CONTRACT, type NewEvent } from '../src/domain/facts/run-event.ts';
import type { Phase, Plan } from '../src/domain/plan/plan.ts';

/** A phase with nothing but an id and what is given. */
export function samplePhase(id: string, more: Partial<Phase> = {}): Phase {
  return {
    id,
    name: id,
    type: 'development',
    dependsOn: [],
    config: {},
    output: { directory: 'output', files: [] },
    gates: [{ type: 'files_exist', settings: {}, onFailure: 'retry', maxRetries: 3 }],
    maxRetries: 3,
    optional: false,
    requiresApproval: false,
    verifyAgent: false,
    generatesPhases: false,
    ...more,
  };
}

/** A plan of such phases. */
export function samplePlan(phases: readonly Phase[], more: Partial<Plan> = {}): Plan {
  return {
    project: { name: 'sample', type: 'feature' },
    workspace: { mode: 'phase-dirs', setup: [], copy: [], cache: [] },
    concurrency: 4,
    budget: {},
    protected: [],
    phases: [...phases],
    ...more,
  };
}

/** The first fact of a run of such a plan. */
export function sampleStart(run: string, plan: Plan = samplePlan([samplePhase('one')])): NewEvent {
  return {
    type: 'run_started',
    data: {
      run,
      contract: CONTRACT,
      helix: '0.0.0',
      plan,
      source: { path: 'phases.yaml', sha256: '0'.repeat(64) },
      agents: { default: { driver: 'scripted' } },
      creator: 'default',
      budget: {},
      marker: `marker-${run}`,
      simulated: true,
      owner: { host: 'testhost', pid: 4711, start: '1', boot: 'boot' },
    },
  };
}

/** What a creator of a test may do: what its user may. */
export const UNCONFINED = {
  sandbox: { level: 'basic', why: 'a test' },
  writable: [],
  protect: [],
  network: [],
  inputs: [],
} as const;

/** Models without names or prices of their own. */
export const NO_MODELS = { find: (id: string) => ({ id }) };

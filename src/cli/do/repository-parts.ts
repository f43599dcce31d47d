import type { Plan } from '../../domain/plan/plan.ts';
import { PROTECTED } from '../../domain/plan/protected.ts';
import { present } from '../../domain/present.ts';
import { detectTools } from '../../gates/detect/detect-tools.ts';
import { loadSettings } from '../../plan/read/load-settings.ts';
import type { World } from '../../ports/world.ts';
import { load } from '../call/load.ts';
import { lookAt } from '../project/look-at.ts';
import type { Parts } from './compose-plan.ts';

/** What a task may spend where neither the user nor helix.yaml says. */
const TASK_BUDGET = { usd: 2, minutes: 60 };

/** What of a task's plan the repository decides: how it is set up and tested, what is protected, what may be spent. */
export async function repositoryParts(
  world: World,
): Promise<Pick<Parts, 'workspace' | 'tests' | 'howTested' | 'protected' | 'budget'>> {
  const { settings } = await loadSettings(world.project);
  const budget = settings.budget === undefined ? { budget: TASK_BUDGET } : {};
  const own = await ownPlan(world);
  const { setup, cache, test } = await detectTools(await lookAt(world), { prepared: true });
  const detected = { setup, cache, copy: [] };
  if (own === undefined) return { ...budget, workspace: detected, tests: test, protected: [] };
  const { mode, root = '.', ...written } = own.workspace;
  return {
    ...budget,
    workspace: mode === 'repo' && root === '.' ? pick(written) : detected,
    tests: test,
    ...testsOf(own),
    protected: own.protected.filter((pattern) => !PROTECTED.includes(pattern)),
  };
}

function pick({ setup, copy, cache }: Parts['workspace']): Parts['workspace'] {
  return { setup, copy, cache };
}

/** The plan that lies in the repository: what its owner wrote about set-up and tests goes before what can be detected. */
async function ownPlan(world: World): Promise<Plan | undefined> {
  if ((await world.project.match('phases.yaml')).length === 0) return undefined;
  return (await load(world)).plan;
}

function testsOf({ phases }: Plan): Partial<Pick<Parts, 'tests' | 'howTested'>> {
  const gates = phases.flatMap((phase) => phase.gates).filter(({ type }) => type === 'tests_pass');
  const settings = (gates.find((gate) => gate.settings.command !== undefined) ?? gates[0])?.settings;
  if (settings === undefined) return {};
  const { command, timeout, network } = settings as { command?: Parts['tests'] } & NonNullable<Parts['howTested']>;
  return { ...present({ tests: command }), howTested: present({ timeout, network }) };
}

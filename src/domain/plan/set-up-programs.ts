import type { Plan } from './plan.ts';

type Settings = {
  readonly mode: Plan['workspace']['mode'];
  readonly setup: readonly unknown[];
  readonly cache: readonly string[];
};

const VIRTUAL_ENVIRONMENT = /(?:^|\/)\.?venv$/;

/**
 * The folders with programs that set-up installed into a virtual environment, relative to what is worked on. Only what set-up fills
 * counts: there every copy gets what was installed, whatever an agent has left.
 */
export function setUpPrograms({ mode, setup, cache }: Settings): string[] {
  if (mode !== 'repo' || setup.length === 0) return [];
  return cache.filter((path) => VIRTUAL_ENVIRONMENT.test(path)).map((path) => `${path}/bin`);
}

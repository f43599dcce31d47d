import type { Plan } from '../../domain/plan/plan.ts';
import { detectedHarm } from '../../domain/plan/trust.ts';
import { scriptsBehind } from '../../gates/found/behind-command.ts';
import type { World } from '../../ports/world.ts';
import { lookAt } from '../project/look-at.ts';

/**
 * What the test commands of a task run that is written in the repository. The plan of a task names its test command, but
 * nobody wrote that: another script behind the same command is something else to trust.
 */
export async function scriptHarms({ phases }: Plan, world: World): Promise<string[]> {
  const look = await lookAt(world);
  const tests = phases.flatMap(({ id, gates }) =>
    gates.filter(({ type }) => type === 'tests_pass').map(({ settings }) => ({ id, argv: wordsOf(settings.command) })),
  );
  const lines = tests.map(async ({ id, argv }) => {
    const scripts = await scriptsBehind(argv, look);
    return scripts.length === 0 ? [] : [detectedHarm(id, argv, scripts)];
  });
  return (await Promise.all(lines)).flat();
}

function wordsOf(command: unknown): string[] {
  if (Array.isArray(command)) return command.map(String);
  return typeof command === 'string' ? command.split(/\s+/) : [];
}

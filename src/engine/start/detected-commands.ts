import type { Phase, Plan } from '../../domain/plan/plan.ts';
import { detectedHarm, unseenHarm } from '../../domain/plan/trust.ts';
import { detectTools } from '../../gates/detect/detect-tools.ts';
import type { Look } from '../../gates/detect/place.ts';
import { scriptsBehind } from '../../gates/found/behind-command.ts';
import { findsCommand } from '../../gates/found/found-command.ts';
import type { Project } from '../../ports/project.ts';
import { workedIn } from '../step/worked.ts';

const READ_LIMIT = 256 * 1024;

/**
 * The test commands that gates of a plan would find in the project as it is, each with the scripts it runs, and the gates
 * that find none yet: nobody wrote these commands into the plan, and they are started all the same.
 */
export async function detectedHarms(
  { phases, workspace }: Plan,
  project: Pick<Project, 'match' | 'read' | 'fromTop'>,
): Promise<string[]> {
  const detecting = phases.filter(({ gates }) => gates.some(findsCommand));
  if (detecting.length === 0) return [];
  if (workspace.mode !== 'repo') return detecting.map(({ id }) => unseenHarm(id));
  const worked = await workedIn(project, workspace);
  if (worked === undefined) return detecting.map(({ id }) => unseenHarm(id));
  return foundIn({ paths: await worked.match('**/*'), read: (path) => worked.read(path, READ_LIMIT) }, detecting);
}

/** The same for any state of what is worked on, and what the test commands of a task run there, which nobody wrote. */
export async function harmsIn(look: Look, { phases }: Plan, isTask: boolean): Promise<string[]> {
  const detecting = phases.filter(({ gates }) => gates.some(findsCommand));
  const found = detecting.length === 0 ? [] : await foundIn(look, detecting);
  return isTask ? [...found, ...(await scriptHarms(phases, look))] : found;
}

/** Lines as they are compared: a checkout may have CRLF where git keeps none. */
export function withPlainEnds(line: string): string {
  return line.replaceAll('\\r\\n', '\\n');
}

async function foundIn(look: Look, detecting: readonly Phase[]): Promise<string[]> {
  const { test } = await detectTools(look);
  if (test === undefined) return detecting.map(({ id }) => unseenHarm(id));
  const scripts = await scriptsBehind(test, look);
  return detecting.map(({ id }) => detectedHarm(id, test, scripts));
}

/**
 * What the test commands of a task run that is written in the repository. The plan of a task names its test command, but
 * nobody wrote that: another script behind the same command is something else to trust.
 */
export async function scriptHarms(phases: readonly Phase[], look: Look): Promise<string[]> {
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

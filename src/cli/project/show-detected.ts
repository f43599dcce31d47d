import { type DetectedTools, detectTools } from '../../gates/detect/detect-tools.ts';
import type { World } from '../../ports/world.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { Call } from '../call/command.ts';
import type { Filling } from './fill-template.ts';
import { lookAt } from './look-at.ts';

const LONGEST = 1000;

/** What is known of a directory that becomes a project. */
export type Surroundings = Pick<Filling, 'workspace' | 'tests'> & { readonly found?: DetectedTools };

/** Looks where phases will work and, inside a git repository, what has to be installed for them. */
export async function lookAround(world: World): Promise<Surroundings> {
  const { project } = world;
  if (!(await project.inGit()) || (await project.hasDirectory('phases'))) return PHASE_DIRS;
  return detected(world);
}

const PHASE_DIRS: Surroundings = { workspace: { mode: 'phase-dirs', setup: [], cache: [] } };

/** The same for a project in a folder of its own: inside a git repository its phases work at the top of that. */
export async function lookAbove({ project, marker }: Pick<World, 'project' | 'marker'>): Promise<Surroundings> {
  if (!(await project.inGit())) return PHASE_DIRS;
  const top = await project.fromTop('.');
  if ('problem' in top) return PHASE_DIRS;
  const { workspace, ...found } = await detected({ project: top.project, marker });
  return { workspace: { ...workspace, root: '.' }, ...found };
}

async function detected(world: Pick<World, 'project' | 'marker'>): Promise<Surroundings> {
  const found = await detectTools(await lookAt(world), { prepared: true });
  const { setup, cache, test } = found;
  return { workspace: { mode: 'repo', setup, cache }, tests: test ?? 'none', found };
}

/** Says what was found out about the project and what its owner has to add. */
export async function showDetected(found: DetectedTools, world: World, { terminal }: Call): Promise<void> {
  const say = (label: string, text: string): void => {
    terminal.err(`${label.padEnd(8)} ${oneLine(text, LONGEST)}\n`);
  };
  const { languages, setup, cache, test, notes } = found;
  say('found', languages.length > 0 ? languages.join(', ') : 'no language it knows');
  for (const argv of setup) say('set-up', argv.join(' '));
  if (setup.length === 0) say('set-up', 'none');
  if (cache.length > 0) say('shared', cache.join(', '));
  say('tests', test?.join(' ') ?? 'none');
  for (const note of [...notes, ...(await missingPrograms(found, world))]) say('note', note);
}

async function missingPrograms({ setup, test }: DetectedTools, world: World): Promise<string[]> {
  const programs = new Set([...setup, ...(test === undefined ? [] : [test])].map(([program = '']) => program));
  const missing: string[] = [];
  for (const program of programs)
    if (!program.includes('/') && (await world.findProgram(program)) === undefined)
      missing.push(`${program} was not found on this machine; install it before helix run.`);
  return missing;
}

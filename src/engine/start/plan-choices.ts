import { type Choice, leavesChoice } from '../../brief/choose-auto.ts';
import { CONVENTION_GLOBS, readConventions } from '../../brief/conventions.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { detectTools } from '../../gates/detect/detect-tools.ts';
import type { Look } from '../../gates/detect/place.ts';
import type { Project } from '../../ports/project.ts';
import type { World } from '../../ports/world.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import { autoChoices } from '../step/auto-choices.ts';
import { workedIn } from '../step/worked.ts';
import { readRequest } from './require-task.ts';

const SPEC_BYTES = 256 * 1024;

type From = Pick<World, 'project' | 'template' | 'shippedSkills'>;

/** What every `auto` of a plan would become if its phases began now, by their ids. */
export async function planChoices(
  plan: Plan,
  { project, template, shippedSkills }: From,
  lookAt: (project: Project) => Promise<Look>,
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const choosing = plan.phases.filter(leavesChoice);
  if (choosing.length === 0) return new Map();
  const worked = (await workedIn(project, plan.workspace)) ?? project;
  const { languages } = await detectTools(await lookAt(worked));
  const request = await readRequest(project);
  const paths = await Promise.all(CONVENTION_GLOBS.map((glob) => worked.match(glob)));
  const { skills = [] } = await readConventions(
    { paths: paths.flat(), read: async () => undefined },
    [],
    shippedSkills(),
  );
  const text = (await worked.read('spec.yaml', SPEC_BYTES)) ?? (await project.read('spec.yaml', SPEC_BYTES));
  const spec = text === undefined ? undefined : parseYaml(text, 'spec.yaml').value;
  const around = { plan, request, spec, languages, skills, template };
  const choices = choosing.map(async (phase) => [phase.id, await autoChoices(phase, around)] as const);
  return new Map(await Promise.all(choices));
}

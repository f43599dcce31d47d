import type { Finding } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { Plan } from '../domain/plan/plan.ts';
import { present } from '../domain/present.ts';
import type { World } from '../ports/world.ts';
import { checkBriefs } from './attempt/attempt-brief.ts';

type From = Pick<World, 'project' | 'template'>;

/** What lies below templates/ and is no text for a phase. */
const NO_ROLES = /^templates\/(?:brief|parts|adr|project-types)\//;
const PLACE = /^(templates\/.+?):(\d+):(\d+): (.*)$/s;

/** Renders every brief of a plan once, with the project's own templates that it may come to; throws HelixError `config`. */
export async function checkTemplates(plan: Plan, { project, template }: From): Promise<void> {
  const paths = (await project.match('templates/**/*.md')).filter((path) => !NO_ROLES.test(path));
  const own = paths.map((path) => path.replace(/^templates\//, '').replace(/\.md$/, ''));
  await checkBriefs(plan, template, own);
}

/** What is wrong with the project's own templates, for who checks a plan: HELIX's are sound. */
export async function templateTroubles(plan: Plan, from: From): Promise<Finding[]> {
  if ((await from.project.match('templates/**/*.md')).length === 0) return [];
  try {
    await checkTemplates(plan, from);
    return [];
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'config') throw error;
    const [, file, line, column, message] = PLACE.exec(error.message) ?? [];
    const location = file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
    const said = { message: message ?? error.message, ...present({ hint: error.hint, location }) };
    return [{ severity: 'error', check: 'template', ...said }];
  }
}

import type { Phase, Plan } from '../domain/plan/plan.ts';
import { inEnglish, phrase, type Say } from '../text/say.ts';
import { code } from './quote.ts';

/** Where the matter of a run stands: in the request, in the description of the project, or only in the files. */
export type Matter = 'request' | 'project' | 'files';

/** Where the matter of a run stands that was asked for this, in a plan that says so much of itself. */
export function matterOf({
  request,
  plan,
}: {
  readonly request?: string;
  readonly plan: Pick<Plan, 'project'>;
}): Matter {
  const isThere = (text: string | undefined) => text !== undefined && text.trim() !== '';
  if (isThere(request)) return 'request';
  return isThere(plan.project.description) ? 'project' : 'files';
}

const MATTER: Readonly<Record<Matter, string>> = {
  request: phrase('what the user asked for'),
  project: phrase('what the project is about, as described above'),
  files: phrase('what the files you have ask for'),
};

const WORK: Readonly<Record<Phase['type'], string>> = {
  meeting: phrase('Discuss {matter}, and write down what comes of it.'),
  consultant: phrase('Turn {matter} into requirements that others can build and check by.'),
  planning: phrase('Plan how to do {matter}.'),
  development: phrase('Build {matter}.'),
  review: phrase('Review what the phases before you made of {matter}.'),
  documentation: phrase('Write the documentation for {matter}.'),
  research: phrase('Find out what is needed for {matter}, and name your sources.'),
  test: phrase('Test what the phases before you made of {matter}.'),
  testing: phrase('Test what the phases before you made of {matter}.'),
  integration: phrase('Put together what the phases before you made of {matter}, so that it works as one.'),
  feasibility: phrase('Find out whether {matter} can be done, and at what price.'),
  deploy: phrase('Prepare the way into operation for {matter}.'),
  approval: phrase('Judge what the phases before you made of {matter}.'),
};

const SHOWN = 10;

type Described = Pick<Phase, 'description' | 'config'>;
type Worked = Pick<Phase, 'type' | 'ownType' | 'output'>;

/** The work of a phase whose type the project has added. */
const OWN_WORK = phrase('Do your part of {matter}.');

/** The task of a phase: its description, else what its type, the request and its outputs say. */
export function taskOf(phase: Described & Worked, matter: Matter, say: Say = inEnglish): string {
  const told = [phase.description, phase.config.description].flatMap((text) => text?.trim() || []);
  return told.length === 0 ? taskSentence(phase, matter, say) : [...new Set(told)].join('\n\n');
}

/** The task of a phase that has no description: what its type, the request and its outputs say. */
export function taskSentence(
  { type, ownType, output: { directory, files } }: Worked,
  matter: Matter,
  say: Say = inEnglish,
): string {
  const names = files.slice(0, SHOWN).map(code).join(', ');
  const more = files.length > SHOWN ? ` ${say('and {count} more', { count: files.length - SHOWN })}` : '';
  const below = directory === '.' ? undefined : say('files below {directory}', { directory: code(directory) });
  const where = files.length > 0 ? `${names}${more}` : below;
  const work = say(ownType === undefined ? WORK[type] : OWN_WORK, { matter: say(MATTER[matter]) });
  return where === undefined ? work : `${work} ${say('Deliver it as {where}.', { where })}`;
}

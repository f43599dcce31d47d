import type { Phase } from '../domain/plan/plan.ts';
import { code } from './quote.ts';

/** Where the matter of a run stands: in the request, in the description of the project, or only in the files. */
export type Matter = 'request' | 'project' | 'files';

const MATTER: Readonly<Record<Matter, string>> = {
  request: 'what the user asked for',
  project: 'what the project is about, as described above',
  files: 'what the files you have ask for',
};

const WORK: Readonly<Record<Phase['type'], (matter: string) => string>> = {
  meeting: (matter) => `Discuss ${matter}, and write down what comes of it`,
  consultant: (matter) => `Turn ${matter} into requirements that others can build and check by`,
  planning: (matter) => `Plan how to do ${matter}`,
  development: (matter) => `Build ${matter}`,
  review: (matter) => `Review what the phases before you made of ${matter}`,
  documentation: (matter) => `Write the documentation for ${matter}`,
  research: (matter) => `Find out what is needed for ${matter}, and name your sources`,
  test: (matter) => `Test what the phases before you made of ${matter}`,
  testing: (matter) => `Test what the phases before you made of ${matter}`,
  integration: (matter) => `Put together what the phases before you made of ${matter}, so that it works as one`,
  feasibility: (matter) => `Find out whether ${matter} can be done, and at what price`,
  deploy: (matter) => `Prepare the way into operation for ${matter}`,
  approval: (matter) => `Judge what the phases before you made of ${matter}`,
};

const SHOWN = 10;

/** The task of a phase that has no description: what its type, the request and its outputs say. */
export function taskSentence({ type, output: { directory, files } }: Phase, matter: Matter): string {
  const names = files.slice(0, SHOWN).map(code).join(', ');
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
  const where = files.length > 0 ? `${names}${more}` : directory === '.' ? undefined : `files below ${code(directory)}`;
  return `${WORK[type](MATTER[matter])}.${where === undefined ? '' : ` Deliver it as ${where}.`}`;
}

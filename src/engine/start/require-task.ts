import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { REQUEST_BYTES, requireShort } from '../../domain/request-limit.ts';
import type { Project } from '../../ports/project.ts';
import { sha256 } from '../../text/digest.ts';
import { oneLine } from '../../text/sanitise.ts';

const REQUEST = 'request.md';
const MOST_READ = 16 * REQUEST_BYTES;
const MAX_SHOWN = 2000;
const SHOWN = 80;

/** What stands where nobody has said yet what they want. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^[<[{(][^<>[\]{}()]*[>\]})]+\.?$/,
  /^(?:todo|tbd|fixme|xxx|n\/a|none|placeholder|platzhalter|lorem ipsum)\b.{0,40}$/i,
  /^(?:please )?(?:describe|write|put|insert|enter|say)\b.{0,20}\b(?:what you want|(?:your|the) (?:request|task|idea|project|feature))\b.{0,20}$/i,
  /^your (?:request|task|idea|project|feature)\b.{0,20}$/i,
  /^(?:bitte )?(?:hier )?(?:beschreib|schreib|trag|füg)\p{L}*\b.{0,30}(?:was du (?:willst|möchtest)|\b(?:Anfrage|Aufgabe|Auftrag|Wunsch|Idee|Projekt)\b).{0,20}$/iu,
  /^(?:dein|ihr)e? (?:Anfrage|Aufgabe|Auftrag|Wunsch|Idee|Projekt)\b.{0,20}$/i,
];

/** What the user asked for, as it lies beside the plan; undefined where there is nothing. */
export async function readRequest(project: Pick<Project, 'read'>): Promise<string | undefined> {
  const text = await project.read(REQUEST, MOST_READ);
  return text === undefined ? undefined : requireShort(text, `request in ${REQUEST}`);
}

type Start = {
  readonly plan: Pick<Plan, 'project' | 'phases'>;
  readonly simulated: boolean;
  readonly source: { readonly origin: string };
};

/**
 * Refuses to start where nobody has said what is wanted, with HelixError `config`: agents would make something up. A
 * simulated run goes on; the result is what to tell its user.
 */
export async function requireTask(project: Pick<Project, 'read'>, start: Start): Promise<string | undefined> {
  const { project: about, phases } = start.plan;
  const described = phases.flatMap(({ description, config }) => [description, config.description]);
  const request = await readRequest(project);
  const placeholder = isPlaceholder(request);
  if (!placeholder && [request, about.description, ...described].some(isTask)) return undefined;
  const nothing = placeholder
    ? `${REQUEST} asks for nothing: it still says ${JSON.stringify(oneLine(wordsOf(request), SHOWN))}`
    : start.source.origin === 'template'
      ? 'there is no phases.yaml here and nothing was asked for'
      : 'nobody has said what is wanted: there is no request, and neither the project nor a phase is described';
  if (start.simulated) return `${nothing}; the simulated run goes on`;
  throw new HelixError('config', nothing, {
    hint: `Write what you want into ${REQUEST} beside the plan, or: helix new <name> --request "…". Without an agent's cost: helix run --agent scripted`,
  });
}

/**
 * What agents are asked in the user's name where the user wrote no request: the description of the project or, without one, those of the
 * phases. These words come with the plan, so they are part of what is trusted.
 */
export async function askedByPlan(
  { project: about, phases }: Start['plan'],
  project: Pick<Project, 'read'>,
): Promise<readonly string[]> {
  if (isTask(await readRequest(project))) return [];
  const described = phases.flatMap(({ description, config }) => [description, config.description]);
  const texts = isTask(about.description) ? [about.description] : [...new Set(described)].filter(isTask);
  return texts.map((text = '') => shown(text.trim()));
}

/** A long text by its beginning and a digest, so that any change makes another line. */
function shown(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN)} … (${text.length - MAX_SHOWN} characters more, sha256 ${sha256(text)})`;
}

/** Tells whether a text asks for something: it has words, and they are no placeholder. */
export function isTask(text: string | undefined): boolean {
  return hasWords(text) && !isPlaceholder(text);
}

/** What every agent would get word for word, and nobody meant. */
function isPlaceholder(text: string | undefined): boolean {
  const words = wordsOf(text);
  return hasWords(text) && PLACEHOLDERS.some((pattern) => pattern.test(words));
}

function hasWords(text: string | undefined): boolean {
  return /[\p{L}\p{N}]{2}/u.test(wordsOf(text));
}

function wordsOf(text = ''): string {
  return text
    .replace(/<!--.*?-->/gs, '')
    .replace(/^[#>*\s-]+/gm, '')
    .trim();
}

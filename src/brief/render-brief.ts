import { HelixError } from '../domain/helix-error.ts';
import type { Phase } from '../domain/plan/plan.ts';
import type { BriefFacts } from './brief-facts.ts';
import { renderTemplate } from './render-template.ts';

/** A template, the path it is known by in error messages, and the others it includes, by their names below templates/. */
export type TemplateText = {
  readonly path: string;
  readonly text: string;
  readonly parts?: Readonly<Record<string, string>>;
};

/** What a brief is built from: the frame that is always the same, and the text for the agent's part. */
export type BriefTemplates = { readonly skeleton: TemplateText; readonly role: TemplateText };

/** One template filled with the facts of an attempt; throws HelixError `config` with the place of the mistake. */
export function renderBrief(template: string, facts: BriefFacts, place?: Omit<TemplateText, 'text'>): Promise<string> {
  return renderTemplate(template, facts, place?.path, place?.parts);
}

/** The whole brief: the text for the agent's part, with what it is about, is rendered first and set into the skeleton as a value. */
export async function renderPhaseBrief(
  { skeleton, role }: BriefTemplates,
  facts: BriefFacts,
  about?: string,
): Promise<string> {
  const part = (await renderBrief(role.text, facts, role)).trim();
  const whole = about === undefined ? part : `${part}\n\n${about}`;
  const brief = await renderBrief(skeleton.text, { ...facts, role: whole }, skeleton);
  return `${brief.trim()}\n`;
}

/** The skeleton every brief is built on. */
const SKELETON = 'templates/brief/phase.md';

/** A name below templates/, which cannot lead out of it. */
const NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_-]*(?:\/[a-zA-Z0-9_][a-zA-Z0-9_-]*)*$/;

const INCLUDES = /\{%-?\s*(?:include|render|layout)\s+(['"])([^'"]+)\1/g;
const MAX_PARTS = 50;

type Asking = Pick<Phase, 'type' | 'ownType' | 'config'>;
type Read = (path: string) => Promise<string | undefined>;

/**
 * The path of the text that tells the agent its part: what the phase asks for (`developer/python` is
 * `templates/developer/python.md`) if it is available, else the one for its type.
 */
export function chooseTemplate(phase: Asking, available: ReadonlySet<string>): string {
  const paths = pathsFor(phase);
  return paths.find((path) => available.has(path)) ?? (paths.at(-1) as string);
}

/** The templates of a phase's brief; `read` gives the text of a path below templates/, or undefined. */
export async function briefTemplates(phase: Asking, read: Read): Promise<BriefTemplates> {
  const texts = new Map<string, string>();
  for (const path of pathsFor(phase)) {
    const text = await read(path);
    if (text !== undefined) texts.set(path, text);
    if (text !== undefined) break;
  }
  const role = chooseTemplate(phase, new Set(texts.keys()));
  return {
    skeleton: await withParts(SKELETON, await read(SKELETON), read),
    role: await withParts(role, texts.get(role), read),
  };
}

/** Where the text of a phase may lie, the best place first; a project may still have it where it was kept once. */
function pathsFor(phase: Asking): string[] {
  const wanted = wantedTemplate(phase);
  const { type, ownType } = phase;
  const own = [`templates/${ownType?.name}/default.md`, 'templates/parts/own-type.md'];
  const old = `templates/brief/types/${type === 'testing' ? 'test' : type}.md`;
  const usual = ownType === undefined ? [old, `templates/${type}/default.md`] : own;
  return [...(wanted === undefined ? [] : [wanted]), ...usual];
}

function wantedTemplate({ config }: Pick<Phase, 'config'>): string | undefined {
  const name = config.template?.replace(/\.md$/, '') ?? 'auto';
  return name === 'auto' || !NAME.test(name) ? undefined : `templates/${name}.md`;
}

/** A template with all it includes, directly or not: nothing but what lies below templates/ can be named. */
async function withParts(path: string, text: string | undefined, read: Read): Promise<TemplateText> {
  if (text === undefined) {
    throw new HelixError('config', `${path} is missing`, { hint: 'It comes with HELIX; install HELIX again.' });
  }
  const parts = new Map<string, string>();
  const open = includedIn(text);
  for (let name = open.shift(); name !== undefined && parts.size < MAX_PARTS; name = open.shift()) {
    const part = parts.has(name) ? undefined : await read(`templates/${name}.md`);
    if (part === undefined) continue;
    parts.set(name, part);
    open.push(...includedIn(part));
  }
  return { path, text, ...(parts.size > 0 && { parts: Object.fromEntries(parts) }) };
}

function includedIn(text: string): string[] {
  return [...text.matchAll(INCLUDES)].map(([, , name = '']) => name).filter((name) => NAME.test(name));
}

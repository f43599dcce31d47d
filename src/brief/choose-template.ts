import { HelixError } from '../domain/helix-error.ts';
import type { Phase } from '../domain/plan/plan.ts';
import type { BriefTemplates, TemplateText } from './render-brief.ts';

/** The skeleton every brief is built on. */
const SKELETON = 'templates/brief/phase.md';

/** A name below templates/, which cannot lead out of it. */
const NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_-]*(?:\/[a-zA-Z0-9_][a-zA-Z0-9_-]*)*$/;

/**
 * The path of the text that tells the agent its part: what the phase asks for (`developer/python` is
 * `templates/developer/python.md`) if it is available, else the one for its type.
 */
export function chooseTemplate(phase: Pick<Phase, 'type' | 'config'>, available: ReadonlySet<string>): string {
  const wanted = wantedTemplate(phase);
  if (wanted !== undefined && available.has(wanted)) return wanted;
  return `templates/brief/types/${phase.type === 'testing' ? 'test' : phase.type}.md`;
}

/** The templates of a phase's brief; `read` gives the text of a path below templates/, or undefined. */
export async function briefTemplates(
  phase: Pick<Phase, 'type' | 'config'>,
  read: (path: string) => Promise<string | undefined>,
): Promise<BriefTemplates> {
  const wanted = wantedTemplate(phase);
  const found = wanted === undefined ? undefined : await read(wanted);
  const role = chooseTemplate(phase, new Set(wanted !== undefined && found !== undefined ? [wanted] : []));
  return {
    skeleton: present(SKELETON, await read(SKELETON)),
    role: present(role, role === wanted ? found : await read(role)),
  };
}

function wantedTemplate({ config }: Pick<Phase, 'config'>): string | undefined {
  const name = config.template?.replace(/\.md$/, '') ?? 'auto';
  return name === 'auto' || !NAME.test(name) ? undefined : `templates/${name}.md`;
}

function present(path: string, text: string | undefined): TemplateText {
  if (text === undefined) {
    throw new HelixError('config', `${path} is missing`, { hint: 'It comes with HELIX; install HELIX again.' });
  }
  return { path, text };
}

import type { Phase } from '../domain/plan.ts';

/** The skeleton every brief is built on. */
export const SKELETON = 'templates/brief/phase.md';

/**
 * The path of the text that tells the agent its part: what the phase asks for (`developer/python` is
 * `templates/developer/python.md`) if it is available, else the one for its type.
 */
export function chooseTemplate(phase: Pick<Phase, 'type' | 'config'>, available: ReadonlySet<string>): string {
  const wanted = `templates/${phase.config.template ?? 'auto'}.md`;
  if (available.has(wanted)) return wanted;
  return `templates/brief/types/${phase.type === 'testing' ? 'test' : phase.type}.md`;
}

import type { BriefFacts } from './brief-facts.ts';
import { renderTemplate } from './render-template.ts';

/** A template and the path it is known by in error messages. */
export type TemplateText = { readonly path: string; readonly text: string };

/** What a brief is built from: the frame that is always the same, and the text for the agent's part. */
export type BriefTemplates = { readonly skeleton: TemplateText; readonly role: TemplateText };

/** One template filled with the facts of an attempt; throws HelixError `config` with the place of the mistake. */
export function renderBrief(template: string, facts: BriefFacts, path?: string): Promise<string> {
  return renderTemplate(template, facts, path);
}

/** The whole brief: the text for the agent's part, with what it is about, is rendered first and set into the skeleton as a value. */
export async function renderPhaseBrief(
  { skeleton, role }: BriefTemplates,
  facts: BriefFacts,
  about?: string,
): Promise<string> {
  const part = (await renderBrief(role.text, facts, role.path)).trim();
  const whole = about === undefined ? part : `${part}\n\n${about}`;
  const brief = await renderBrief(skeleton.text, { ...facts, role: whole }, skeleton.path);
  return `${brief.trim()}\n`;
}

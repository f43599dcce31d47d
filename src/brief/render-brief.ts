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

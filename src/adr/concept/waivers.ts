import { isRecord } from '../../text/is-record.ts';
import type { Adr, Place } from '../document/adr.ts';
import { sectionName } from '../document/section-names.ts';

/** An entry of `concept_waivers` in the front matter of an ADR; what is not text there is empty here. `name` is the section's for comparing. */
export type Waiver = Place & { readonly section: string; readonly reason: string; readonly name: string };

/** The sections of its concept that an ADR says it leaves out. */
export function readWaivers({ frontMatter }: Adr): Waiver[] {
  const told = frontMatter?.fields.concept_waivers;
  if (frontMatter === undefined || told === undefined || told === null) return [];
  const entries: readonly unknown[] = Array.isArray(told) ? told : [told];
  return entries.map((entry, index) => {
    const { line = 1, column = 1 } = frontMatter.locate(['concept_waivers', index]);
    const { section, reason } = isRecord(entry) ? entry : {};
    return { line, column, section: textOf(section), reason: textOf(reason), name: sectionName(textOf(section)) };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

import type { Adr, Section } from '../adr.ts';
import { kindsOf } from '../section-names.ts';

/** The acceptance criteria of an ADR, each read together with the subheadings it stands under. */
export function criteriaOf(adr: Adr): string[] {
  const tasks = adr.tasks.flatMap(({ text, section }) => underHeadings(text, section));
  if (tasks.length > 0) return tasks;
  return adr.sections
    .filter((section) => acceptanceAround(section) === section)
    .flatMap((section) => listItems(adr, section));
}

function underHeadings(text: string, section: Section | undefined): string[] {
  const acceptance = acceptanceAround(section);
  if (acceptance === undefined) return [];
  const headings: string[] = [];
  for (let at = section; at !== undefined && at !== acceptance; at = at.parent) headings.unshift(at.title);
  return [[...headings, text].join(': ')];
}

/** The outermost section of acceptance criteria around a place. */
function acceptanceAround(section: Section | undefined): Section | undefined {
  let found: Section | undefined;
  for (let at = section; at !== undefined; at = at.parent) if (kindsOf(at.name).includes('acceptance')) found = at;
  return found;
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;

/** List items without boxes, with the lines that go on below them. */
function listItems(adr: Adr, acceptance: Section): string[] {
  const items: string[][] = [];
  const inside = adr.sections.filter(({ line }) => line >= acceptance.line && line <= acceptance.last);
  let within = 0;
  let open = false;
  for (let line = acceptance.first; line <= acceptance.last; line += 1) {
    while ((inside[within + 1]?.line ?? Number.POSITIVE_INFINITY) <= line) within += 1;
    const text = adr.prose[line - 1] ?? '';
    if (ITEM.test(text)) items.push(underHeadings(text.replace(ITEM, ''), inside[within]));
    else if (open && text.trim() !== '') items.at(-1)?.push(text.trim());
    open = text.trim() !== '' && items.length > 0 && (ITEM.test(text) || open);
  }
  return items.map((lines) => lines.join('\n'));
}

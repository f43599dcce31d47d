import type { Adr, Section } from '../document/adr.ts';
import { isPlaceholder } from '../document/placeholder.ts';
import { withoutTargets } from './words/visible-text.ts';

/** The acceptance criteria of an ADR, each read together with the subheadings it stands under. */
export function criteriaOf(adr: Adr): string[] {
  const tasks = adr.tasks.flatMap(({ text, section }) => underHeadings(text, section));
  return tasks.length > 0 ? tasks : adr.sections.flatMap((section) => listItems(adr, section));
}

function underHeadings(text: string, section: Section | undefined): string[] {
  const acceptance = acceptanceAround(section);
  if (acceptance === undefined || isPlaceholder(text)) return [];
  const headings: string[] = [];
  for (let at = section; at !== undefined && at !== acceptance; at = at.parent) headings.unshift(at.title);
  return [[...headings, withoutTargets(text)].join(': ')];
}

/** The outermost section of acceptance criteria around a place. */
function acceptanceAround(section: Section | undefined): Section | undefined {
  let found: Section | undefined;
  for (let at = section; at !== undefined; at = at.parent) if (at.kinds.includes('acceptance')) found = at;
  return found;
}

const ITEM = /^(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/;

/** List items without boxes in a section of acceptance criteria, subsections left out, with the lines that go on below them. */
function listItems(adr: Adr, section: Section): string[] {
  if (acceptanceAround(section) === undefined) return [];
  const own = adr.prose.slice(section.first - 1, (section.children[0]?.line ?? section.last + 1) - 1);
  const items: string[] = [];
  let open = false;
  for (const line of own) {
    const text = line.trim();
    if (ITEM.test(text)) items.push(text.replace(ITEM, ''));
    else if (open && text !== '') items.push(`${items.pop() ?? ''}\n${text}`);
    open = text !== '' && (open || ITEM.test(text));
  }
  return items.flatMap((text) => underHeadings(text, section));
}

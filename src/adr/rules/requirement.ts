import type { Adr, Place, Section } from '../document/adr.ts';
import { isPlaceholder, substance } from '../document/placeholder.ts';
import { type CasedText, cased, withoutTargets } from './adr-text.ts';
import type { Judged } from './condition.ts';
import { hasSteps, isPlan, opensWithDenial } from './denied-plan.ts';
import { findSections } from './find-section.ts';
import { unnamedDependencies } from './named-dependencies.ts';
import { countMatches, type Pattern, patternAlternatives } from './pattern.ts';
import type { ContentNeed, Element, Rule, SectionNeed } from './rule-set.ts';
import { isNegated } from './words/negation.ts';
import { findPhrase } from './words/phrase.ts';

/** One thing a rule asks for and an ADR lacks: what it is, what to do, and the place where it belongs, if there is one. */
export type Lack = { readonly what: string; readonly hint: string; readonly place?: Place };

/** Everything a rule asks for that the ADR does not have. */
export function lacksOf(rule: Rule, judged: Judged): Lack[] {
  const asked = { ...judged, inCode: rule.inCode };
  return [
    ...rule.sections.flatMap((need) => sectionLacks(need, asked)),
    ...rule.contents.flatMap((need) => contentLack(need, asked)),
    ...keywordLack(rule, asked),
  ];
}

type Asked = Judged & { readonly inCode: boolean };

/** More sections of one name are none that somebody wrote. */
const MOST_SECTIONS = 20;

/** One section that has everything is enough; otherwise the best one is told what it lacks. */
function sectionLacks(need: SectionNeed, asked: Asked): Lack[] {
  const sections = findSections(asked.adr, need.name, asked.negation).slice(0, MOST_SECTIONS);
  const [best, ...others] = sections.map((section) => lacksInSection(need, section, asked));
  if (best === undefined) return [missingSection(need)];
  return best.length === 0 || others.some((lacks) => lacks.length === 0) ? [] : best;
}

function missingSection({ name, minLength, elements }: SectionNeed): Lack {
  const wants = [...(minLength > 0 ? [`at least ${minLength} characters`] : []), ...elements.map(elementName)];
  const asking = wants.length === 0 ? '' : `; it needs ${wants.join(', ')}`;
  return { what: `there is no section "${name}"`, hint: `add a section "## ${name}"${asking}` };
}

function lacksInSection({ name, minLength, elements }: SectionNeed, section: Section, asked: Asked): Lack[] {
  const place = { line: section.line, column: section.column };
  const text = asked.text.of(section, asked.inCode);
  const lacks: Lack[] = [];
  const length = realLength(section, minLength, asked);
  if (length < minLength) {
    const what = `the section "${section.title}" has ${length} of at least ${minLength} characters, placeholders and padding left out`;
    lacks.push({ what, hint: `say in "${section.title}" what "${name}" needs`, place });
  }
  const denied = elements.length > 0 && asked.negation && isPlan(name) && opensWithDenial(section, text);
  for (const element of elements) {
    if (denied && !('fence' in element) ? hasSteps(text, element) : hasElement(element, { text, section, asked }))
      continue;
    const what = `the section "${section.title}" ${denied ? 'begins with a denial and ' : ''}lacks ${elementName(element)}`;
    lacks.push({ what, hint: `add ${elementName(element)} to "${section.title}"`, place });
  }
  return lacks;
}

/** How much a section says, code included, as far as it matters whether that is enough. */
function realLength(section: Section, enough: number, { adr, text }: Asked): number {
  if (enough === 0) return 0;
  const prose = text.of(section, false).raw.replace(/^# |\ue000$/gm, '');
  const beginning = substance(prose.slice(0, enough * 20).split('\n')).length;
  if (beginning >= enough) return beginning;
  const code = adr.code
    .filter(({ first, last }) => first >= section.first && last <= section.last)
    .map(
      ({ first, last }) =>
        adr.lines
          .slice(first, last - 1)
          .join('\n')
          .trim().length,
    );
  return code.reduce((sum, length) => sum + length, substance(prose.split('\n')).length);
}

function elementName(element: Element): string {
  if (!('fence' in element)) return quoted(element.source);
  return element.fence === '' ? 'a fenced block of code' : `a fenced block of ${element.fence}`;
}

/** A pattern by the words in it; only one that has none is shown itself. */
function quoted(source: string): string {
  const alternatives = patternAlternatives(source);
  const words = alternatives.filter((each) => !/[\\[\](){}*+?^$]/.test(each));
  if (words.length === 0) return `what matches "${source.length > 100 ? `${source.slice(0, 100)}…` : source}"`;
  return oneOf(words, alternatives.length > words.length);
}

const MOST_SHOWN = 4;

function oneOf(names: readonly string[], more = false): string {
  const shown = names.slice(0, MOST_SHOWN).map((each) => `"${each}"`);
  return `${shown.join(' or ')}${more || names.length > MOST_SHOWN ? ' or the like' : ''}`;
}

function hasElement(element: Element, { text, section, asked }: { text: CasedText; section: Section; asked: Asked }) {
  if (!('fence' in element)) return matches(element, 1, { text, negation: asked.negation }) > 0;
  return asked.adr.code.some(
    ({ first, last, info }) =>
      info?.toLowerCase().startsWith(element.fence) && first >= section.first && last <= section.last,
  );
}

function matches(pattern: Pattern, enough: number, { text, negation }: { text: CasedText; negation: boolean }): number {
  return countMatches(text, pattern, { enough, counts: (match) => !negation || !isNegated(text.lower, match) });
}

function contentLack(need: ContentNeed, asked: Asked): Lack[] {
  const { pattern, source, location, minMatches } = need;
  const where = ['any', 'content'].includes(location)
    ? 'the text'
    : location === 'header'
      ? 'the header'
      : `"${location}"`;
  if (pattern === undefined) return dependencyLack(need, where, asked);
  let found = 0;
  for (const text of textsAt(location, asked))
    found += matches(pattern, minMatches - found, { text, negation: asked.negation });
  if (found >= minMatches) return [];
  const times = minMatches === 1 ? '' : ` ${minMatches} times (found ${found})`;
  return [{ what: `${where} lacks ${quoted(source)}${times}`, hint: `describe it in ${where}` }];
}

/** The front matter names what it depends on; the text must say why. */
function dependencyLack({ location }: ContentNeed, where: string, asked: Asked): Lack[] {
  const texts = textsAt(location === 'any' ? 'content' : location, asked);
  const unnamed = unnamedDependencies(asked.adr, [...texts, asked.text.links]);
  const [first] = unnamed;
  if (first === undefined) return [];
  const names = unnamed.map(asId).join(', ');
  const entry = asked.adr.references.find(({ kind, value }) => kind === 'depends_on' && value === first);
  return [
    {
      what: `${where} does not name ${names}`,
      hint: `say in ${where} what ${names} ${unnamed.length === 1 ? 'has' : 'have'} to do with this`,
      ...(entry !== undefined && { place: { line: entry.line, column: entry.column } }),
    },
  ];
}

function asId(id: string): string {
  return /^\d/.test(id) ? `ADR-${id}` : id;
}

/** The texts at a location; `any` is the front matter too. */
function textsAt(location: string, { adr, text, inCode, negation }: Asked): CasedText[] {
  const body = (): CasedText => (inCode ? text.bodyWithCode : text.body);
  if (location === 'content') return [body()];
  if (location === 'header') return [text.frontMatter, text.top];
  if (location === 'any') return [text.frontMatter, body()];
  const sections = new Set(findSections(adr, location, negation));
  return [...sections]
    .filter(({ parent }) => parent === undefined || !sections.has(parent))
    .map((section) => text.of(section, inCode));
}

function keywordLack({ keywords }: Rule, { adr, negation }: Asked): Lack[] {
  if (keywords.length === 0) return [];
  const named = criteriaOf(adr).some((criterion) => {
    const { lower } = cased(criterion);
    return keywords.some((keyword) => {
      const match = findPhrase(lower, keyword, 0);
      return match !== undefined && !(negation && isNegated(lower, match));
    });
  });
  if (named) return [];
  const names = oneOf(keywords.map(({ source }) => source));
  return [{ what: `no acceptance criterion names ${names}`, hint: `add an acceptance criterion that names ${names}` }];
}

/** The acceptance criteria of an ADR, each read together with the subheadings it stands under. */
function criteriaOf(adr: Adr): string[] {
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

import { type Adr, proseOf, type Section } from '../document/adr.ts';
import { isPlaceholder } from '../document/placeholder.ts';
import { kindsOf, type SectionKind, sectionName } from '../document/section-names.ts';
import type { BaseRules } from '../rules/rule-set.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import type { Report } from './report.ts';
import { type Amount, amountOf, isBlank, type Measure, sectionsOf, titleOf } from './section-text.ts';

/** Checks the sections of the helix profile: at level 2, long enough, with acceptance criteria to tick. */
export function checkHelixSections(adr: Adr, demands: BaseRules, report: Report): void {
  const level = adr.sections.some((section) => section.level === 1) ? 2 : Math.min(2, topLevel(adr));
  for (const name of demands.requiredSections) {
    const found = candidates(adr, name);
    const right = found.filter((section) => section.level === level);
    if (right.length === 0) missing(titleIn(adr, name), found[0], report);
    else checkAmount(adr, right, demands.minSectionLength, report);
  }
  checkAcceptance(adr, demands.minAcceptanceCriteria, report);
}

function topLevel(adr: Adr): number {
  return Math.min(...adr.sections.map(({ level }) => level));
}

const BOTH: Partial<Record<SectionKind, readonly [english: string, german: string]>> = {
  context: ['Context', 'Kontext'],
  decision: ['Decision', 'Entscheidung'],
  implementation: ['Implementation', 'Implementation'],
  documentation: ['Documentation', 'Dokumentation'],
  acceptance: ['Acceptance criteria', 'Akzeptanzkriterien'],
  consequences: ['Consequences', 'Konsequenzen'],
};

/** What a wanted section would be called in the language of the document. */
function titleIn(adr: Adr, name: string): string {
  const both = BOTH[kindsOf(sectionName(name))[0] ?? 'meta'];
  if (both === undefined) return name;
  const names = new Set(adr.sections.map((section) => section.name));
  const german = Object.values(BOTH).some(([english, own]) => english !== own && names.has(own.toLowerCase()));
  return german ? both[1] : both[0];
}

function candidates(adr: Adr, name: string): Section[] {
  const plain = sectionName(name);
  const [kind] = kindsOf(plain);
  return kind === undefined ? adr.sections.filter((section) => section.name === plain) : sectionsOf(adr, [kind]);
}

function missing(name: string, elsewhere: Section | undefined, report: Report): void {
  const hint = `add a section \`## ${name}\``;
  if (elsewhere === undefined)
    report('error', { check: 'missing-section', message: `the section "${name}" is missing`, hint });
  else {
    const message = `the section "${name}" is missing: "${elsewhere.title}" here is of level ${elsewhere.level}`;
    report('error', { check: 'missing-section', message, hint: `make it \`## ${elsewhere.title}\`` }, elsewhere);
  }
}

/** The first of some sections that says enough, else the one that says most. */
function mostTelling(adr: Adr, sections: readonly Section[], measure: Measure): Amount & { readonly section: Section } {
  let best: (Amount & { readonly section: Section }) | undefined;
  for (const section of sections) {
    const amount = { section, ...amountOf(adr, section, measure) };
    if (best === undefined || amount.length > best.length) best = amount;
    if (best.length >= measure.wanted) break;
  }
  if (best === undefined) throw new TypeError('there is at least one section to choose from');
  return best;
}

function checkAmount(adr: Adr, sections: readonly Section[], minLength: number, report: Report): void {
  const best = mostTelling(adr, sections, { wanted: minLength });
  const place = best.section;
  const name = place.title;
  if (best.state === 'placeholder') report('error', placeholderNote(name), place);
  else if (best.state === 'empty') report('error', emptyNote(name), place);
  else if (best.length < minLength) {
    const message = `the section "${name}" has ${best.length} characters of text, at least ${minLength} are needed`;
    report(
      'error',
      { check: 'short-section', message, hint: 'say what a reader who was not there needs to know' },
      place,
    );
  }
}

function placeholderNote(name: string) {
  return {
    check: 'placeholder',
    message: `the section "${name}" has only placeholder text`,
    hint: 'write the text, or remove the section',
  };
}

function emptyNote(name: string) {
  return {
    check: 'empty-section',
    message: `the section "${name}" is empty`,
    hint: 'write its text; code, quotes and comments do not count',
  };
}

function checkAcceptance(adr: Adr, wanted: number, report: Report): void {
  const sections = sectionsOf(adr, ['acceptance']);
  const [section] = sections;
  if (section === undefined || wanted === 0) return;
  const inside = new Uint8Array(adr.lines.length + 2);
  for (const { first, last } of sections) inside.fill(1, first, last + 1);
  const within = adr.tasks.filter(({ line }) => inside[line] === 1);
  const seen = new Map<string, number>();
  let count = 0;
  for (const task of within) {
    if (isPlaceholder(task.text)) continue;
    const key = task.text
      .toLowerCase()
      .replace(/[\s.,;:!*_`]+/gu, ' ')
      .trim();
    const before = seen.get(key);
    if (before === undefined) count += 1;
    else {
      const message = `this criterion stands already in line ${before}`;
      report(
        'warning',
        { check: 'duplicate-acceptance', message, hint: 'remove one of them, or say how they differ' },
        task,
      );
    }
    seen.set(key, before ?? task.line);
  }
  if (count >= wanted) return;
  const message = `${count} acceptance ${count === 1 ? 'criterion' : 'criteria'} to tick, at least ${wanted} are needed`;
  report(
    'error',
    { check: 'min-acceptance', message, hint: 'write each as a list item with a box: `- [ ] …`' },
    section,
  );
}

const TITLES: Partial<Record<SectionKind, string>> = { options: 'Considered options', consequences: 'Consequences' };

/** Checks the sections of the other profiles: context and decision must say something, the rest is advice. */
export function checkSections(adr: Adr, profile: Exclude<ProfileName, 'helix'>, report: Report): void {
  const { context, decision, expected } = PROFILES[profile];
  checkCore(adr, { kinds: context, title: 'Context', report });
  checkCore(adr, { kinds: decision, title: 'Decision', report });
  for (const kind of expected) {
    if (sectionsOf(adr, [kind]).length > 0) continue;
    const title = TITLES[kind] ?? kind;
    report('warning', {
      check: 'missing-section',
      message: `the section "${title}" is missing`,
      hint: `add a section \`## ${title}\``,
    });
  }
}

const ENOUGH = 20;
const ENOUGH_ABOVE = 50;

type Core = { readonly kinds: readonly SectionKind[]; readonly title: string; readonly report: Report };

function checkCore(adr: Adr, { kinds, title, report }: Core): void {
  const found = sectionsOf(adr, kinds);
  if (found.length === 0) {
    const hint = `add a section \`## ${title}\``;
    const labelled = lineLabelled(adr, kinds);
    const above = title === 'Context' && introduction(adr) >= ENOUGH_ABOVE;
    const where = labelled > 0 ? `in line ${labelled}` : above ? 'above the first section' : undefined;
    if (where === undefined)
      report('error', { check: 'missing-section', message: `the section "${title}" is missing`, hint });
    else {
      const message = `the ${title.toLowerCase()} has no heading of its own: it stands ${where}`;
      report('warning', { check: 'missing-section', message, hint }, { line: Math.max(labelled, 1), column: 1 });
    }
    return;
  }
  const best = mostTelling(adr, found, { wanted: ENOUGH, leniently: true });
  const name = best.section.title;
  if (best.state === 'placeholder') report('error', placeholderNote(name), best.section);
  else if (best.state === 'empty') report('error', emptyNote(name), best.section);
  else if (best.length < ENOUGH) {
    const message = `the section "${name}" has only ${best.length} characters of text`;
    report(
      'warning',
      { check: 'short-section', message, hint: 'say what a reader who was not there needs to know' },
      best.section,
    );
  }
}

const LABEL = /^\s*(?:[-*+]\s+|\|\s*)?(?:\*\*|__)?(\p{L}[^:|*_]{2,60}?)(?:\*\*|__)?\s*[:|]\s*(?:\*\*|__)?\s*(\S.*)$/u;

/** The line that tells what a section should, behind its name: "**Decision**: we use the ledger"; 0 when none does. */
function lineLabelled({ prose }: Adr, kinds: readonly SectionKind[]): number {
  const at = prose.findIndex((line) => {
    if (line.length > LONGEST_LABELLED || !/[:|]/.test(line)) return false;
    const [, name = '', text = ''] = LABEL.exec(line) ?? [];
    const named = sectionName(name);
    // "Chosen option: …" stands in a section that should be called so.
    return text.length >= ENOUGH && !named.endsWith('option') && kindsOf(named).some((kind) => kinds.includes(kind));
  });
  return at + 1;
}

const LONGEST_LABELLED = 5000;

/** How much text stands between the title and the first section; status, date and the like are no context. */
function introduction(adr: Adr): number {
  const title = titleOf(adr);
  if (title === undefined) return 0;
  const next = adr.sections.find(({ line }) => line > title.line);
  const told = new Set([...adr.statuses, ...adr.dates, ...adr.references].map(({ line }) => line));
  const prose = adr.prose.map((text, index) => (told.has(index + 1) ? '' : text));
  return amountOf(
    { ...adr, prose },
    { ...title, last: (next?.line ?? adr.lines.length + 1) - 1, children: [] },
    { wanted: ENOUGH_ABOVE },
  ).length;
}

const MAY_BE_EMPTY: ReadonlySet<SectionKind> = new Set(['status', 'date', 'references', 'meta', 'questions']);

function mayBeEmpty({ name }: Section): boolean {
  return /^statu[st] *[:–-]/.test(name) || kindsOf(name).some((kind) => MAY_BE_EMPTY.has(kind));
}

/** A long line without a slot to fill in: no need to look closer. */
function plainlySays({ prose }: Adr, { first, last }: Section): boolean {
  for (let line = first - 1; line < last; line += 1) {
    const text = prose[line] ?? '';
    if (text.length > 100 && !/[{[<]/.test(text)) return true;
  }
  return false;
}

/** Warns of every other section that has nothing in it. */
export function checkEmptySections(adr: Adr, report: Report, told: ReadonlySet<number>): void {
  for (const section of adr.sections) {
    if (section.level === 1 || section.children.length > 0 || told.has(section.line)) continue;
    if (section.last - section.first > 6 || mayBeEmpty(section) || plainlySays(adr, section)) continue;
    const { state } = amountOf(adr, section, { wanted: 1, leniently: true });
    if (state === 'text' || !isBlank(adr, section)) continue;
    if (state === 'empty') report('warning', emptyNote(section.title), section);
    else if (!/^\W*n\W?a\W*$/i.test(proseOf(adr, section))) report('warning', placeholderNote(section.title), section);
  }
}

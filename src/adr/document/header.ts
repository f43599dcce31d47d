import { present } from '../../domain/present.ts';
import type { Adr, Place, Reference, Section, Told } from './adr.ts';
import { fileNumber, headingNumber, namesIn } from './adr-names.ts';

type Body = Pick<Adr, 'path' | 'lines' | 'prose' | 'frontMatter' | 'sections'>;
type Header = Pick<Adr, 'legacyHeader' | 'ids' | 'titles' | 'statuses' | 'dates' | 'references'>;

/** What an ADR tells about itself, wherever it does: front matter, lines, bullets or a table at the top, sections, its title. */
export function readHeader(adr: Body): Header {
  const title =
    adr.sections.find(({ level }) => level === 1) ??
    adr.sections.find(({ name }) => /^(?:adr\b|decision record\b)/.test(name));
  const top = topFields(adr, title);
  const statuses = [...field(adr, ['status']), ...(top.get('status') ?? []), ...sectionStatus(adr)];
  const heading = title === undefined ? undefined : headingNumber(title.title);
  const fileId = fileNumber(adr.path);
  return {
    legacyHeader: adr.frontMatter === undefined && [...top.values()].flat().some(({ bold }) => bold),
    ids: [
      ...field(adr, ['adr_id', 'id', 'number']),
      ...(title !== undefined && heading?.id !== undefined
        ? [{ ...placeOf(title), value: heading.id, source: 'heading' as const }]
        : []),
      ...(fileId === undefined ? [] : [{ line: 1, column: 1, value: fileId, source: 'file-name' as const }]),
    ],
    titles: [
      ...field(adr, ['title']),
      ...(title !== undefined
        ? [{ ...placeOf(title), value: heading?.title ?? title.title, source: 'heading' as const }]
        : []),
    ],
    statuses,
    dates: [...field(adr, ['date']), ...(top.get('date') ?? []), ...sectionValue(adr, 'date')],
    references: [
      ...fieldReferences(adr),
      ...topReferences(top),
      ...statuses.flatMap(statusReferences),
      ...statusSectionReferences(adr),
    ],
  };
}

function placeOf({ line, column }: Place): Place {
  return { line, column };
}

function field(adr: Body, names: readonly string[]): Told[] {
  const { frontMatter } = adr;
  return names.flatMap((name) => {
    const value = frontMatter?.fields[name];
    if (frontMatter === undefined || (typeof value !== 'string' && typeof value !== 'number')) return [];
    return [{ ...locate(adr, [name]), value: String(value).trim(), source: 'front-matter' as const }];
  });
}

function locate({ frontMatter }: Body, path: readonly PropertyKey[]): Place {
  const { line = 1, column = 1 } = frontMatter?.locate(path) ?? {};
  return { line, column };
}

const REFERENCE_FIELDS: readonly (readonly [string, Reference['kind']])[] = [
  ['depends_on', 'depends_on'],
  ['depends-on', 'depends_on'],
  ['related_to', 'related_to'],
  ['supersedes', 'supersedes'],
  ['superseded_by', 'superseded_by'],
  ['superseded-by', 'superseded_by'],
];

function fieldReferences(adr: Body): Reference[] {
  return REFERENCE_FIELDS.flatMap(([name, kind]) => {
    const value = adr.frontMatter?.fields[name];
    const entries = Array.isArray(value) ? value : [value];
    return entries.flatMap((entry, index): Reference[] => {
      if (typeof entry !== 'string' && typeof entry !== 'number') return [];
      if (String(entry).trim() === '') return [];
      const place = locate(adr, Array.isArray(value) ? [name, index] : [name]);
      return [{ ...place, value: String(entry).trim(), source: 'front-matter', kind }];
    });
  });
}

type TopField = Told & { readonly bold: boolean };

const KEYS: Readonly<Record<string, string>> = {
  status: 'status',
  statut: 'status',
  state: 'status',
  date: 'date',
  datum: 'date',
  bezug: 'related_to',
  related: 'related_to',
  'related to': 'related_to',
  'related adrs': 'related_to',
  'depends on': 'depends_on',
  'abhängig von': 'depends_on',
  'dépend de': 'depends_on',
  supersedes: 'supersedes',
  ersetzt: 'supersedes',
  remplace: 'supersedes',
  'superseded by': 'superseded_by',
  'ersetzt durch': 'superseded_by',
  'abgelöst durch': 'superseded_by',
  'remplacé par': 'superseded_by',
};

/** A field is no paragraph. */
const LONGEST_FIELD = 400;

const LINE =
  /^\s*(?:[-*+]\s+)?(\*\*|__)?([A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ _-]{1,30}?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.*?)\s*$/;
const ROW = /^\s*\|\s*(\*\*|__)?([A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ _-]{1,30}?)(?:\*\*|__)?:?\s*\|\s*([^|]*?)\s*\|/;

/** Fields written as lines, bullets or table rows between the title and the first section. */
function topFields(adr: Body, title: Section | undefined): ReadonlyMap<string, readonly TopField[]> {
  const fields = new Map<string, TopField[]>();
  const from = title?.line ?? 0;
  const next = adr.sections.find(({ line, level }) => line > from && level <= 6);
  const last = Math.min((next?.line ?? adr.lines.length + 1) - 1, from + 60);
  for (let line = adr.frontMatter?.last ?? 0; line < last; line += 1) {
    const text = adr.prose[line] ?? '';
    if (text.length > LONGEST_FIELD || !/[:|]/.test(text)) continue;
    const [, bold, key = '', value = ''] = LINE.exec(text) ?? ROW.exec(text) ?? [];
    const name = KEYS[key.trim().toLowerCase()];
    if (name === undefined || value === '') continue;
    const told = {
      line: line + 1,
      column: text.indexOf(value, text.indexOf(key) + key.length) + 1,
      value,
      source: 'top' as const,
      bold: bold !== undefined,
    };
    fields.set(name, [...(fields.get(name) ?? []), told]);
  }
  return fields;
}

function topReferences(top: ReadonlyMap<string, readonly TopField[]>): Reference[] {
  const kinds = ['depends_on', 'related_to', 'supersedes', 'superseded_by'] as const;
  return kinds.flatMap((kind) => (top.get(kind) ?? []).flatMap(({ bold: _, ...told }) => references(told, kind)));
}

function references(told: Told, kind: Reference['kind']): Reference[] {
  return namesIn(told.value).map(({ name, at, target }) => ({
    ...told,
    column: told.column + at,
    value: name,
    kind,
    ...present({ target }),
  }));
}

/** `## Status` with its value below it, or `## Status: Accepted`. */
function sectionStatus(adr: Body): Told[] {
  const inline = adr.sections.flatMap((section): Told[] => {
    if (!section.name.startsWith('stat') || !/^(?:status|statut)\s*[:–-]\s*\S/i.test(section.title)) return [];
    const line = adr.lines[section.line - 1] ?? '';
    const [before = '', value = ''] = /^.*?stat(?:us|ut)[^:–-]*[:–-][\s*_]*(?=(\S.*))/i.exec(line) ?? [];
    return [
      { line: section.line, column: before.length + 1, value: value.replace(/[\s#*_]+$/, ''), source: 'section' },
    ];
  });
  return [...inline, ...sectionValue(adr, 'status')];
}

/** The first line with text in a section of this kind, without list marker and emphasis. */
function sectionValue(adr: Body, kind: 'status' | 'date'): Told[] {
  return adr.sections.flatMap((section): Told[] => {
    if (!section.kinds.includes(kind) || (section.parent?.level ?? 1) > 1) return [];
    const own = section.children[0]?.line ?? section.last + 1;
    for (let line = section.first; line < own; line += 1) {
      const text = adr.prose[line - 1] ?? '';
      const value = plainValue(text);
      // Of boxes to choose from, the one that is ticked.
      if (value !== '' && !/^\s*[-*+]\s+\[ \]\s/.test(text))
        return [{ line, column: columnOf(text, value), value, source: 'section' }];
    }
    return [];
  });
}

/** Where a value starts in the line it was read from, whose markup it lacks. */
function columnOf(text: string, value: string): number {
  const [word = ''] = /^\S+/.exec(value) ?? [];
  const at = text.indexOf(word);
  return (at === -1 ? text.length - text.trimStart().length : at) + 1;
}

function plainValue(text: string): string {
  return text
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+(?:\[[xX]\]\s+)?/, '')
    .replace(/^(?:status|statut|date|datum)\s*:\s*/i, '')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/^[^\p{L}\p{N}[({]+/u, '')
    .trim();
}

const SUPERSEDED_BY =
  /(?:superseded|replaced|obsoleted)\s+(?:by|in|with)|(?:ersetzt|abgelöst)\s+durch|remplacée?\s+par/i;
const SUPERSEDES = /\bsupersedes\b|\breplaces\b|\bobsoletes\b|\bersetzt\b(?!\s+durch)|\bremplace\b/i;

function statusReferences(told: Told): Reference[] {
  // A template's list of what a status can be refers to nothing.
  if (/^[{<]|\|/.test(told.value)) return [];
  const found = SUPERSEDED_BY.exec(told.value) ?? SUPERSEDES.exec(told.value);
  if (found === null) return [];
  const kind = SUPERSEDED_BY.test(told.value) ? 'superseded_by' : 'supersedes';
  const at = found.index + (kind === 'superseded_by' ? found[0].length : 0);
  return references({ ...told, column: told.column + at, value: told.value.slice(at) }, kind);
}

/** adr-tools writes its links below the status, one in each paragraph. */
function statusSectionReferences(adr: Body): Reference[] {
  return adr.sections
    .filter(({ kinds, parent }) => (parent?.level ?? 1) === 1 && kinds.includes('status'))
    .flatMap((section) => {
      let seen = false;
      return adr.prose.slice(section.first - 1, section.last).flatMap((text, index) => {
        const value = plainValue(text);
        if (value === '') return [];
        // The first line was read as the status itself.
        const first = !seen;
        seen = true;
        return first
          ? []
          : statusReferences({ line: section.first + index, column: columnOf(text, value), value, source: 'section' });
      });
    });
}

import type { Adr } from '../document/adr.ts';
import type { SectionKind } from '../document/section-names.ts';
import { HELIX_SECTIONS, type ProfileName } from './profiles.ts';

/** Fields that only the front matter of HELIX has. */
const HELIX_FIELDS = ['adr_id', 'component_type', 'change_scope', 'classification'];

const MADR_NAMES = new Set([
  'context and problem statement',
  'decision outcome',
  'decision drivers',
  'considered options',
  'pros and cons of the options',
  'kontext und problemstellung',
  'ergebnis der entscheidung',
  'entscheidungstreiber',
  'betrachtete optionen',
  'contexte et énoncé du problème',
  'résultat de la décision',
  'options envisagées',
]);

/** Which form an ADR has, by its headings and never by the mere presence of front matter; undefined when they do not tell. */
export function detectProfile(adr: Adr): ProfileName | undefined {
  const names = new Set(adr.sections.map(({ name }) => name));
  const kinds = new Set(adr.sections.flatMap((section) => section.kinds));
  if (isHelix(adr)) return 'helix';
  const madr = [...names].filter((name) => MADR_NAMES.has(name)).length;
  if (madr >= 2) return 'madr';
  if (names.has('rationale') && kinds.has('decision') && !names.has('context')) return 'rationale';
  if (isWhatWhy(names, kinds)) return 'what-why';
  const nygard = (['context', 'decision', 'consequences', 'status'] as const).filter((kind) => kinds.has(kind)).length;
  if (nygard >= 3 || (nygard === 2 && madr === 0 && !kinds.has('options'))) return 'nygard';
  return madr === 1 ? 'madr' : undefined;
}

/** Two of What, Why and How, where neither context nor decision has its own name. */
function isWhatWhy(names: ReadonlySet<string>, kinds: ReadonlySet<SectionKind>): boolean {
  if (names.has('context') || names.has('decision')) return false;
  return (
    [kinds.has('what'), kinds.has('why'), names.has('how') || names.has('wie') || names.has('comment')].filter(Boolean)
      .length >= 2
  );
}

function isHelix({ frontMatter, sections }: Adr): boolean {
  if (HELIX_FIELDS.some((field) => Object.hasOwn(frontMatter?.fields ?? {}, field))) return true;
  const kinds = new Set(sections.filter(({ level }) => level === 2).flatMap((section) => section.kinds));
  return kinds.has('documentation') && HELIX_SECTIONS.filter((kind) => kinds.has(kind)).length >= 5;
}

const CORE: readonly SectionKind[] = ['context', 'decision', 'consequences', 'options'];

/** True when a document says that it is an ADR: by an id of its own or by its sections; many documents have a status. */
export function looksLikeAdr(adr: Adr): boolean {
  if (adr.ids.some(({ source }) => source !== 'file-name') || /adr[-_ ]?\d[^/]*$/i.test(adr.path)) return true;
  return adr.sections.some(({ kinds, level }) => level <= 3 && kinds.some((kind) => CORE.includes(kind)));
}

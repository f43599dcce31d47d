import type { Adr, Place, Reference, Told } from '../document/adr.ts';

/** The fields of an ADR that a rule can ask for; those of `files` by their whole name. */
export const KNOWN_FIELDS = [
  'adr_id',
  'title',
  'status',
  'date',
  'project_type',
  'component_type',
  'classification',
  'change_scope',
  'domain',
  'language',
  'skills',
  'files',
  'files_create',
  'files_modify',
  'files_docs',
  'depends_on',
  'related_to',
  'supersedes',
  'superseded_by',
] as const;

/** The values of a field as text; a header without YAML tells some of them too. */
export function fieldValues(adr: Adr, field: string): string[] {
  const written = pathOf(field).reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    adr.frontMatter?.fields,
  );
  const values = textsIn(written);
  return values.length > 0 ? values : toldElsewhere(adr, field).map(({ value }) => value);
}

/** Where a field stands; undefined when the ADR does not have it. */
export function placeOfField(adr: Adr, field: string): Place | undefined {
  if (fieldValues(adr, field).length === 0) return undefined;
  const path = pathOf(field);
  if (adr.frontMatter?.fields[path[0] ?? ''] === undefined) return toldElsewhere(adr, field)[0];
  const { line = 1, column = 1 } = adr.frontMatter.locate(path);
  return { line, column };
}

function pathOf(field: string): string[] {
  return field.startsWith('files_') ? ['files', field.slice('files_'.length)] : [field];
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' ? [] : [text];
}

function toldElsewhere(adr: Adr, field: string): readonly Told[] {
  switch (field) {
    case 'adr_id':
      return adr.ids;
    case 'title':
      return adr.titles;
    case 'status':
      return adr.statuses.slice(0, 1);
    case 'date':
      return adr.dates.slice(0, 1);
    default:
      return adr.references.filter(({ kind }: Reference) => kind === field);
  }
}

import { type ZodType, z } from 'zod';
import { fieldsOf } from '../../../text/agent-words/fields.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema of an answer in the strict form its model asks for: every property is required, one that may be missing may be null,
 * and a map, whose keys nobody knows beforehand, is a list of entries.
 */
export function strictSchema(answer: ZodType): Schema {
  return strict(schemaOf(answer)) as Schema;
}

function schemaOf(answer: ZodType): Schema {
  return z.toJSONSchema(answer, { target: 'draft-7' }) as Schema;
}

const ENTRIES: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { key: { type: 'string' }, values: { type: 'array', items: { type: 'string' } } },
    required: ['key', 'values'],
    additionalProperties: false,
  },
};

function isMap({ type, properties, additionalProperties }: Schema): boolean {
  return type === 'object' && properties === undefined && typeof additionalProperties === 'object';
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  if (isMap(schema as Schema)) return ENTRIES;
  const { oneOf, properties, required, ...rest } = schema as Record<string, unknown>;
  const parts = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, strict(part)]));
  const either = oneOf === undefined ? {} : { anyOf: strict(oneOf) };
  if (properties === undefined) return { ...parts, ...either };
  const asked = new Set(Array.isArray(required) ? required : []);
  const all = Object.entries(fieldsOf(properties)).map(([name, part]) => {
    const own = strict(part);
    return [name, asked.has(name) ? own : { anyOf: [own, { type: 'null' }] }] as const;
  });
  return {
    ...parts,
    ...either,
    properties: Object.fromEntries(all),
    required: all.map(([name]) => name),
    additionalProperties: false,
  };
}

/** An answer in the strict form as it was asked for: with maps, and without the nulls that stand for what is missing. */
export function asAsked(value: unknown, answer: ZodType): unknown {
  return withoutNulls(withMaps(value, schemaOf(answer)));
}

function withMaps(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { properties, items } = branchFor(value, schema);
  if (Array.isArray(value)) {
    if (isMap(branchFor(value, schema)))
      return Object.fromEntries(value.map((entry) => [String(fieldsOf(entry).key), fieldsOf(entry).values]));
    return value.map((part) => withMaps(part, fieldsOf(items)));
  }
  const known = fieldsOf(properties);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withMaps(part, fieldsOf(known[name]))]));
}

/** Of several forms the one a value can have: that of a list, of a map that came as one, or of an object. */
function branchFor(value: object, schema: Schema): Schema {
  const forms = [schema.anyOf ?? schema.oneOf ?? []].flat() as Schema[];
  if (forms.length === 0) return schema;
  const inner = forms.map((form) => branchFor(value, form));
  const wanted = (form: Schema) =>
    Array.isArray(value) ? form.type === 'array' || isMap(form) : form.type === 'object';
  return inner.find(wanted) ?? {};
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]])),
  );
}

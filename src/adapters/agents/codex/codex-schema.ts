import { type ZodType, z } from 'zod';
import { fieldsOf } from '../../../text/agent-words/fields.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schema of an answer in the strict form its model asks for: every property is required, and one that may be missing may be null. */
export function strictSchema(answer: ZodType): Schema {
  return strict(z.toJSONSchema(answer, { target: 'draft-7' })) as Schema;
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
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

/** An answer without the nulls that stand for what is missing. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]])),
  );
}

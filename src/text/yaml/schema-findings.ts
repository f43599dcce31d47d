import { z } from 'zod';
import { suggestion } from '../did-you-mean.ts';
import { isRecord } from '../is-record.ts';
import { oneLine } from '../sanitise.ts';
import type { FileFindings, Note } from './file-findings.ts';
import type { YamlPath } from './yaml.ts';

type Issue = z.core.$ZodIssue;
/** A value that stands at a place of a file, and where to report what is wrong with it. */
export type Shaped = { readonly value: unknown; readonly path: YamlPath; readonly findings: FileFindings };

/** Reads a map against its schema, reporting every difference; what is wrong, or not worth reading any more, is left out. */
export function readMap<S extends z.ZodRawShape>(
  schema: z.ZodObject<S>,
  shaped: Shaped,
): Partial<z.infer<z.ZodObject<S>>> {
  if (shaped.findings.full) return {};
  const parsed = parseOnce(schema, shaped.value);
  if (parsed.success) return parsed.data as Partial<z.infer<z.ZodObject<S>>>;
  reportIssues(parsed.error.issues, schema, shaped);
  if (!isRecord(shaped.value)) return {};
  const wrong = new Set(parsed.error.issues.flatMap(entriesOf));
  const rest = Object.fromEntries(Object.entries(shaped.value).filter(([key]) => !wrong.has(key)));
  return (parseOnce(partialOf(schema), rest).data ?? {}) as Partial<z.infer<z.ZodObject<S>>>;
}

/** So many values are read before it pays to let zod write a program for each schema. */
const FEW = 200;
let read = 0;

/** Parses as zod does, but without the program it would write for a schema: most of them are needed once in a process. */
export function parseOnce<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  read += 1;
  return schema.safeParse(value, { jitless: read <= FEW });
}

const partials = new WeakMap<z.ZodObject, z.ZodObject>();

/** Made once per schema: zod compiles each one, which is dear for thousands of phases. */
function partialOf(schema: z.ZodObject): z.ZodObject {
  const partial = partials.get(schema) ?? schema.partial();
  partials.set(schema, partial);
  return partial;
}

/** Reports what zod found as findings with places and guesses. */
export function reportIssues(issues: readonly Issue[], schema: z.ZodType, { value, path, findings }: Shaped): void {
  for (const issue of issues.flatMap((each) => specific(each, value))) {
    const at = [...path, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path);
      for (const key of issue.keys) {
        const hint = known.length === 0 ? 'remove it' : suggestion(key, known);
        findings.errorAtKey([...at, key], { check: 'unknown-key', message: `unknown key "${oneLine(key, 60)}"`, hint });
      }
    } else findings.error(at, describe(issue, valueAt(value, issue.path)));
  }
}

function entriesOf(issue: Issue): PropertyKey[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return issue.keys;
  return issue.path.slice(0, 1);
}

/** Replaces a failed union by the issues of the one form that was obviously meant. */
function specific(issue: Issue, root: unknown): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const value = valueAt(root, issue.path);
  const likely = issue.errors.filter((branch) => !branch.some((each) => each.path.length === 0 && failsAsAWhole(each)));
  const meant = likely.find((branch) => !branch.some(({ code }) => code === 'unrecognized_keys')) ?? likely[0];
  if (meant === undefined) return [issue];
  return meant.flatMap((each) =>
    specific(each, value).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue),
  );
}

function failsAsAWhole(issue: Issue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map',
  record: 'a map',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const EXAMPLES: Readonly<Record<string, string>> = {
  'a list': 'write it as [first, second]',
  'a map': 'write its keys below it, indented',
  text: 'write text, in quotes where in doubt',
  'a number': 'write a number such as 3',
  'a whole number': 'write a whole number such as 3',
  'true or false': 'write true or false, without quotes',
};

const NAMES: Readonly<Record<string, string>> = { type: 'phase type', mode: 'workspace mode' };

const HINTS: Readonly<Record<string, string>> = {
  quality_gate: 'write it as { type: files_exist }, or as a list of such gates',
  command: 'write it as a list: [npm, test]',
  id: 'use letters, digits, - and _, at most 64, the first one a letter or digit',
};

function describe(issue: Issue, value: unknown): Note {
  const key = String(issue.path.findLast((step) => typeof step === 'string') ?? 'the file');
  const within = typeof issue.path.at(-1) === 'number' ? `an entry of "${key}"` : `"${key}"`;
  const subject = issue.path.length === 0 ? 'this' : within;
  const options = optionsOf(issue);
  if (value === undefined) return missing(key, options);
  if (value === null)
    return { check: 'missing-value', message: `${subject} has no value`, hint: 'give it one, or remove the key' };
  if (typeof value === 'string' && options.length > 0) {
    const hint = suggestion(value, options);
    return { check: 'unknown-value', message: `unknown ${NAMES[key] ?? key} "${oneLine(value, 60)}"`, hint };
  }
  const hint = HINTS[key] ?? EXAMPLES[kindsOf(issue)[0] ?? ''] ?? 'change the value';
  return { check: 'invalid-value', message: `${subject} ${demand(issue, value)}`, hint };
}

function missing(key: string, options: readonly string[]): Note {
  const hint = options.length > 0 ? `one of: ${options.join(', ')}` : (HINTS[key] ?? `add "${key}"`);
  return { check: 'missing-key', message: `"${key}" is missing`, hint };
}

function optionsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union') return [];
  const options = issue.errors.flat().flatMap(optionsOf);
  const flags = options.length > 0 && kindsOf(issue).includes('true or false') ? ['true', 'false'] : [];
  return [...new Set([...options, ...flags])];
}

function kindsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flat().flatMap(kindsOf))];
  return issue.code === 'invalid_type' ? [KINDS[issue.expected] ?? issue.expected] : [];
}

function demand(issue: Issue, value: unknown): string {
  const kinds = kindsOf(issue);
  if (kinds.length > 0) return `must be ${kinds.join(' or ')}, not ${kindOf(value)}`;
  if (issue.code === 'too_small') return issue.origin === 'number' ? atLeast(issue) : 'must not be empty';
  if (issue.code === 'too_big') return atMost(issue);
  if (issue.code === 'invalid_format') return `cannot be "${oneLine(String(value), 60)}"`;
  return `is not valid: ${oneLine(issue.message, 200)}`;
}

function atLeast(issue: z.core.$ZodIssueTooSmall): string {
  return issue.inclusive ? `must be at least ${issue.minimum}` : `must be more than ${issue.minimum}`;
}

function atMost({ origin, maximum }: z.core.$ZodIssueTooBig): string {
  if (origin === 'array') return `must have at most ${maximum} entries`;
  return origin === 'string' ? `must have at most ${maximum} characters` : `must be at most ${maximum}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : String(value);
  return KINDS[typeof value] ?? typeof value;
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    value,
  );
}

/** The keys a schema knows at a path, those of all forms together. */
function keysAt(schema: unknown, path: YamlPath): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return keysAt(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap((option) => keysAt(option, path)))];
  const [step, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    return step === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(step)], rest);
  }
  if (step === undefined) return [];
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest);
  return schema instanceof z.ZodRecord ? keysAt(schema.valueType, rest) : [];
}

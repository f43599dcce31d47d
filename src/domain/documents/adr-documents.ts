import { z } from 'zod';
import { Finding } from '../finding.ts';

/** Nobody changes a document that was made. */
type Frozen<T> = T extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

const Severity = Finding.shape.severity;
const Layer = z.union([z.literal([1, 2, 3]), z.literal('corpus')]);
const Place = z.strictObject({ line: z.int().positive(), column: z.int().positive() });
const RuleCounts = z.strictObject({
  checked: z.int().nonnegative(),
  triggered: z.int().nonnegative(),
  passed: z.int().nonnegative(),
});

/** One finding in `helix adr check --format json`; a hint that there is none is empty. */
const AdrFindingEntry = z.strictObject({
  severity: Severity,
  check: z.string(),
  message: z.string(),
  hint: z.string(),
  layer: Layer,
  location: Place,
});
export type AdrFindingEntry = Frozen<z.infer<typeof AdrFindingEntry>>;

const AdrFileEntry = z.strictObject({
  path: z.string(),
  profile: z.string(),
  verdict: z.enum(['pass', 'reject']),
  findings: z.array(AdrFindingEntry),
});
export type AdrFileEntry = Frozen<z.infer<typeof AdrFileEntry>>;

/** What `helix adr check --format json` prints. */
export const AdrCheckDocument = z.strictObject({
  schema: z.literal('helix.adr-check/1'),
  summary: z.strictObject({
    files: z.int().nonnegative(),
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    errors: z.int().nonnegative(),
    warnings: z.int().nonnegative(),
    infos: z.int().nonnegative(),
    rules: RuleCounts,
  }),
  files: z.array(AdrFileEntry),
});
export type AdrCheckDocument = Frozen<z.infer<typeof AdrCheckDocument>>;

/** What is known about one check: why it is there, and how to mend what it finds. */
const CheckDescription = z.strictObject({
  check: z.string(),
  layer: Layer,
  severity: Severity,
  summary: z.string(),
  why: z.string(),
  mend: z.string(),
  bad: z.string().optional(),
  good: z.string().optional(),
});
export type CheckDescription = Frozen<z.infer<typeof CheckDescription>>;

/** What `helix adr explain --json` prints. */
export const AdrExplainDocument = z.strictObject({
  schema: z.literal('helix.adr-explain/1'),
  checks: z.array(CheckDescription),
});
export type AdrExplainDocument = Frozen<z.infer<typeof AdrExplainDocument>>;

const BaselineEntry = z.strictObject({
  path: z.string(),
  check: z.string(),
  fingerprint: z.string(),
  count: z.int().positive(),
});

/** The file of `--baseline`: findings that are known; paths are relative to its folder. */
export const AdrBaseline = z.strictObject({
  schema: z.literal('helix.adr-baseline/1'),
  findings: z.array(BaselineEntry),
});
export type AdrBaseline = Frozen<z.infer<typeof AdrBaseline>>;

const BestPlace = z.strictObject({ ...Place.shape, section: z.string(), similarity: z.number() });
const Evidence = z.strictObject({
  terms: z.array(z.string()),
  values: z.array(z.string()),
  items: z.array(z.string()),
});
const Compared = z.strictObject({
  ...Place.shape,
  title: z.string(),
  obligation: z.string().nullable(),
  best: BestPlace.nullable(),
});
const Titled = z.strictObject({ ...Place.shape, title: z.string() });

/** What `helix adr diff-concept --format json` prints; places are those of the concept, `best` and `extra` those of the ADR. */
export const ConceptDiffDocument = z.strictObject({
  schema: z.literal('helix.concept-diff/1'),
  concept: z.string(),
  coveragePercent: z.number().min(0).max(100),
  missing: z.array(Compared.extend({ below: z.array(z.string()), evidence: Evidence })),
  thinned: z.array(
    Compared.extend({ items: z.int().nonnegative(), lostItems: z.int().nonnegative(), evidence: Evidence }),
  ),
  changed: z.array(
    Compared.extend({ before: z.string(), after: z.string(), text: z.string(), changedText: z.string() }),
  ),
  extra: z.array(Titled),
  waived: z.array(Titled.extend({ reason: z.string() })),
});
export type ConceptDiffDocument = Frozen<z.infer<typeof ConceptDiffDocument>>;

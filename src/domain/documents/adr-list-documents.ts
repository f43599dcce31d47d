import { z } from 'zod';

/** What an ADR says about itself, as far as it does. */
export const AdrFacts = z.strictObject({
  path: z.string(),
  id: z.string().optional(),
  title: z.string(),
  status: z.enum(['proposed', 'accepted', 'implemented', 'superseded', 'deprecated', 'rejected']).optional(),
  /** As written. */
  statusText: z.string().optional(),
  date: z.string().optional(),
  /** Paths of the ADRs that replaced it. */
  supersededBy: z.array(z.string()),
});
export type AdrFacts = z.infer<typeof AdrFacts>;

const RelationKind = z.enum(['depends_on', 'related_to', 'supersedes', 'superseded_by']);

/** `helix adr list --json` */
export const AdrListDocument = z.strictObject({
  schema: z.literal('helix.adr-list/1'),
  directory: z.string(),
  adrs: z.array(AdrFacts),
  unreadable: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});
export type AdrListDocument = z.infer<typeof AdrListDocument>;

/** The files an ADR says it governs. */
export const AdrGovernedFiles = z.strictObject({
  create: z.array(z.string()),
  modify: z.array(z.string()),
  docs: z.array(z.string()),
});
export type AdrGovernedFiles = z.infer<typeof AdrGovernedFiles>;

/** `helix adr show --json` */
export const AdrShowDocument = z.strictObject({
  schema: z.literal('helix.adr-show/1'),
  adr: AdrFacts,
  sections: z.array(z.strictObject({ title: z.string(), level: z.int().positive(), line: z.int().positive() })),
  /** Whom it names; without a path there is no such ADR. */
  references: z.array(
    z.strictObject({
      kind: RelationKind,
      name: z.string(),
      path: z.string().optional(),
      title: z.string().optional(),
      line: z.int().positive(),
    }),
  ),
  /** Who names it. */
  referencedBy: z.array(
    z.strictObject({ kind: RelationKind, path: z.string(), title: z.string(), line: z.int().positive() }),
  ),
  files: AdrGovernedFiles,
});
export type AdrShowDocument = z.infer<typeof AdrShowDocument>;

/** `helix adr graph --format json`; an edge leads from the ADR that depends, relates or supersedes. */
export const AdrGraphDocument = z.strictObject({
  schema: z.literal('helix.adr-graph/1'),
  directory: z.string(),
  nodes: z.array(AdrFacts.omit({ supersededBy: true })),
  edges: z.array(
    z.strictObject({ from: z.string(), to: z.string(), kind: z.enum(['depends_on', 'related_to', 'supersedes']) }),
  ),
});
export type AdrGraphDocument = z.infer<typeof AdrGraphDocument>;

/** `helix adr for --json` */
export const AdrForDocument = z.strictObject({
  schema: z.literal('helix.adr-for/1'),
  files: z.array(
    z.strictObject({
      path: z.string(),
      adrs: z.array(
        z.strictObject({
          adr: AdrFacts,
          as: z.enum(['create', 'modify', 'docs']),
          /** The entry of the ADR that covers the file. */
          entry: z.string(),
        }),
      ),
    }),
  ),
});
export type AdrForDocument = z.infer<typeof AdrForDocument>;

/** `helix adr new --json` */
export const AdrNewDocument = z.strictObject({
  schema: z.literal('helix.adr-new/1'),
  path: z.string(),
  id: z.string().optional(),
  title: z.string(),
  profile: z.string(),
  /** The template of the folder itself, if it was used. */
  template: z.string().optional(),
  supersedes: z.string().optional(),
  dryRun: z.boolean(),
});
export type AdrNewDocument = z.infer<typeof AdrNewDocument>;

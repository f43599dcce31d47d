import type { Conventions } from '../brief/conventions.ts';
import type { Finding } from '../domain/finding.ts';
import type { ApprovalSettings } from '../domain/judge/approval.ts';
import type { Snapshot } from '../ports/tree.ts';

/** One check of a definition. */
export type Check = {
  readonly id: string;
  /** Without its front matter. */
  readonly text: string;
  /** What may be answered `not_applicable`, in short phrases; undefined where the check has no front matter. */
  readonly notApplicable?: readonly string[];
  /** Of the whole file. */
  readonly sha256: string;
};

/** What judges of one type are told: the project's own folder `approvals/<type>/`, else the one HELIX ships. */
export type Definition = {
  readonly type: string;
  /** CLAUDE.md. */
  readonly text: string;
  readonly checks: readonly Check[];
  /** What stands in `skills/`, by path below the definition's folder. */
  readonly skills: readonly { readonly path: string; readonly text: string }[];
  /** Every file it consists of, by path below its folder. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** Over all of it. */
  readonly sha256: string;
};

/** A question to a judge, whole: nothing else reaches it. */
export type Question = {
  readonly type: string;
  readonly role: 'reviewer' | 'verifier';
  readonly definition: Definition;
  /** The checks to answer, in order. */
  readonly checks: readonly Check[];
  readonly settings: ApprovalSettings;
  readonly inputs: readonly { readonly path: string; readonly sha256: string }[];
  readonly snapshot: Snapshot;
  /** What changed, as a patch, where that is known. */
  readonly difference?: string;
  /** What the project's owner wrote for agents before the work began. */
  readonly conventions: Conventions;
  /** The language to answer in. */
  readonly language: string;
  /** What the work must come to, for a verifier. */
  readonly criteria: readonly string[];
  /** What the free checks found. */
  readonly found: readonly Finding[];
};

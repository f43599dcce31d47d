import type { Conventions } from '../brief/conventions.ts';
import type { SpecNow } from '../brief/spec-part.ts';
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

/** What the work was asked to be, in the words of those who asked; whoever made it has no say in this. */
export type AskedFor = {
  /** The request of the user, word for word. */
  readonly request?: string;
  /** What the plan asked of the phases whose work is judged, and of the judge's own phase. */
  readonly tasks: readonly { readonly of: string; readonly text: string }[];
  /** The specification as it stands now. */
  readonly spec?: SpecNow;
};

/** What HELIX has found out by itself, so that no judge is asked. */
export type Settled = {
  /** The check that is answered by it, if it is one. */
  readonly check?: string;
  readonly words: string;
};

/** A question to a judge, whole: nothing else reaches it. */
export type Question = {
  readonly type: string;
  readonly role: 'reviewer' | 'verifier';
  readonly definition: Definition;
  /** The checks to answer, in order, less those that are settled. */
  readonly checks: readonly Check[];
  readonly settings: ApprovalSettings;
  readonly inputs: readonly { readonly path: string; readonly sha256: string }[];
  readonly snapshot: Snapshot;
  /** What changed, as a patch, where that is known. */
  readonly difference?: string;
  /** What of it is new, as a patch, where the work goes on from a result that was accepted. */
  readonly newPart?: string;
  /** What the project's owner wrote for agents before the work began. */
  readonly conventions: Conventions;
  /** The language to answer in; without one, that of what is judged. */
  readonly language?: string;
  readonly asked: AskedFor;
  /** Where the concept lies in the copy that the work was made from. */
  readonly concept?: string;
  /** What the work must come to, for a verifier. */
  readonly criteria: readonly string[];
  readonly settled: readonly Settled[];
  /** The checks of the definition that are settled: they pass. */
  readonly settledChecks: readonly Check[];
  /** What the free checks found. */
  readonly found: readonly Finding[];
};

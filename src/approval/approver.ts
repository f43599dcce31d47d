import type { Finding } from '../domain/finding.ts';
import type { ApprovalResult } from '../domain/judge/approval.ts';
import type { FailureClass } from '../domain/verdict.ts';
import type { Settled } from './question.ts';

/** The way from a gate to independent judges. */
export interface Approver {
  ask(request: ApprovalRequest): Promise<ApprovalAnswer>;
  /** The approvals that the run's journal holds and nothing has made void, oldest first, and where copies of them were laid. */
  readonly given: readonly {
    readonly result: ApprovalResult;
    readonly outputs: readonly string[];
    /** A human let it pass where the judge was not sure. */
    readonly vouched?: boolean;
  }[];
  /** What the attempt was given: the paths its judge sees it at. */
  readonly inputs: readonly string[];
}

/** What a gate wants approved. */
export type ApprovalRequest = {
  readonly type: string;
  readonly role: 'reviewer' | 'verifier';
  /** Paths of the judged tree and of its inputs; where a pattern stands it has been resolved already. */
  readonly files: readonly string[];
  /** The revision the difference starts from, where it is not the tree the phase began with. */
  readonly diff?: string;
  /** What the gate itself says over config/approvals.yaml. */
  readonly checks?: readonly string[];
  readonly model?: string;
  readonly timeoutSeconds?: number;
  readonly requiredConfidence?: number;
  /** What the free checks found; an error among it ends the approval before a judge is asked. */
  readonly found: readonly Finding[];
  /** What the work must come to, in words, for a verifier. */
  readonly criteria?: readonly string[];
  /** What was found out already, so that no judge is asked. */
  readonly settled?: readonly Settled[];
  /** The concept the work was made from, which a judge may consult. */
  readonly concept?: { readonly path: string; readonly text: string };
};

/** What became of asking for an approval. */
export type ApprovalAnswer = { readonly kind: 'answered'; readonly result: ApprovalResult } | Interrupted;

/** Why there is no opinion. */
export type Interrupted = {
  readonly kind: 'interrupted';
  readonly failure: FailureClass;
  readonly message: string;
  /** It is not to be tried again by itself, whatever it was. */
  readonly final?: boolean | undefined;
};

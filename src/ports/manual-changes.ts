import type { InputFile } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import type { Phase } from '../domain/plan/plan.ts';
import type { Tree } from './tree.ts';

/** What a human finds where their own change is asked for, for one question. */
export type OwnCopy = {
  /** The directory, an absolute path below `.helix`. */
  readonly dir: string;
  readonly request: string;
  /** Without one: what the project has for the phase. */
  readonly start: string | undefined;
  /** The commit it builds on, in a repository. */
  readonly base: string | undefined;
  readonly inputs: readonly InputFile[];
};

/** What a human has made of it; it starts from what was laid out for them, which may be older than what was asked for. */
export type OwnChange = {
  readonly start: string;
  readonly base?: string;
  readonly tree: Tree;
  readonly notices: readonly Finding[];
};

/**
 * A human's own change to a phase, made in a copy of its work that survives crashes of HELIX. Each call comes out the same
 * when it is repeated. Throws HelixError `io`, `disk_full`, `setup` (a file is too large to be copied in) or `journal` (a
 * stored tree is gone).
 */
export interface ManualChanges {
  /** Lays out what a human may change; what already lies there for the same question stays as it is. */
  offer(phase: Phase, copy: OwnCopy): Promise<void>;
  /** Freezes what a human has left there, with `files` written over it, and says what it could not keep; laid out first where it is gone. */
  take(phase: Phase, copy: OwnCopy & { readonly files: ReadonlyMap<string, string> }): Promise<OwnChange>;
  /** Removes what was laid out for a human, but not for the question `unless`; what they changed there and nobody took is kept, and its place is the answer. */
  withdraw(dir: string, about: { phase: Phase | undefined; unless?: string }): Promise<string | undefined>;
}

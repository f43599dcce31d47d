import type { ProfileChoice } from '../../adr/check-adr.ts';
import type { RulesSource } from '../adr/adr-rules.ts';
import type { SyntaxProgram } from '../files/ask-syntax.ts';
import type { Before } from '../files/old-flaws.ts';
import type { GateContext } from '../gate/gate-context.ts';

/** What the free checks look at and use, in a run and outside of any. */
export type PreCheckSource = {
  /** A file of what is judged, at most `limit` bytes of it; undefined when there is none. */
  readonly read: (path: string, limit: number) => Promise<Buffer | undefined>;
  /** Tells whether there is a file or folder at a path; undefined where that cannot be known. */
  readonly exists: (path: string) => boolean | undefined;
  /** Where the rules for ADRs come from. */
  readonly rules: RulesSource;
  /** The form an ADR at a path must have; without it, the one it seems to have. */
  readonly profile?: (path: string) => Promise<ProfileChoice>;
  /** What the ADRs were made from, for layer 3. */
  readonly concept?: { readonly path: string; readonly text: string };
  readonly projectFiles?: GateContext['projectFiles'];
  /** What was there before the work began, where only what is new counts. */
  readonly before?: Before;
  /** What the syntax program is started with. */
  readonly program: SyntaxProgram;
};
